//! The enforcements that are left out one by one. `docs/enforcement.md` says what each guards.

use super::Break;

const ENGINE: (&str, &str) = ("pdpp-engine", "it");

const fn engine(name: &'static str) -> (&'static str, &'static str, &'static str) {
    (ENGINE.0, ENGINE.1, name)
}

/// Each with one place and one way; a store with a hole is played by the store's own suite.
pub const BREAKS: &[Break] = &[
    Break {
        harm: "a revoked grant still opens",
        file: "crates/auth/src/verify.rs",
        edits: &[
            (
                "        Standing::Revoked => return Err(AuthError::GrantRevoked),\n",
                "        Standing::Revoked => {}\n",
            ),
            ("grant.revoked_at.is_none();", "grant.revoked_at.is_none() || true;"),
        ],
        noticed_by: ("pdpp-auth", "auth", "revoking"),
    },
    Break {
        harm: "an expired grant still opens",
        file: "crates/auth/src/verify.rs",
        edits: &[
            (
                "        Standing::Expired => return Err(AuthError::GrantExpired),\n",
                "        Standing::Expired => {}\n",
            ),
            (
                "grants.retain(|grant| !expired(grant, now));",
                "grants.retain(|grant| !expired(grant, now) || true);",
            ),
        ],
        noticed_by: ("pdpp-auth", "auth", "verifying"),
    },
    Break {
        harm: "a hidden connection is refused in other words than an unknown one",
        file: "crates/engine/src/view.rs",
        edits: &[(
            "        && connections.is_empty()\n",
            "        && shared.store.connections(std::slice::from_ref(wanted)).await\n            \
              .map_err(from_store)?.is_empty()\n",
        )],
        noticed_by: engine(""),
    },
    Break {
        harm: "keys show a field outside the grant",
        file: "crates/engine/src/view.rs",
        edits: &[(
            ".filter(keys_shown) else",
            ".filter(|declared| keys_shown(declared) || true) else",
        )],
        noticed_by: engine(""),
    },
    Break {
        harm: "a filter asks about a hidden field",
        file: "crates/engine/src/conditions.rs",
        edits: &[(
            "filters.iter().find(|filter| !visible.contains(&filter.field))",
            "filters.iter().find(|filter| filters.is_empty() && !visible.contains(&filter.field))",
        )],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "records are sorted by a hidden field",
        file: "crates/engine/src/conditions.rs",
        edits: &[(
            "        declared && shelf.scope.fields.contains(field)\n",
            "        declared\n",
        )],
        noticed_by: engine(""),
    },
    Break {
        harm: "a window opens a hidden field",
        file: "crates/engine/src/field_window.rs",
        edits: &[(
            "shelves.retain(|shelf| shelf.scope.fields.contains(path.field()));",
            "shelves.retain_mut(|shelf| { shelf.scope.fields.insert(path.field().clone()); true });",
        )],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a cursor of one grant goes on under another",
        file: "crates/engine/src/binding.rs",
        edits: &[(
            "Self(Sha256::new().chain_update(authority))",
            "Self(Sha256::new().chain_update([authority[0] & 0; 32]))",
        )],
        noticed_by: engine(""),
    },
    Break {
        harm: "an ETag stays the same while the visible record changes",
        file: "crates/engine/src/etag.rs",
        edits: &[("    part(&data);\n", "    drop(data);\n")],
        noticed_by: engine(""),
    },
    Break {
        harm: "a relation shows through a hidden key field",
        file: "crates/engine/src/schema_fields.rs",
        edits: &[(
            "            holder.scope.fields.contains(&relation.foreign_key)\n",
            "            holder.scope.fields.contains(&relation.foreign_key) || true\n",
        )],
        noticed_by: engine("expand"),
    },
    Break {
        harm: "the schema names hidden fields",
        file: "crates/engine/src/schema_fields.rs",
        edits: &[(
            "let kept = declared.iter().filter(|(name, _)| visible(name));",
            "let kept = declared.iter().filter(|(name, _)| visible(name) || true);",
        )],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a blob opens through a hidden field",
        file: "crates/store/src/sql/blobs.rs",
        edits: &[(
            "            if !part.fields.contains(field.as_str()) {\n",
            "            if field.is_empty() {\n",
        )],
        noticed_by: engine("blobs"),
    },
    Break {
        harm: "erased content stays in the log's file",
        file: "crates/store/src/sqlite/erasing.rs",
        edits: &[("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(PASSIVE)")],
        noticed_by: engine("erasure"),
    },
    Break {
        harm: "changes are judged by a former time field",
        file: "crates/store/src/sql/time_fields.rs",
        edits: &[(
            "    UPDATE versions SET time_key = ?3, other_times = ?4 WHERE record_no = ?1 AND change_no = ?2\";",
            "    UPDATE versions SET time_key = time_key WHERE ?3 IS ?3 AND ?4 IS ?4 AND record_no = ?1 AND \
              change_no = ?2\";",
        )],
        noticed_by: engine("changes_declared"),
    },
    Break {
        harm: "an agent deletes records",
        file: "crates/http/src/caller.rs",
        edits: &[(
            "parts: &mut Parts, _: &App) -> Result<Self, Refusal> {\n        \
               let owner = Verified::of(parts)?.clone().into_owner();\n        \
               Ok(Self(owner.map_err(ApiError::from)?))",
            "_: &mut Parts, app: &App) -> Result<Self, Refusal> {\n        \
              Ok(Self(app.services.auth.local_owner()))",
        )],
        noticed_by: ("pdpp-http", "it", "ownership"),
    },
    Break {
        harm: "a token for /mcp opens another resource",
        file: "crates/auth/src/verify.rs",
        edits: &[(
            "        (Some(bound), Some(asked)) if bound != asked => Err(AuthError::WrongResource),\n",
            "",
        )],
        noticed_by: ("pdpp-http", "it", ""),
    },
];
