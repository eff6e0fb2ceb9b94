-- How much callers asked lately, summed over the servers of one store: when a caller's bucket is full
-- again, in microseconds of the epoch. Worth nothing after a crash, so no log is kept of it.
CREATE UNLOGGED TABLE paces (
    pace    text COLLATE "C" NOT NULL,
    caller  text COLLATE "C" NOT NULL,
    full_at bigint NOT NULL,
    PRIMARY KEY (pace, caller)
);

CREATE INDEX paces_by_end ON paces (full_at);
