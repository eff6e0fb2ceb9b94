-- Connections, records and long text.
--
-- Tables, columns and numbers mean what they mean on SQLite. Text that is compared is compared by
-- its bytes, whatever the language of the database; bytea also holds what text cannot (U+0000).

CREATE TABLE schema_version (
    only_row smallint PRIMARY KEY CHECK (only_row = 1),
    version  bigint NOT NULL
);
INSERT INTO schema_version (only_row, version) VALUES (1, 0);

CREATE TABLE connections (
    connection_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connection_id text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE collections (
    collection_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connection_no bigint NOT NULL REFERENCES connections (connection_no),
    stream        text COLLATE "C" NOT NULL,
    UNIQUE (connection_no, stream)
);

-- A key keeps its number for ever, also while its record is deleted. key_order is the key itself:
-- its parts, joined by a zero byte, so that comparing bytes compares keys part by part.
CREATE TABLE record_keys (
    record_no     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection_no bigint NOT NULL,
    key_order     bytea NOT NULL,
    UNIQUE (collection_no, key_order)
);

-- Live records. Fields that live outside (see texts) are absent from json.
CREATE TABLE records (
    record_no     bigint PRIMARY KEY,
    collection_no bigint NOT NULL,
    flags         bigint NOT NULL,
    emitted_at    text NOT NULL,
    json          text NOT NULL
);

-- Text that is too long for its record. kind: 0 a string, 1 canonical JSON of an object or array.
CREATE TABLE texts (
    text_no   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record_no bigint NOT NULL,
    kind      bigint NOT NULL,
    chars     bigint NOT NULL,
    bytes     bigint NOT NULL,
    digest    bytea NOT NULL,
    path      bytea NOT NULL,
    UNIQUE (record_no, path)
);

-- Chunks of 4,000 characters, in UTF-8; chunk_no = text_no * 2^24 + place. Two chunks fill a page:
-- a chunk up to half a page stays in its row as it is, and a longer one is compressed to fit there
-- before it is moved out of the row.
CREATE TABLE text_chunks (
    chunk_no bigint PRIMARY KEY,
    text     bytea NOT NULL
) WITH (toast_tuple_target = 4080);
