-- Connections, records, versions and long text.
--
-- A collection is one stream of one connection; every index of records begins with it, so that a
-- read touches only the collections its scope names. Numbers are never reused: cursors and handles
-- carry them.

CREATE TABLE store_meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE declarations (
    declaration_no INTEGER PRIMARY KEY,
    digest         BLOB NOT NULL UNIQUE,
    connector_key  TEXT NOT NULL,
    json           TEXT NOT NULL
);

CREATE TABLE connections (
    connection_no  INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_id  TEXT NOT NULL UNIQUE,
    name           TEXT NOT NULL UNIQUE,
    display_name   TEXT,
    connector_key  TEXT NOT NULL,
    declaration_no INTEGER NOT NULL REFERENCES declarations (declaration_no),
    created_at     TEXT NOT NULL
);

-- The shape of a typed copy: which fields of which stream, in column order. The table that holds
-- the copies is named after the number (projection_7).
CREATE TABLE projections (
    projection_no INTEGER PRIMARY KEY AUTOINCREMENT,
    connector_key TEXT NOT NULL,
    stream        TEXT NOT NULL,
    shape         TEXT NOT NULL,
    UNIQUE (connector_key, stream, shape)
);

CREATE TABLE collections (
    collection_no INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_no INTEGER NOT NULL REFERENCES connections (connection_no),
    stream        TEXT NOT NULL,
    projection_no INTEGER NOT NULL REFERENCES projections (projection_no),
    record_count  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (connection_no, stream)
);

-- Field names of a collection as small numbers, for the version log.
CREATE TABLE collection_fields (
    collection_no INTEGER NOT NULL,
    field_no      INTEGER NOT NULL,
    name          TEXT NOT NULL,
    PRIMARY KEY (collection_no, field_no),
    UNIQUE (collection_no, name)
) WITHOUT ROWID;

-- A key keeps its number for ever, also while its record is deleted. key_order is the key itself:
-- its parts, joined by a zero byte, so that comparing bytes compares keys part by part.
CREATE TABLE record_keys (
    record_no     INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_no INTEGER NOT NULL,
    change_no     INTEGER NOT NULL,
    key_order     BLOB NOT NULL,
    UNIQUE (collection_no, key_order)
);
CREATE INDEX record_keys_by_change ON record_keys (collection_no, change_no);

-- Live records. Fields that live outside (see texts) are absent from json.
CREATE TABLE records (
    record_no     INTEGER PRIMARY KEY,
    collection_no INTEGER NOT NULL,
    flags         INTEGER NOT NULL,
    emitted_at    TEXT NOT NULL,
    json          TEXT NOT NULL
);

-- Every version of every record, without its content: keyed hashes per field and the value of the
-- time field are enough to tell what a reader saw before and after.
CREATE TABLE versions (
    record_no    INTEGER NOT NULL,
    change_no    INTEGER NOT NULL,
    deleted      INTEGER NOT NULL,
    flags        INTEGER NOT NULL,
    emitted_at   TEXT NOT NULL,
    time_key     BLOB,
    field_hashes BLOB NOT NULL,
    PRIMARY KEY (record_no, change_no)
) WITHOUT ROWID;

CREATE TABLE change_counter (
    only_row  INTEGER PRIMARY KEY CHECK (only_row = 1),
    change_no INTEGER NOT NULL
);
INSERT INTO change_counter (only_row, change_no) VALUES (1, 0);

-- Text that is too long for its record. kind: 0 a string, 1 canonical JSON of an object or array.
CREATE TABLE texts (
    text_no   INTEGER PRIMARY KEY AUTOINCREMENT,
    record_no INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    chars     INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    digest    BLOB NOT NULL,
    path      TEXT NOT NULL,
    UNIQUE (record_no, path)
);

-- Chunks of 4,000 characters; chunk_no = text_no * 2^24 + place.
CREATE TABLE text_chunks (
    chunk_no INTEGER PRIMARY KEY,
    text     TEXT NOT NULL
);

-- Items an import could not take, kept with their reason.
CREATE TABLE quarantine (
    item_no       INTEGER PRIMARY KEY AUTOINCREMENT,
    connection_no INTEGER NOT NULL,
    source        TEXT NOT NULL,
    position      INTEGER NOT NULL,
    code          TEXT NOT NULL,
    message       TEXT NOT NULL,
    item          BLOB NOT NULL,
    created_at    TEXT NOT NULL,
    UNIQUE (connection_no, source, position)
);
