//! Which agents can see a record, and why the others cannot.

use pdpp_auth::OwnerAccess;
use pdpp_contract::FieldName;
use pdpp_contract::handles::RecordRef;
use pdpp_engine::owned::{HiddenBecause, RecordSight, SightVerdict};

use super::address::RecordAddress;
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::plain;
use crate::pages::times::Times;

/// One agent that has access to something.
pub struct SightRow {
    pub agent: String,
    pub package_id: String,
    pub is_visible: bool,
    /// The fields that it sees, or why it sees nothing.
    pub words: String,
}

/// Every agent with access now, those that can see the record first.
pub async fn sights(
    app: &App,
    owner: &OwnerAccess,
    wanted: &RecordAddress,
    times: &Times,
) -> Result<Vec<SightRow>, PageFault> {
    let packages = app.services.auth.live_packages(owner).await?;
    let record = RecordRef {
        connection_id: wanted.account.clone(),
        stream: wanted.stream.clone(),
        record_id: wanted.id.clone(),
        number: None,
    };
    let sights = app.services.engine.record_sights(owner, &record, &packages).await?;
    let mut rows = Vec::with_capacity(sights.len());
    for sight in &sights {
        let known = app.services.auth.oauth_client(&sight.client).await?;
        let name = known.map_or_else(|| sight.client.to_string(), |client| client.name);
        rows.push(row(sight, plain::line(&name, 80), times));
    }
    rows.sort_by_key(|row| !row.is_visible);
    Ok(rows)
}

fn row(sight: &RecordSight, agent: String, times: &Times) -> SightRow {
    let (is_visible, words) = match &sight.verdict {
        SightVerdict::Visible { hidden, .. } if hidden.is_empty() => {
            (true, "can see it, with all its fields".to_owned())
        }
        SightVerdict::Visible { hidden, .. } => {
            (true, format!("can see it, without {}", listed(hidden)))
        }
        SightVerdict::Hidden(reasons) => {
            let reasons: Vec<String> = reasons.iter().map(|one| reason(one, times)).collect();
            (false, format!("cannot see it: {}", plain::listed(&reasons)))
        }
    };
    SightRow { agent, package_id: sight.package_id.to_string(), is_visible, words }
}

fn listed(fields: &[FieldName]) -> String {
    let names: Vec<String> = fields.iter().map(|field| plain::words(field.as_str())).collect();
    plain::listed(&names)
}

fn reason(reason: &HiddenBecause, times: &Times) -> String {
    let words = match reason {
        HiddenBecause::Account => "its access does not include this account",
        HiddenBecause::Stream => "its access does not include this kind of data",
        HiddenBecause::OtherRecords => "its access names other records",
        HiddenBecause::Code => "codes and sign-in links are left out",
        HiddenBecause::Secret => "keys, tokens and passwords are left out",
        HiddenBecause::Time(bounds) => {
            let day = |at: pdpp_contract::Instant| times.day(at.timestamp()).text;
            let since = bounds.since.map(|at| format!(" from {} on", day(at)));
            let until = bounds.until.map(|at| format!(" before {}", day(at)));
            let (since, until) = (since.unwrap_or_default(), until.unwrap_or_default());
            return format!("its access covers what is{since}{until}");
        }
    };
    words.to_owned()
}
