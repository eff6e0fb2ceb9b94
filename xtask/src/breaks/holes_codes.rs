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
        harm: "what an earlier version classified is shown before it is classified again",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/view/mod.rs",
            find: "        shared.check_classified().await?;\n",
            put: "        let _ = shared.check_classified().await;\n",
        }],
        noticed_by: engine("left_out"),
    },
    Break {
        harm: "codes in emphasis are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/codes/plain.rs",
            find: "join_single_digits(without_emphasis(respelt))",
            put: "join_single_digits(respelt)",
        }],
        noticed_by: ("pdpp-engine", "lib", "codes::"),
    },
    Break {
        harm: "codes with one digit in each cell are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/codes/plain.rs",
            find: "join_single_digits(without_emphasis(respelt))",
            put: "without_emphasis(respelt)",
        }],
        noticed_by: ("pdpp-engine", "lib", "codes::"),
    },
    Break {
        harm: "links that sign somebody in are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/codes/text.rs",
            find: ".is_some_and(|ways| ways.lead_to(",
            put: ".is_some_and(|ways| false && ways.lead_to(",
        }],
        noticed_by: ("pdpp-engine", "lib", "codes::"),
    },
    Break {
        harm: "ordinary mail is left out",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/codes/ways.rs",
            find: "        if self.is_mass {\n",
            put: "        if self.is_mass && start > end {\n",
        }],
        noticed_by: ("pdpp-engine", "lib", "codes::"),
    },
    Break {
        harm: "private keys are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/secrets/mod.rs",
            find: "    armour::holds_private_key(text)\n",
            put: "    armour::holds_private_key(\"\")\n",
        }],
        noticed_by: ("pdpp-engine", "lib", "secrets::"),
    },
    Break {
        harm: "keys and tokens of services are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/secrets/mod.rs",
            find: "shapes::holds_token(text)",
            put: "shapes::holds_token(\"\")",
        }],
        noticed_by: ("pdpp-engine", "lib", "secrets::"),
    },
    Break {
        harm: "passwords behind a label are not recognized",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/withheld/secrets/mod.rs",
            find: "labels::holds_secret(text)",
            put: "labels::holds_secret(\"\")",
        }],
        noticed_by: ("pdpp-engine", "lib", "secrets::"),
    },
    Break {
        harm: "a grant from the command line shows codes and secrets unless told otherwise",
        guards: ALL_READS,
        edits: &[
            Edit {
                file: "crates/cli/src/commands/grant/create.rs",
                find: "leave_out_codes: !args.show.contains(&Sensitive::Codes)",
                put: "leave_out_codes: args.leave_out.contains(&Sensitive::Codes)",
            },
            Edit {
                file: "crates/cli/src/commands/grant/create.rs",
                find: "leave_out_secrets: !args.show.contains(&Sensitive::Secrets)",
                put: "leave_out_secrets: args.leave_out.contains(&Sensitive::Secrets)",
            },
        ],
        noticed_by: ("pdpp", "it", "left_out::a_new_grant"),
    },
    Break {
        harm: "the consent page shows codes and secrets unless told otherwise",
        guards: ALL_READS,
        edits: &[
            Edit {
                file: "crates/http/src/pages/consent/picker.rs",
                find: "leaves_out_codes: draft.is_none_or(",
                put: "leaves_out_codes: draft.is_some_and(",
            },
            Edit {
                file: "crates/http/src/pages/consent/picker.rs",
                find: "leaves_out_secrets: draft.is_none_or(",
                put: "leaves_out_secrets: draft.is_some_and(",
            },
        ],
        noticed_by: ("pdpp-http", "it", "codes_and_secrets_are_left_out_unless"),
    },
];
