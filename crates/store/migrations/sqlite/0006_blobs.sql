-- Files outside the database, by their SHA-256, and the records that refer to them.
--
-- A reference may come before its blob. A blob whose last reference goes is erased with it.

CREATE TABLE blobs (
    sha256     BLOB PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE blob_refs (
    sha256        BLOB NOT NULL,
    collection_no INTEGER NOT NULL,
    record_no     INTEGER NOT NULL,
    field         TEXT NOT NULL,
    PRIMARY KEY (sha256, collection_no, record_no, field)
) WITHOUT ROWID;
CREATE INDEX blob_refs_by_record ON blob_refs (record_no);
