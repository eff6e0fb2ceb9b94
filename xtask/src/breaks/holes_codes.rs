//! Enforcements over what a grant leaves out: secrets, and what goes with a left-out record.

use super::{ALL_READS, Break, Edit, engine};

/// Each with one place and one way.
pub const HOLES_CODES: &[Break] = &[
    Break {
        harm: "records with secrets show where they are left out",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/view/mod.rs",
            find: "leave_out_secrets: grant.leave_out_secrets,",
            put: "leave_out_secrets: grant.leave_out_secrets && false,",
        }],
        noticed_by: engine("secrets"),
    },
    Break {
        harm: "files of a left-out message show",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/store/src/sql/sensitivity/inheritance.rs",
            find: "    threads(batch, &written)?;\n    parts(batch, &written)",
            put: "    threads(batch, &written)?;\n    parts(batch, &[])",
        }],
        noticed_by: engine("left_out"),
    },
    Break {
        harm: "the thread of a left-out message shows",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/store/src/sql/sensitivity/inheritance.rs",
            find: "    threads(batch, &written)?;\n    parts(batch, &written)",
            put: "    threads(batch, &[])?;\n    parts(batch, &written)",
        }],
        noticed_by: engine("left_out"),
    },
    Break {
        harm: "a hidden message takes a visible thread away",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/store/src/sql/sensitivity/inheritance.rs",
            find: "if is_new || !members.has_other_than(batch.db(), &new_messages)? {",
            put: "if is_new || !members.has_other_than(batch.db(), &new_messages)? || true {",
        }],
        noticed_by: engine("left_out"),
    },
    Break {
        harm: "what an earlier version judged is shown before it is judged again",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/view/mod.rs",
            find: "        shared.check_judged().await?;\n",
            put: "        let _ = shared.check_judged().await;\n",
        }],
        noticed_by: engine("left_out"),
    },
];
