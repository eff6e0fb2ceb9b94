-- What pruning took from a record's log, told so precisely that a grant knows whether it could see it. The
-- older columns stay for bookmarks of version 0.1. Per field: its number (two bytes), the next change that
-- was kept (eight), whether the record carried codes (1 no, 2 yes, 3 both), the number of time spans, and
-- each of these: with codes or not, number of the time field (two), first and last key (13 each).

ALTER TABLE pruned ADD COLUMN losses bytea;
