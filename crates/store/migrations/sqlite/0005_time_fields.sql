-- Grants stay bound to the time field they were issued with, also after the source declares another
-- one. The fields a collection was once limited by, and their time keys beside the current one's:
-- field number (two bytes) and key (13 bytes); in pruned the first and the last key.

CREATE TABLE time_fields (
    collection_no INTEGER NOT NULL,
    name          TEXT NOT NULL,
    PRIMARY KEY (collection_no, name)
) WITHOUT ROWID;
ALTER TABLE versions ADD COLUMN other_times BLOB;
ALTER TABLE pruned ADD COLUMN other_times BLOB;
