//! Enforcements at the entry points: who is let in, with what, and who may write.

use super::{Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const ENTRY_POINTS: &[Break] = &[
    Break {
        harm: "a revoked grant still opens",
        guards: &[BreakOperation::SigningIn],
        edits: &[
            Edit {
                file: "crates/auth/src/verify.rs",
                find: "        Standing::Revoked => return Err(AuthError::GrantRevoked),\n",
                put: "        Standing::Revoked => {}\n",
            },
            Edit {
                file: "crates/auth/src/verify.rs",
                find: "grant.revoked_at.is_none();",
                put: "grant.revoked_at.is_none() || true;",
            },
        ],
        noticed_by: ("pdpp-auth", "auth", "revoking"),
    },
    Break {
        harm: "an expired grant still opens",
        guards: &[BreakOperation::SigningIn],
        edits: &[
            Edit {
                file: "crates/auth/src/verify.rs",
                find: "        Standing::Expired => return Err(AuthError::GrantExpired),\n",
                put: "        Standing::Expired => {}\n",
            },
            Edit {
                file: "crates/auth/src/verify.rs",
                find: "grants.retain(|grant| !expired(grant, now));",
                put: "grants.retain(|grant| !expired(grant, now) || true);",
            },
        ],
        noticed_by: ("pdpp-auth", "auth", "verifying"),
    },
    Break {
        harm: "a token for /mcp opens another resource",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/auth/src/verify.rs",
            find: "        (Some(bound), Some(asked)) if bound != asked => Err(AuthError::WrongResource),\n",
            put: "",
        }],
        noticed_by: ("pdpp-http", "it", "t_aud_1"),
    },
    Break {
        harm: "an agent deletes records",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/http/src/v1/gate.rs",
            find: "parts: &mut Parts, _: &App) -> Result<Self, RefusalResponse> {\n        \
                     let audit = Call::of(parts)?;\n        \
                     let access = audit.caller().clone().into_owner().map_err(ApiError::from)?;",
            put: "parts: &mut Parts, app: &App) -> Result<Self, RefusalResponse> {\n        \
                    let audit = Call::of(parts)?;\n        \
                    let access = app.services.auth.local_owner();",
        }],
        noticed_by: ("pdpp-http", "it", "ownership"),
    },
];
