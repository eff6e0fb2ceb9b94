//! Grants: what one agent may read of one connection. Closed: nothing is implied, nothing is "all".

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::declaration::DeclaredSource;
use crate::ids::{ConnectionId, FieldName, GrantId, StreamName};
use crate::instant::Instant;
use crate::key::RecordId;
use crate::rolling::RollingDay;

/// The grant format this version writes and reads.
pub const GRANT_VERSION: &str = "0.1.0";

/// One resolved grant. Later declarations never widen it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The format, [`GRANT_VERSION`].
    pub version: String,
    /// This grant's id.
    pub grant_id: GrantId,
    /// When it was issued, RFC 3339.
    pub issued_at: String,
    /// Whose data it opens.
    pub subject: Subject,
    /// Who may read.
    pub client: GrantClient,
    /// The source it was resolved against.
    pub source: DeclaredSource,
    /// The declaration it was resolved against.
    pub source_declaration: DeclarationVersion,
    /// What the agent said it is for.
    pub purpose_code: String,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it ends; absent means when the owner ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Leave out one-time codes, password resets and sign-in links.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave_out_codes: bool,
    /// Leave out keys, tokens and passwords.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave_out_secrets: bool,
    /// What it opens, stream by stream.
    pub streams: Vec<StreamGrant>,
}

/// The person whose data a grant opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The subject's id at this server.
    pub id: String,
}

/// The agent a grant is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantClient {
    /// The agent's id or name.
    pub client_id: String,
}

/// Which declaration a grant was resolved against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclarationVersion {
    /// The declaration's opaque version.
    pub version: String,
}

/// How often a grant may be used to obtain a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessMode {
    /// One token, no renewal.
    SingleUse,
    /// Until it expires or is revoked.
    Continuous,
}

/// One stream of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamGrant {
    /// The stream.
    pub name: StreamName,
    /// The connections it may be read from; ours holds exactly one.
    #[serde(rename = "instance_ids")]
    pub connection_ids: Vec<ConnectionId>,
    /// The top-level fields it shows; the key fields are always among them.
    pub fields: Vec<FieldName>,
    /// The time window, on a frozen field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_constraint: Option<TimeConstraint>,
    /// The only records it shows, when it is limited to some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<RecordId>>,
}

/// A time window on one field: `since` inclusive, `until` exclusive, at least one of them.
///
/// Each bound is frozen (`since`, `until`) or a rule (`since_rule`, `until_rule`) that is resolved to
/// 00:00 UTC of a day at each call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeConstraint {
    /// The field that is compared.
    pub field: FieldName,
    /// The first instant inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The first instant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The first day inside, counted from today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_rule: Option<RollingDay>,
    /// The first day outside, counted from today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_rule: Option<RollingDay>,
}

/// Why a stored grant cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the grant {0}")]
pub struct GrantFault(pub &'static str);

impl TimeConstraint {
    /// Whether a bound moves with the days.
    pub fn rolls(&self) -> bool {
        self.since_rule.is_some() || self.until_rule.is_some()
    }

    /// The two bounds as instants on a day. Rules that leave no time between them leave none.
    pub fn bounds(&self, today: Date) -> Result<(Option<Instant>, Option<Instant>), GrantFault> {
        let read = |text: &Option<String>, rule: Option<RollingDay>| match (text, rule) {
            (None, None) => Ok(None),
            (None, Some(rule)) => {
                rule.instant(today).map(Some).ok_or(GrantFault("has a time bound beyond all time"))
            }
            (Some(text), None) => Instant::parse(text)
                .map(Some)
                .ok_or(GrantFault("has a time bound that is not an RFC 3339 time")),
            (Some(_), Some(_)) => Err(GrantFault("has a time bound that is frozen and rolls")),
        };
        let since = read(&self.since, self.since_rule)?;
        let until = read(&self.until, self.until_rule)?;
        match (since, until) {
            (None, None) => Err(GrantFault("has a time constraint without a bound")),
            (Some(since), Some(until)) if since > until && self.rolls() => {
                Ok((Some(since), Some(since)))
            }
            (Some(since), Some(until)) if since > until => {
                Err(GrantFault("has a time constraint that ends before it begins"))
            }
            bounds => Ok(bounds),
        }
    }
}

impl Grant {
    /// Whether a time limit moves with the days.
    pub fn rolls(&self) -> bool {
        let limits = self.streams.iter().filter_map(|stream| stream.time_constraint.as_ref());
        limits.into_iter().any(TimeConstraint::rolls)
    }

    /// Checks what the types cannot: version, closedness, bounds.
    pub fn check(&self) -> Result<(), GrantFault> {
        if self.version != GRANT_VERSION {
            return Err(GrantFault("has a version this server does not read"));
        }
        if self.streams.is_empty() {
            return Err(GrantFault("names no stream"));
        }
        for (index, stream) in self.streams.iter().enumerate() {
            if self.streams.iter().take(index).any(|other| other.name == stream.name) {
                return Err(GrantFault("names a stream twice"));
            }
            if stream.connection_ids.is_empty() || stream.fields.is_empty() {
                return Err(GrantFault("leaves a stream's connections or fields open"));
            }
            if stream.resources.as_ref().is_some_and(Vec::is_empty) {
                return Err(GrantFault("is limited to an empty list of records"));
            }
            if let Some(constraint) = &stream.time_constraint {
                constraint.bounds(Date::constant(2026, 1, 1))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(since: Option<&str>, until: Option<&str>) -> Result<(), GrantFault> {
        let constraint = TimeConstraint {
            field: FieldName::new("sent_at").unwrap(),
            since: since.map(str::to_owned),
            until: until.map(str::to_owned),
            since_rule: None,
            until_rule: None,
        };
        constraint.bounds(Date::constant(2026, 1, 1)).map(|_| ())
    }

    #[test]
    fn a_time_window_needs_a_readable_bound_and_a_direction() {
        assert!(bounds(Some("2026-01-01"), None).is_ok());
        assert!(bounds(None, None).is_err());
        assert!(bounds(Some("soon"), None).is_err());
        assert!(bounds(Some("2026-02-01"), Some("2026-01-01")).is_err());
    }

    #[test]
    fn a_rolling_window_moves_with_the_days_and_never_turns_around() {
        let wire = r#"{"field":"sent_at","since_rule":"-30d","until":"2026-02-01"}"#;
        let constraint: TimeConstraint = serde_json::from_str(wire).unwrap();
        let on = |day: &str| constraint.bounds(day.parse().unwrap()).unwrap();
        let at = |day: &str| Instant::parse(day);
        assert_eq!(on("2026-01-31"), (at("2026-01-01"), at("2026-02-01")));
        assert_eq!(on("2026-04-01"), (at("2026-03-02"), at("2026-03-02")), "nothing is left");
        assert_eq!(
            serde_json::to_string(&constraint).unwrap(),
            wire.replace(
                r#""since_rule":"-30d","until":"2026-02-01""#,
                r#""until":"2026-02-01","since_rule":"-30d""#
            )
        );
        let both = r#"{"field":"sent_at","since_rule":"-30d","since":"2026-02-01"}"#;
        let both: TimeConstraint = serde_json::from_str(both).unwrap();
        assert!(both.bounds(Date::constant(2026, 1, 1)).is_err());
    }

    #[test]
    fn unknown_members_are_refused() {
        let wire = r#"{"field":"sent_at","since":"2026-01-01","zone":"UTC"}"#;
        assert!(serde_json::from_str::<TimeConstraint>(wire).is_err());
    }
}
