//! What the owner has chosen so far, as it is kept with the request.

use pdpp_contract::{AccessMode, ConnectionId, FieldName, PackageId, StreamName};
use pdpp_store::connections::ConnectionRef;
use serde::{Deserialize, Serialize};

use crate::allow::{AllowSpec, RangeEnd, StreamAllow, TimeRange};
use crate::lifetime::Lifetime;
use crate::packages::PackageRequest;
use pdpp_contract::ClientName;

/// A choice that can still change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentDraft {
    /// What is chosen, stream by stream.
    pub entries: Vec<DraftEntry>,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// How long it lives; absent means 90 days, or one hour for a single use.
    pub expires_in: Option<Lifetime>,
    /// Leave out one-time codes, password resets and sign-in links.
    pub leave_out_codes: bool,
    /// Leave out keys, tokens and passwords.
    pub leave_out_secrets: bool,
    /// What is read may train models, if that was asked for.
    pub agrees_to_training: bool,
    /// An earlier package of the same client that ends when this one begins.
    pub replaces: Option<PackageId>,
}

/// One stream of one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftEntry {
    /// The connection.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// Some fields; absent means all that the stream declares now.
    pub fields: Option<Vec<FieldName>>,
    /// The span of time; absent means all of it.
    pub time: Option<TimeRange>,
}

#[derive(Serialize, Deserialize)]
struct KeptDraft {
    entries: Vec<KeptEntry>,
    access_mode: AccessMode,
    expires_in: Option<String>,
    leave_out_codes: bool,
    /// Drafts of an earlier version do not say; left out is what a page begins with.
    #[serde(default = "left_out")]
    leave_out_secrets: bool,
    #[serde(default)]
    agrees_to_training: bool,
    replaces: Option<PackageId>,
}

fn left_out() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
struct KeptEntry {
    connection_id: ConnectionId,
    stream: StreamName,
    fields: Option<Vec<FieldName>>,
    since: Option<String>,
    until: Option<String>,
}

impl ConsentDraft {
    /// As the store keeps it.
    pub(super) fn kept(&self) -> Option<String> {
        let entry = |entry: &DraftEntry| KeptEntry {
            connection_id: entry.connection_id.clone(),
            stream: entry.stream.clone(),
            fields: entry.fields.clone(),
            since: entry.time.and_then(|time| time.since()).map(|at| at.to_string()),
            until: entry.time.and_then(|time| time.until()).map(|at| at.to_string()),
        };
        let kept = KeptDraft {
            entries: self.entries.iter().map(entry).collect(),
            access_mode: self.access_mode,
            expires_in: self.expires_in.map(|lifetime| lifetime.to_string()),
            leave_out_codes: self.leave_out_codes,
            leave_out_secrets: self.leave_out_secrets,
            agrees_to_training: self.agrees_to_training,
            replaces: self.replaces.clone(),
        };
        serde_json::to_string(&kept).ok()
    }

    /// Read back; `None` for what this version did not write.
    pub(super) fn read(json: &str) -> Option<Self> {
        let kept: KeptDraft = serde_json::from_str(json).ok()?;
        let instant = |text: Option<String>| match text {
            None => Some(None),
            Some(text) => RangeEnd::parse(&text).map(Some),
        };
        let mut entries = Vec::new();
        for entry in kept.entries {
            let (since, until) = (instant(entry.since)?, instant(entry.until)?);
            let time = TimeRange::between(since, until);
            let (connection_id, stream) = (entry.connection_id, entry.stream);
            entries.push(DraftEntry { connection_id, stream, fields: entry.fields, time });
        }
        let expires_in = match kept.expires_in {
            None => None,
            Some(text) => Some(text.parse().ok()?),
        };
        Some(Self {
            entries,
            access_mode: kept.access_mode,
            expires_in,
            leave_out_codes: kept.leave_out_codes,
            leave_out_secrets: kept.leave_out_secrets,
            agrees_to_training: kept.agrees_to_training,
            replaces: kept.replaces,
        })
    }

    /// The package that this choice asks for.
    pub fn package(&self, client: ClientName) -> PackageRequest {
        let spec = |entry: &DraftEntry| AllowSpec {
            connection: ConnectionRef::Id(entry.connection_id.clone()),
            stream: Some(StreamAllow { name: entry.stream.clone(), fields: entry.fields.clone() }),
            time: entry.time,
        };
        PackageRequest {
            client,
            allow: self.entries.iter().map(spec).collect(),
            expires_in: self.expires_in,
            access_mode: self.access_mode,
            leave_out_codes: self.leave_out_codes,
            leave_out_secrets: self.leave_out_secrets,
        }
    }
}

#[cfg(test)]
mod tests {
    use pdpp_contract::Instant;

    use super::*;

    #[test]
    fn a_draft_comes_back_as_it_was_kept() {
        let time = TimeRange::new(Instant::parse("2026-01-01"), None);
        let draft = ConsentDraft {
            entries: vec![DraftEntry {
                connection_id: "cin_1".parse().unwrap(),
                stream: "notes".parse().unwrap(),
                fields: Some(vec!["a,b".parse().unwrap()]),
                time,
            }],
            access_mode: AccessMode::SingleUse,
            expires_in: Some("15m".parse().unwrap()),
            leave_out_codes: true,
            leave_out_secrets: false,
            agrees_to_training: true,
            replaces: Some("pkg_1".parse().unwrap()),
        };
        assert_eq!(ConsentDraft::read(&draft.kept().unwrap()), Some(draft));
        assert_eq!(ConsentDraft::read("{}"), None);
    }
}
