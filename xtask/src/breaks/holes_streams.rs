//! Answers under way and connections: what ends them.

use super::{ALL_READS, Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const STREAMS: &[Break] = &[
    Break {
        harm: "an answer under way outlives the revocation of its grant",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/auth/src/authority.rs",
            find: "        let caller = judge(&access, presented.claims, self.clock.now())?;\n",
            put: "        let Ok(caller) = judge(&access, presented.claims, self.clock.now()) else {\n            \
                  return Ok(());\n        };\n",
        }],
        noticed_by: ("pdpp-http", "it", "a_revocation_ends_every_answer_under_way"),
    },
    Break {
        harm: "an answer goes on after one grant of its package ended",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/auth/src/authority.rs",
            find: "if grants.iter().all(live) { Ok(()) } else { Err(AuthError::GrantRevoked) }",
            put: "if grants.iter().any(live) { Ok(()) } else { Err(AuthError::GrantRevoked) }",
        }],
        noticed_by: ("pdpp-http", "it", "one_grant_s_end_an_expiry"),
    },
    Break {
        harm: "a reader that takes nothing keeps its answer after the revocation",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/connections/supervise.rs",
            find: "answers.iter().filter(|answer| connection.is_due(answer))",
            put: "answers.iter().filter(|_| false)",
        }],
        noticed_by: ("pdpp-http", "it", "a_reader_that_takes_nothing_is_broken_off"),
    },
    Break {
        harm: "strangers who never finish a request shut everybody out",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/connection.rs",
            find: "            (ConnectionRole::Stranger, _) => Some(Rank::BusyStranger(state.since)),\n",
            put: "            (ConnectionRole::Stranger, _) => None,\n",
        }],
        noticed_by: ("pdpp-http", "it", "strangers_who_never_finish"),
    },
    Break {
        harm: "agents take the connections that are kept for the owner",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/limits.rs",
            find: "        self.total - self.reserved\n",
            put: "        self.total\n",
        }],
        noticed_by: ("pdpp-http", "it", "agents_cannot_take"),
    },
    Break {
        harm: "a connection that says nothing stays open",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/connection.rs",
            find: "            (0, Some(since)) => over(since, limits.head_timeout),\n",
            put: "            (0, Some(_)) => false,\n",
        }],
        noticed_by: ("pdpp-http", "it", "a_connection_that_does_not_send_a_head"),
    },
    Break {
        harm: "a refused connection closes without a word",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/server/unread_body.rs",
            find: "    if !left.taken_in().await {\n",
            put: "    if !left.taken_in().await && false {\n",
        }],
        noticed_by: ("pdpp-http", "it", "closing"),
    },
    Break {
        harm: "megabytes of an answer go out between two looks at its grant",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/connections/watched_body.rs",
            find: "&& handed_on > ANSWER_BYTES_BETWEEN_CHECKS",
            put: "&& handed_on > ANSWER_BYTES_BETWEEN_CHECKS * 1_000",
        }],
        noticed_by: ("pdpp-http", "it", "a_revocation_ends_every_answer_under_way"),
    },
    Break {
        harm: "what the system holds of an ended answer still arrives",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/connections/socket.rs",
            find: "            let _ = self.stream.set_zero_linger();\n",
            put: "",
        }],
        noticed_by: ("pdpp-http", "it", "a_reader_that_takes_nothing_is_broken_off"),
    },
    Break {
        harm: "one address takes the connections of all others",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/table.rs",
            find: "unwrap_or_default() >= self.limits.per_address",
            put: "unwrap_or_default() >= self.limits.per_address * 1_000",
        }],
        noticed_by: ("pdpp-http", "lib", "one_address_ends"),
    },
    Break {
        harm: "a connection without requests stays open",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/connection.rs",
            find: "            (0, None) => over(state.since, limits.idle_timeout),\n",
            put: "            (0, None) => false,\n",
        }],
        noticed_by: ("pdpp-http", "it", "an_idle_connection"),
    },
    Break {
        harm: "a reader that takes nothing keeps its connection",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/http/src/connections/connection.rs",
            find: "state.blocked_since.is_some_and(|since| over(since, limits.stalled_timeout))",
            put: "state.blocked_since.is_some_and(|since| over(since, limits.stalled_timeout * 100_000))",
        }],
        noticed_by: ("pdpp-http", "it", "for_too_long_is_reset"),
    },
    Break {
        harm: "an answer goes on while nobody can say whether its grant stands",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/connections/answer.rs",
            find: "            || now.duration_since(state.checked_at) < TRUSTED_FOR\n",
            put: "            || now.duration_since(state.checked_at) < TRUSTED_FOR * 1_000\n",
        }],
        noticed_by: ("pdpp-http", "lib", "nothing_is_written_of_an_answer"),
    },
    Break {
        harm: "an answer that took long to begin is sent after its grant ended",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/http/src/connections/answer.rs",
            find: "        if self.checked_at.elapsed() >= BETWEEN_LOOKS {\n",
            put: "        if self.checked_at.elapsed() >= BETWEEN_LOOKS * 1_000 {\n",
        }],
        noticed_by: ("pdpp-http", "lib", "an_answer_that_took_long_to_begin"),
    },
];
