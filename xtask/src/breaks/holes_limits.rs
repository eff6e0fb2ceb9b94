//! Enforcements of limits: what one agent may use, what strangers may use up, who reads the numbers.

use super::{ALL_READS, Break, BreakOperation, Edit};

const fn http(name: &'static str) -> (&'static str, &'static str, &'static str) {
    ("pdpp-http", "it", name)
}

/// Each with one place and one way.
pub const LIMITS: &[Break] = &[
    Break {
        harm: "calls at /v1 count against no limit",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/v1/gate.rs",
            find: "    app.agent_limits.count(access.package_id())?;\n",
            put: "",
        }],
        noticed_by: http("calls_at_both_doors"),
    },
    Break {
        harm: "asking what a token is counts against no limit",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/oauth/token_info.rs",
            find: "            app.agent_limits.count(access.package_id())?;\n",
            put: "",
        }],
        noticed_by: http("asking_what_a_token_is"),
    },
    Break {
        harm: "every access token of a sign-in has a limit of its own",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/mcp/gate.rs",
            find: "app.agent_limits.count(access.package_id())",
            put: "app.agent_limits.count(\n        \
                    &pdpp_contract::PackageId::new(access.token_fingerprint().as_str())\n            \
                    .unwrap_or(access.package_id().clone()),\n    )",
        }],
        noticed_by: http("the_access_tokens_of_one_sign_in"),
    },
    Break {
        harm: "a call that takes long counts like a short one",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/limits/work_slot.rs",
            find: "if calls > 0.0 {",
            put: "if calls > f64::MAX {",
        }],
        noticed_by: http("a_call_that_takes_long"),
    },
    Break {
        harm: "an agent with many connections crowds the others out",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/limits/fair_queue/mod.rs",
            find: "min_by_key(|(clock, number, _)| (*clock, *number))",
            put: "min_by_key(|(_, number, _)| *number)",
        }],
        noticed_by: http("an_agent_with_many_connections"),
    },
    Break {
        harm: "an agent that takes none of its answers fills the memory",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/limits/unsent.rs",
            find: "own >= EACH || (own > 0 && bytes.together >= TOGETHER)",
            put: "own >= EACH * 1_000 || (own > 0 && bytes.together >= TOGETHER * 1_000)",
        }],
        noticed_by: ("pdpp", "it", "answers_that_nobody_takes"),
    },
    Break {
        harm: "a call that waited reads with a grant that ended meanwhile",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/limits/work_slot.rs",
            find: "self.turn.waited() || ",
            put: "",
        }],
        noticed_by: http("a_grant_that_ends_while_a_call_waits"),
    },
    Break {
        harm: "a page of another site uses up what programs may ask",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/guard/mod.rs",
            find: "if !request.uri().path().starts_with(mcp::WELL_KNOWN) {",
            put: "if ![mcp::WELL_KNOWN, \"/oauth/\"]\n        \
                    .iter()\n        \
                    .any(|start| request.uri().path().starts_with(start))\n    {",
        }],
        noticed_by: http("pages_of_other_sites_use_up"),
    },
    Break {
        harm: "strangers read the metrics through a proxy",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/open/metrics.rs",
            find: "local && !forwarded && !app.has_public_url",
            put: "local && !forwarded",
        }],
        noticed_by: http("behind_a_public_url"),
    },
    Break {
        harm: "a token for the metrics opens everything",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/auth/src/verify.rs",
            find: "(TokenKind::Metrics, None) => Err(AuthError::WrongKind { presented: token.kind }),",
            put: "(TokenKind::Metrics, None) => {\n            \
                    Ok(Caller::Owner(OwnerAccess::by_token(token.fingerprint.clone())))\n        }",
        }],
        noticed_by: http("a_token_for_metrics"),
    },
    Break {
        harm: "a proxy on this machine reads the metrics for everybody",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/open/metrics.rs",
            find: "if local && !forwarded && !app.has_public_url",
            put: "if local && (!forwarded || true) && !app.has_public_url",
        }],
        noticed_by: http("without_a_public_url"),
    },
    Break {
        harm: "an agent has its calls again at each server of a store",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/limits/shared.rs",
            find: "            for (caller, full_in) in callers.iter().zip(all) {\n",
            put: "            for (caller, full_in) in callers.iter().zip(all).take(0) {\n",
        }],
        noticed_by: http("sharing::"),
    },
];
