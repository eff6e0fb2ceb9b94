//! Enforcements over time and the past: clocks that are set, logs that are shortened, older backups.

use super::{Break, Edit, Operation};

/// Each with one place and one way.
pub const HOLES: &[Break] = &[
    Break {
        harm: "a clock that is set back takes the store's time back",
        guards: &[Operation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/retention/seen_time.rs",
            find: "       AND seen_at < ?1\n       AND resets = ?2\";",
            put: "       AND resets = ?2\";",
        }],
        noticed_by: ("pdpp-store", "conformance", "seen_time"),
    },
    Break {
        harm: "a pruned audit log cannot be verified any more",
        guards: &[Operation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sql/retention/mod.rs",
            find: "    audit::append(tx, &[checkpoint.event(now)])?;\n",
            put: "    audit::append(tx, &[checkpoint.event(now)][..0])?;\n",
        }],
        noticed_by: ("pdpp-store", "conformance", "sqlite::retention"),
    },
    Break {
        harm: "a clock that jumps ahead empties the audit log",
        guards: &[Operation::Erasing],
        edits: &[Edit {
            file: "crates/auth/src/owner/retention.rs",
            find: "midnight.min(lived)",
            put: "midnight.max(lived)",
        }],
        noticed_by: ("pdpp-auth", "auth", "retaining"),
    },
    Break {
        harm: "a backup of an older version is refused",
        guards: &[Operation::Writing],
        edits: &[Edit {
            file: "crates/store/src/transfer/layout/mod.rs",
            find: "std::iter::once(&CURRENT).chain(RELEASED)",
            put: "std::iter::once(&CURRENT).chain(&RELEASED[..0])",
        }],
        noticed_by: ("pdpp", "it", "releases"),
    },
];
