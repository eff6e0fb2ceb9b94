-- Grants stay bound to the time field they were issued with, also after the source declares another
-- one. The fields a collection was once limited by, and their time keys beside the current one's:
-- field number (two bytes) and key (13 bytes); in pruned the first and the last key.

CREATE TABLE time_fields (
    collection_no bigint NOT NULL,
    name          bytea NOT NULL,
    PRIMARY KEY (collection_no, name)
);
ALTER TABLE versions ADD COLUMN other_times bytea;
ALTER TABLE pruned ADD COLUMN other_times bytea;
