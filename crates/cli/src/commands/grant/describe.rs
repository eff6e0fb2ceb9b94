//! Grants in words and as documents, alike in every answer.

use pdpp_auth::{GrantSummary, PackageSummary, Standing};
use pdpp_contract::rolling::RollingDay;
use pdpp_contract::{AccessMode, Grant, StreamGrant};
use pdpp_store::connections::{Connection, ConnectionRef};
use serde_json::{Value, json};

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::{plain, without_nulls};

/// What a grant leaves out.
#[derive(Debug, Clone, Copy, Default)]
pub struct LeftOut {
    codes: bool,
    secrets: bool,
}

impl LeftOut {
    /// What a grant leaves out.
    pub fn of(grant: &Grant) -> Self {
        Self { codes: grant.leave_out_codes, secrets: grant.leave_out_secrets }
    }

    /// What is said of it, and of what it shows.
    pub fn words(self) -> [&'static str; 2] {
        [
            if self.codes {
                "without one-time codes, password resets and sign-in links"
            } else {
                "with one-time codes, password resets and sign-in links"
            },
            if self.secrets {
                "without keys, tokens and passwords"
            } else {
                "with keys, tokens and passwords"
            },
        ]
    }

    /// The same for a new grant, with the way back.
    pub fn of_a_new_grant(self) -> [String; 2] {
        let [codes, secrets] = self.words();
        let back = |left_out: bool, words: &str, what: &str| {
            let option = if left_out {
                format!(" (include them with --show {what})")
            } else {
                String::new()
            };
            format!("{words}{option}")
        };
        [back(self.codes, codes, "codes"), back(self.secrets, secrets, "secrets")]
    }
}

/// The connection a fresh grant opens. It holds exactly one.
pub async fn connection_of(grant: &Grant, app: &CliApp) -> Result<Connection, Failure> {
    let ids = grant.streams.iter().flat_map(|stream| &stream.connection_ids);
    match ids.min() {
        Some(id) => app.connection(&ConnectionRef::Id(id.clone())).await,
        None => Err(Failure::new(Exit::Other, "grant_invalid", "the grant names no account")),
    }
}

/// What every grant of a package leaves out, in words for a list.
pub fn left_out(package: &PackageSummary) -> String {
    let grants: Vec<&Grant> =
        package.grants.iter().filter_map(|summary| summary.grant.as_ref()).collect();
    let all = |test: fn(&Grant) -> bool| grants.iter().all(|grant| test(grant));
    match (all(|grant| grant.leave_out_codes), all(|grant| grant.leave_out_secrets)) {
        _ if grants.is_empty() => String::new(),
        (true, true) => "codes, secrets".to_owned(),
        (true, false) => "codes".to_owned(),
        (false, true) => "secrets".to_owned(),
        (false, false) => "nothing".to_owned(),
    }
}

/// One stream of a grant for scripts.
pub fn stream_document(stream: &StreamGrant) -> Value {
    without_nulls(json!({
        "name": stream.name,
        "fields": stream.fields,
        "time_constraint": stream.time_constraint,
        "resources": stream.resources,
    }))
}

/// One stream of a grant for people, in the words of `--allow`.
pub fn stream_words(stream: &StreamGrant) -> String {
    let fields: Vec<&str> = stream.fields.iter().map(AsRef::as_ref).collect();
    let words = format!("{}:{}", stream.name, fields.join(","));
    let Some(time) = &stream.time_constraint else {
        return words;
    };
    let since = time.since.clone().or(time.since_rule.map(RollingDay::as_since));
    let until = time.until.clone().or(time.until_rule.map(|rule| rule.to_string()));
    format!("{words}@{}..{}", since.unwrap_or_default(), until.unwrap_or_default())
}

/// A time limit that moves with the days, in words; `None` for one that does not.
pub fn rolling_words(stream: &StreamGrant) -> Option<String> {
    let time = stream.time_constraint.as_ref().filter(|time| time.rolls())?;
    let bound = |word: &str, at: &Option<String>, rule: Option<RollingDay>| {
        let at = at.clone().or(rule.map(RollingDay::words))?;
        Some(format!(" {word} {at}"))
    };
    let since = bound("from", &time.since, time.since_rule).unwrap_or_default();
    let until = bound("until before", &time.until, time.until_rule).unwrap_or_default();
    let (name, field) = (plain(stream.name.as_str()), plain(time.field.as_str()));
    Some(format!("{name}: {field}{since}{until}; this moves every day at 00:00 UTC"))
}

/// A package for scripts.
pub fn package_document(package: &PackageSummary) -> Value {
    let grants: Vec<Value> = package.grants.iter().map(grant_document).collect();
    let time = |at: Option<jiff::Timestamp>| at.map(|at| at.to_string());
    without_nulls(json!({
        "package_id": package.package_id,
        "client": package.client,
        "standing": standing(package.standing),
        "access_mode": package.access_mode,
        "created_at": package.created_at.to_string(),
        "expires_at": time(package.expires_at),
        "revoked_at": time(package.revoked_at),
        "last_used_at": time(package.last_used_at),
        "grants": grants,
    }))
}

fn grant_document(summary: &GrantSummary) -> Value {
    let grant = summary.grant.as_ref();
    let streams = grant.map(|grant| grant.streams.iter().map(stream_document).collect::<Vec<_>>());
    without_nulls(json!({
        "grant_id": summary.grant_id,
        "connection_id": summary.connection_id,
        "standing": standing(summary.standing),
        "revoked_at": summary.revoked_at.map(|at| at.to_string()),
        "leave_out_codes": grant.map(|grant| grant.leave_out_codes),
        "leave_out_secrets": grant.map(|grant| grant.leave_out_secrets),
        "streams": streams,
    }))
}

/// The same word for people.
pub fn status(standing: Standing) -> &'static str {
    match standing {
        Standing::Live => "active",
        Standing::Expired => "expired",
        Standing::Revoked => "revoked",
    }
}

/// Whether something still opens anything, in one word for scripts.
pub fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Live => "live",
        Standing::Expired => "expired",
        Standing::Revoked => "revoked",
    }
}

/// How often a package may be used, in words.
pub fn access_words(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Continuous => "continuous",
        AccessMode::SingleUse => "single use",
    }
}
