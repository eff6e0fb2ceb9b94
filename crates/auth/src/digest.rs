//! One digest for what a set of grants shows, whoever holds them and whenever they were issued.

use std::collections::BTreeSet;

use pdpp_contract::{Grant, Instant, StreamGrant, TimeConstraint};
use sha2::{Digest, Sha256};

/// Digests connections, streams, fields, time bounds, records and what is left out, in one order.
pub(crate) fn of(grants: &[Grant]) -> [u8; 32] {
    let streams = grants
        .iter()
        .flat_map(|grant| grant.streams.iter().map(|stream| stream_digest(stream, grant)));
    let mut all = Canon::new();
    all.set(streams.collect());
    all.0.finalize().into()
}

fn stream_digest(stream: &StreamGrant, grant: &Grant) -> [u8; 32] {
    let mut canon = Canon::new();
    canon.text(stream.name.as_str());
    canon.names(stream.connection_ids.iter().map(AsRef::as_ref));
    canon.names(stream.fields.iter().map(AsRef::as_ref));
    canon.flag(grant.leave_out_codes);
    canon.flag(stream.time_constraint.is_some());
    if let Some(constraint) = &stream.time_constraint {
        canon.constraint(constraint);
    }
    canon.flag(stream.resources.is_some());
    if let Some(records) = &stream.resources {
        canon.names(records.iter().map(pdpp_contract::RecordId::as_str));
    }
    // Said only where it is so: the digests of earlier grants, and their cursors, stay what they were.
    if grant.leave_out_secrets {
        canon.text("without secrets");
    }
    canon.0.finalize().into()
}

/// Feeds values to a hash so that no two different sequences look alike: every length comes first.
struct Canon(Sha256);

impl Canon {
    fn new() -> Self {
        Self(Sha256::new())
    }

    fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    /// Order and repetition say nothing in a grant, so they say nothing here.
    fn names<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let names: BTreeSet<&str> = names.collect();
        self.0.update((names.len() as u64).to_le_bytes());
        for name in names {
            self.text(name);
        }
    }

    fn set(&mut self, digests: BTreeSet<[u8; 32]>) {
        self.0.update((digests.len() as u64).to_le_bytes());
        for digest in digests {
            self.0.update(digest);
        }
    }

    /// Bounds as instants: `2026-01-01` and `2026-01-01T00:00:00Z` show the same.
    fn constraint(&mut self, constraint: &TimeConstraint) {
        self.text(constraint.field.as_str());
        for bound in [&constraint.since, &constraint.until] {
            let instant = bound.as_deref().and_then(Instant::parse);
            self.flag(instant.is_some());
            if let Some(instant) = instant {
                self.0.update(instant.unix_seconds().to_le_bytes());
                self.0.update(instant.nanos().to_le_bytes());
            }
        }
        // Said only where it is so, for the same reason as below. The rule counts, not its day.
        if constraint.rolls() {
            self.text("rolling");
            for rule in [constraint.since_rule, constraint.until_rule] {
                self.text(&rule.map(|rule| rule.to_string()).unwrap_or_default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRANT: &str = r#"{"version":"0.1.0","grant_id":"grt_1","issued_at":"2026-01-01T00:00:00Z",
        "subject":{"id":"owner"},"client":{"client_id":"a"},
        "source":{"kind":"connector","id":"https://x.test/mail"},
        "source_declaration":{"version":"1"},"purpose_code":"p","access_mode":"continuous",
        "streams":[{"name":"s","instance_ids":["cin_1"],"fields":["id","body"],
            "time_constraint":{"field":"at","since":"2026-01-01"}}]}"#;

    fn digest(from: &str, to: &str) -> [u8; 32] {
        let text = GRANT.replace(from, to);
        assert!(from.is_empty() || text != GRANT, "{from} is not in the grant");
        of(&[serde_json::from_str(&text).unwrap()])
    }

    #[test]
    fn what_may_be_seen_changes_the_digest() {
        let base = digest("", "");
        for (from, to) in [
            ("cin_1", "cin_2"),
            (r#""name":"s""#, r#""name":"t""#),
            (r#","body""#, ""),
            (r#""field":"at""#, r#""field":"id""#),
            ("\"since\":\"2026-01-01\"", "\"since\":\"2026-01-02\""),
            ("\"since\":\"2026-01-01\"", "\"until\":\"2026-01-01\""),
            ("\"since\":\"2026-01-01\"", "\"since_rule\":\"-30d\""),
            ("\"since\":\"2026-01-01\"", "\"since\":\"2026-01-01\",\"until_rule\":\"+30d\""),
            (r#""fields""#, r#""resources":["1"],"fields""#),
            (r#""streams""#, r#""leave_out_codes":true,"streams""#),
            (r#""streams""#, r#""leave_out_secrets":true,"streams""#),
        ] {
            assert_ne!(digest(from, to), base, "{from} -> {to}");
        }
    }

    #[test]
    fn who_may_see_it_and_how_it_is_written_changes_nothing() {
        let base = digest("", "");
        for (from, to) in [
            ("grt_1", "grt_2"),
            ("\"client_id\":\"a\"", "\"client_id\":\"b\""),
            ("\"issued_at\":\"2026-01-01", "\"issued_at\":\"2026-02-01"),
            (r#"["id","body"]"#, r#"["body","id"]"#),
            ("\"since\":\"2026-01-01\"", "\"since\":\"2026-01-01T01:00:00+01:00\""),
            ("continuous", "single_use"),
        ] {
            assert_eq!(digest(from, to), base, "{from} -> {to}");
        }
    }
}
