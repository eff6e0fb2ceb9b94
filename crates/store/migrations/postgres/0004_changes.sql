-- The change log in the order of its numbers, one row per version.
--
-- A reader's feed is ordered by the last change it could see of each record, which need not be the
-- record's last change; so every change has its row, not only the last one of each key.

CREATE TABLE changes (
    collection_no bigint NOT NULL,
    change_no     bigint NOT NULL,
    record_no     bigint NOT NULL,
    PRIMARY KEY (collection_no, change_no)
);

-- How often the log was shortened. A bookmark says how often it had been when it was made: what
-- was taken before then it does not miss.
ALTER TABLE change_counter ADD COLUMN prunings bigint NOT NULL DEFAULT 0;

-- What pruning took from a record's log, without values. change_no: bookmarks below it may miss
-- something. lost: which fields changed in the pruned versions (two bytes, 65535 for the record's
-- existence, 65534 for its codes flag), the number of their next change and of the pruning (eight
-- bytes each). time_min and time_max bound the times the record had, uncoded says whether it ever
-- was without codes.
CREATE TABLE pruned (
    record_no     bigint PRIMARY KEY,
    collection_no bigint NOT NULL,
    change_no     bigint NOT NULL,
    uncoded       bigint NOT NULL,
    time_min      bytea,
    time_max      bytea,
    lost          bytea NOT NULL
);
CREATE INDEX pruned_by_change ON pruned (collection_no, change_no);
