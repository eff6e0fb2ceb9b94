-- Files by their SHA-256, and the records that refer to them. Their bytes are in pieces here, so that
-- every process in front of the database reads them.
--
-- A reference may come before its blob. A blob whose last reference goes is erased with it.

CREATE TABLE blobs (
    sha256     bytea PRIMARY KEY,
    size_bytes bigint NOT NULL,
    created_at text COLLATE "C" NOT NULL
);

CREATE TABLE blob_refs (
    sha256        bytea NOT NULL,
    collection_no bigint NOT NULL,
    record_no     bigint NOT NULL,
    field         bytea NOT NULL,
    PRIMARY KEY (sha256, collection_no, record_no, field)
);
CREATE INDEX blob_refs_by_record ON blob_refs (record_no);

CREATE TABLE blob_pieces (
    sha256   bytea NOT NULL,
    piece_no bigint NOT NULL,
    bytes    bytea NOT NULL,
    PRIMARY KEY (sha256, piece_no)
);
-- Most files are compressed already.
ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
