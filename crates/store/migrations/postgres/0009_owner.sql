-- The owner as a person at a browser: a password, sessions, a link to begin with, settings.

-- At most one row: one store, one owner. A password is kept as an argon2id PHC string.
CREATE TABLE owner_credential (
    only_row      bigint PRIMARY KEY CHECK (only_row = 1),
    password_hash text COLLATE "C" NOT NULL,
    set_at        text COLLATE "C" NOT NULL
);

-- The one-time link that the server prints while there is no password. Only the newest counts.
CREATE TABLE owner_setup (
    only_row   bigint PRIMARY KEY CHECK (only_row = 1),
    code_hash  bytea NOT NULL,
    expires_at text COLLATE "C" NOT NULL
);

-- Browsers that are signed in, by the SHA-256 of their cookie.
CREATE TABLE owner_sessions (
    session_hash     bytea PRIMARY KEY,
    fingerprint      text COLLATE "C" NOT NULL UNIQUE,
    device           text COLLATE "C" NOT NULL,
    created_at       text COLLATE "C" NOT NULL,
    authenticated_at text COLLATE "C" NOT NULL,
    last_seen_at     text COLLATE "C" NOT NULL
);

-- Wrong passwords in a row, by who tried: an address, or everybody together.
CREATE TABLE login_failures (
    who     text COLLATE "C" PRIMARY KEY,
    count   bigint NOT NULL,
    last_at text COLLATE "C" NOT NULL
);

CREATE TABLE settings (
    name  text COLLATE "C" PRIMARY KEY,
    value text COLLATE "C" NOT NULL
);

-- What one access did, and when anybody did something.
CREATE INDEX audit_events_by_package ON audit_events (package_id, event_no);
