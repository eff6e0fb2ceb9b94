-- The newest instant that the store has seen: time never goes back for it. resets counts how often the owner
-- took it back; instants from reset_from on were taken back and are not believed from events.
CREATE TABLE store_clock (
    only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
    seen_at    TEXT NOT NULL,
    resets     INTEGER NOT NULL,
    reset_from TEXT
);
INSERT INTO store_clock (only_row, seen_at, resets)
SELECT 1,
       coalesce((SELECT at FROM audit_events ORDER BY event_no DESC LIMIT 1), '1970-01-01T00:00:00.000000000Z'),
       0;

-- The days on which something was noted, and the newest change when the first event of the day came: the past
-- is kept by age, and a clock that jumped ahead must not end it.
CREATE TABLE seen_days (
    day       TEXT PRIMARY KEY,
    change_no INTEGER NOT NULL
) WITHOUT ROWID;
