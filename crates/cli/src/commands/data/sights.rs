//! Which agents can see a record, in words and as documents.

use pdpp_contract::FieldName;
use pdpp_engine::owned::{HiddenBecause, RecordSight, SightVerdict};
use serde_json::{Value, json};

use crate::output::plain;

/// What a package shows of a record, for scripts.
pub fn document(sight: &RecordSight) -> Value {
    let verdict = match &sight.verdict {
        SightVerdict::Visible { fields, hidden } => {
            json!({"visible": true, "fields": fields, "hidden_fields": hidden})
        }
        SightVerdict::Hidden(reasons) => {
            let reasons: Vec<&str> = reasons.iter().map(code).collect();
            json!({"visible": false, "reasons": reasons})
        }
    };
    let mut document = json!({"client": sight.client, "package_id": sight.package_id});
    if let (Some(members), Value::Object(more)) = (document.as_object_mut(), verdict) {
        members.extend(more);
    }
    document
}

fn code(reason: &HiddenBecause) -> &'static str {
    match reason {
        HiddenBecause::Account => "account_not_granted",
        HiddenBecause::Stream => "stream_not_granted",
        HiddenBecause::Time(_) => "outside_time_limit",
        HiddenBecause::OtherRecords => "other_records_granted",
        HiddenBecause::Code => "code_left_out",
        HiddenBecause::Secret => "secret_left_out",
    }
}

/// The same for people, on one line.
pub fn words(sight: &RecordSight) -> String {
    let client = plain(sight.client.as_str());
    match &sight.verdict {
        SightVerdict::Visible { hidden, .. } if hidden.is_empty() => {
            format!("{client} can see it, with all its fields")
        }
        SightVerdict::Visible { fields, hidden } => {
            let (fields, hidden) = (listed(fields), listed(hidden));
            format!("{client} can see it: {fields} (not {hidden})")
        }
        SightVerdict::Hidden(reasons) => {
            let reasons: Vec<String> = reasons.iter().map(reason).collect();
            format!("{client} cannot see it: {}", reasons.join(", and "))
        }
    }
}

fn listed(fields: &[FieldName]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| plain(field.as_str())).collect();
    fields.join(", ")
}

fn reason(reason: &HiddenBecause) -> String {
    match reason {
        HiddenBecause::Account => "its access does not include this account".to_owned(),
        HiddenBecause::Stream => "its access does not include this kind of data".to_owned(),
        HiddenBecause::Time(bounds) => {
            let since = bounds.since.map(|at| format!(" from {at}")).unwrap_or_default();
            let until = bounds.until.map(|at| format!(" until {at}")).unwrap_or_default();
            format!("its access covers {}{since}{until}", plain(bounds.field.as_str()))
        }
        HiddenBecause::OtherRecords => "its access names other records".to_owned(),
        HiddenBecause::Code => {
            "it has to do with a one-time code, a password reset or a sign-in link".to_owned()
        }
        HiddenBecause::Secret => "it has to do with a key, token or password".to_owned(),
    }
}
