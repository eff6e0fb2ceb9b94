//! Grants in words and as documents, alike in every answer.

use pdpp_auth::{GrantSummary, PackageSummary, Standing};
use pdpp_contract::{AccessMode, Grant, StreamGrant};
use pdpp_store::connections::{Connection, ConnectionRef};
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Exit, Failure};
use crate::output::without_nulls;

/// What is said of a new grant that leaves out no codes.
pub const NOT_LEFT_OUT: &str =
    "one-time codes, password resets and sign-in links too; --leave-out codes leaves them out";
/// What a grant that leaves out codes says about it.
pub const LEFT_OUT: &str = "without one-time codes, password resets and sign-in links";

/// The connection a fresh grant opens. It holds exactly one.
pub async fn connection_of(grant: &Grant, app: &App) -> Result<Connection, Failure> {
    let ids = grant.streams.iter().flat_map(|stream| &stream.instance_ids);
    match ids.min() {
        Some(id) => app.connection(&ConnectionRef::Id(id.clone())).await,
        None => Err(Failure::new(Exit::Other, "grant_invalid", "the grant names no connection")),
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
    let bound = |bound: &Option<String>| bound.clone().unwrap_or_default();
    format!("{words}@{}..{}", bound(&time.since), bound(&time.until))
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
        "streams": streams,
    }))
}

/// Whether something still opens anything, in one word.
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
