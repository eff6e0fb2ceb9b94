//! Enforcements that decide who is first when two sign-in steps arrive at one moment.

use super::{Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const RACES: &[Break] = &[
    Break {
        harm: "a refusal counts beside an approval of the same moment",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/access/oauth/requests.rs",
            find: "       SET status = 'denied', decided_at = ?2, decided_in = ?3\n     WHERE request_id = ?1\n       \
                   AND status = 'open'\n",
            put: "       SET status = 'denied', decided_at = ?2, decided_in = ?3\n     WHERE request_id = ?1\n",
        }],
        noticed_by: ("pdpp-http", "it", "oauth::races"),
    },
    Break {
        harm: "a code or a device is redeemed twice at one moment",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/access/oauth/requests.rs",
            find: "       AND status = 'approved'\n       AND redeemed_at IS NULL\n    RETURNING",
            put: "       AND status = 'approved'\n    RETURNING",
        }],
        noticed_by: ("pdpp-http", "it", "oauth::races"),
    },
    Break {
        harm: "a refresh outlives the end of its sign-in at the same moment",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sql/access/oauth/families.rs",
            find: "oauth_refresh_tokens.family_no\n                      AND oauth_families.revoked_at IS NULL)",
            put: "oauth_refresh_tokens.family_no)",
        }],
        noticed_by: ("pdpp-http", "it", "oauth::races"),
    },
];
