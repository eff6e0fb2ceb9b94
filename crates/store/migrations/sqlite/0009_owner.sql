-- The owner as a person at a browser: a password, sessions, a link to begin with, settings.

-- At most one row: one store, one owner. A password is kept as an argon2id PHC string.
CREATE TABLE owner_credential (
    only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
    password_hash TEXT NOT NULL,
    set_at        TEXT NOT NULL
);

-- The one-time link that the server prints while there is no password. Only the newest counts.
CREATE TABLE owner_setup (
    only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
    code_hash  BLOB NOT NULL,
    expires_at TEXT NOT NULL
);

-- Browsers that are signed in, by the SHA-256 of their cookie.
CREATE TABLE owner_sessions (
    session_hash     BLOB PRIMARY KEY,
    fingerprint      TEXT NOT NULL UNIQUE,
    device           TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    authenticated_at TEXT NOT NULL,
    last_seen_at     TEXT NOT NULL
) WITHOUT ROWID;

-- Wrong passwords in a row, by who tried: an address, or everybody together.
CREATE TABLE login_failures (
    who     TEXT PRIMARY KEY,
    count   INTEGER NOT NULL,
    last_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- What one access did, and when anybody did something.
CREATE INDEX audit_events_by_package ON audit_events (package_id, event_no);
