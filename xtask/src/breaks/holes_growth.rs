//! Enforcements over time and the past: clocks that are set, logs that are shortened, older backups.

use super::{Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const HOLES: &[Break] = &[
    Break {
        harm: "a clock that is set back takes the store's time back",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/retention/seen_time.rs",
            find: "       AND seen_at < ?1\n       AND resets = ?2\";",
            put: "       AND resets = ?2\";",
        }],
        noticed_by: ("pdpp-store", "conformance", "seen_time"),
    },
    Break {
        harm: "a pruned audit log cannot be verified any more",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sql/retention/mod.rs",
            find: "    audit::append(tx, &[checkpoint.event(now)])?;\n",
            put: "    audit::append(tx, &[checkpoint.event(now)][..0])?;\n",
        }],
        noticed_by: ("pdpp-store", "conformance", "sqlite::retention"),
    },
    Break {
        harm: "a clock that jumps ahead empties the audit log",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/auth/src/owner/retention.rs",
            find: "midnight.min(lived)",
            put: "midnight.max(lived)",
        }],
        noticed_by: ("pdpp-auth", "auth", "retaining"),
    },
    Break {
        harm: "a backup of an older version is refused",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/transfer/layout/mod.rs",
            find: "std::iter::once(&CURRENT).chain(RELEASED)",
            put: "std::iter::once(&CURRENT).chain(&RELEASED[..0])",
        }],
        noticed_by: ("pdpp", "it", "releases"),
    },
    Break {
        harm: "the audit log grows for ever",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/auth/src/owner/retention.rs",
            find: "            pruned.events = self.prune_audit(before).await?;\n",
            put: "            pruned.events = self.prune_audit(before.min(Timestamp::MIN)).await?;\n",
        }],
        noticed_by: ("pdpp-auth", "auth", "retaining"),
    },
    Break {
        harm: "replaced versions are kept for ever",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/auth/src/owner/retention.rs",
            find: "self.store.prune_versions(through).await?",
            put: "self.store.prune_versions(through.min(pdpp_store::ChangeNo(0))).await?",
        }],
        noticed_by: ("pdpp-auth", "auth", "retaining"),
    },
    Break {
        harm: "compacting gives no room back",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/maintenance/compact.rs",
            find: "db.execute_batch(\"VACUUM\")",
            put: "db.execute_batch(\"PRAGMA optimize\")",
        }],
        noticed_by: ("pdpp-store", "conformance", "sqlite::retention"),
    },
    Break {
        harm: "a clock that is set back revives an expired grant",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/cli/src/app/clock.rs",
            find: "last.seen.at = at.max(self.machine.now());",
            put: "last.seen.at = at.min(self.machine.now());",
        }],
        noticed_by: ("pdpp", "bin", "set_back"),
    },
    Break {
        harm: "the store's time is reset without a note in the audit log",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/retention/seen_time.rs",
            find: "            audit::append(tx, &[event])?;\n            Ok(Some(before))",
            put: "            audit::append(tx, &[event][..0])?;\n            Ok(Some(before))",
        }],
        noticed_by: ("pdpp", "it", "store_time::a_store_that"),
    },
];
