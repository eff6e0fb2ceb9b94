-- Full-text index. Words are folded and stemmed before they get here; the index holds opaque tokens
-- (collection and field number + term), each row's bag says which terms it holds and how often.

CREATE TABLE search_fields (
    field_no INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE
);

-- row_no = record_no * 2^16 + part
CREATE TABLE search_rows (
    row_no        INTEGER PRIMARY KEY,
    collection_no INTEGER NOT NULL,
    bag           BLOB NOT NULL
);

CREATE VIRTUAL TABLE search_index USING fts5 (
    words, content = '', detail = 'none', columnsize = 0, tokenize = 'ascii'
);
-- Deleted words leave the segments at once instead of waiting for a merge.
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
