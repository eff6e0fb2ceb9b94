-- Packages, grants, tokens and the audit chain.
--
-- Times are RFC 3339 in UTC with nine fraction digits, so that their text order is their time order.

CREATE TABLE packages (
    package_no  INTEGER PRIMARY KEY AUTOINCREMENT,
    package_id  TEXT NOT NULL UNIQUE,
    client      TEXT NOT NULL,
    access_mode TEXT NOT NULL CHECK (access_mode IN ('continuous', 'single_use')),
    created_at  TEXT NOT NULL,
    expires_at  TEXT,
    revoked_at  TEXT
);
CREATE INDEX packages_by_client ON packages (client);

-- grant_json is what was issued, byte for byte. The one exception is erasure: when a connection is
-- removed, the record ids in its grants go with it.
CREATE TABLE grants (
    grant_no      INTEGER PRIMARY KEY AUTOINCREMENT,
    grant_id      TEXT NOT NULL UNIQUE,
    package_no    INTEGER NOT NULL REFERENCES packages (package_no),
    connection_id TEXT NOT NULL,
    revoked_at    TEXT,
    grant_json    TEXT NOT NULL,
    UNIQUE (package_no, connection_id)
);
CREATE INDEX grants_by_connection ON grants (connection_id);

-- A token is kept as its hash alone. A client's token stands for a package, an owner's for none.
CREATE TABLE tokens (
    token_hash   BLOB PRIMARY KEY,
    fingerprint  TEXT NOT NULL UNIQUE,
    kind         TEXT NOT NULL CHECK (kind IN ('client', 'owner')),
    package_no   INTEGER REFERENCES packages (package_no),
    label        TEXT,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT,
    CHECK ((kind = 'client') = (package_no IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX tokens_by_package ON tokens (package_no);

-- Who read what, each event chained to the one before it. client is null for the owner.
CREATE TABLE audit_events (
    event_no          INTEGER PRIMARY KEY,
    at                TEXT NOT NULL,
    client            TEXT,
    package_id        TEXT,
    token_fingerprint TEXT,
    operation         TEXT NOT NULL,
    connection_ids    TEXT NOT NULL,
    stream            TEXT,
    records_returned  INTEGER NOT NULL,
    bytes_returned    INTEGER NOT NULL,
    outcome           TEXT NOT NULL,
    request_id        TEXT,
    hash              BLOB NOT NULL
);
CREATE INDEX audit_events_by_client ON audit_events (client, event_no);
CREATE INDEX audit_events_by_time ON audit_events (at);

-- The end of the chain. Without it, events cut off the end would leave no trace.
CREATE TABLE audit_head (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    event_no INTEGER NOT NULL,
    hash     BLOB NOT NULL
);
INSERT INTO audit_head (only_row, event_no, hash) VALUES (1, 0, zeroblob(32));
