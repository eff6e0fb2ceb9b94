//! A provider's refusal in the words of the contract, whatever form it has.

use http::StatusCode;
use pdpp_contract::error::AvailableConnection;
use pdpp_contract::limits::MAX_AMBIGUOUS_CANDIDATES;
use pdpp_contract::{ApiError, ErrorCode};
use serde_json::Value;

use crate::remote::get::Answer;

/// Longest text of a provider that is passed on.
const MAX_MESSAGE_CHARS: usize = 400;

/// The refusal in an answer that is not a success.
pub(in crate::remote) fn of(answer: &Answer) -> ApiError {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    let error = body.get("error").unwrap_or(&Value::Null);
    let (word, said) = match error {
        // OAuth's form: the code is the error, the words stand beside it.
        Value::String(word) => (Some(word.as_str()), body.get("error_description")),
        other => (other.get("code").and_then(Value::as_str), other.get("message")),
    };
    let code = code(word, answer.status);
    let message = said.and_then(Value::as_str).map(one_line).filter(|text| !text.is_empty());
    let message = message
        .unwrap_or_else(|| format!("the provider refused with status {}", answer.status.as_u16()));
    let mut refusal = ApiError::new(code, message);
    let text = |name: &str| error.get(name).and_then(Value::as_str).map(one_line);
    refusal.param = text("param").or_else(|| about_stream(word).then(|| "stream".to_owned()));
    if let Some(next) = next_step(answer) {
        refusal.message = format!("{}; {next}", refusal.message);
    }
    refusal.retry_with = text("retry_with");
    refusal.available_connections = candidates(error);
    refusal.available_connection_count = error
        .get("available_connection_count")
        .and_then(Value::as_u64)
        .or_else(|| listed(error).and_then(|all| u64::try_from(all.len()).ok()));
    refusal.request_id = text("request_id").or_else(|| answer.request_id.clone());
    refusal
}

/// Whether a code of theirs says that a stream does not exist.
fn about_stream(word: Option<&str>) -> bool {
    matches!(word, Some("stream_not_found" | "stream_not_declared" | "unknown_stream"))
}

/// What helps against a refused token, or when too much was asked.
fn next_step(answer: &Answer) -> Option<String> {
    match answer.status {
        StatusCode::UNAUTHORIZED => {
            Some(format!("sign in again with `pdpp connect {}`", answer.provider))
        }
        StatusCode::TOO_MANY_REQUESTS => match answer.retry_after.as_deref().map(one_line) {
            Some(after) if after.bytes().all(|byte| byte.is_ascii_digit()) && !after.is_empty() => {
                Some(format!("try again in {after} seconds"))
            }
            Some(time) if !time.is_empty() => Some(format!("try again after {time}")),
            _ => Some("try again later".to_owned()),
        },
        _ => None,
    }
}

fn listed(error: &Value) -> Option<&Vec<Value>> {
    error.get("available_connections").and_then(Value::as_array)
}

/// What can be chosen. A provider may name the connection alone; its kind is then unknown.
fn candidates(error: &Value) -> Vec<AvailableConnection> {
    let entries = listed(error).into_iter().flatten();
    let read = entries.filter_map(|entry| {
        let mut entry = entry.clone();
        let members = entry.as_object_mut()?;
        members.entry("connector_key").or_insert_with(|| Value::from("unknown"));
        serde_json::from_value(entry).ok()
    });
    read.take(MAX_AMBIGUOUS_CANDIDATES).collect()
}

/// A code of ours as it stands; another one by its nearest relative; none by the status.
fn code(word: Option<&str>, status: StatusCode) -> ErrorCode {
    let known = word.and_then(|word| ErrorCode::ALL.iter().find(|code| code.as_str() == word));
    if let Some(code) = known {
        return *code;
    }
    match (word.unwrap_or_default(), status.as_u16()) {
        ("invalid_token" | "unauthorized", _) | (_, 401) => ErrorCode::AuthenticationError,
        ("grant_consumed" | "package_revoked", _) => ErrorCode::GrantRevoked,
        (_, 400 | 422) => ErrorCode::InvalidRequest,
        (_, 403) => ErrorCode::PermissionError,
        (_, 404) => ErrorCode::NotFound,
        (_, 405) => ErrorCode::MethodNotAllowed,
        (_, 409) => ErrorCode::Conflict,
        (_, 410) => ErrorCode::CursorExpired,
        (_, 413 | 414 | 431) => ErrorCode::PayloadTooLarge,
        (_, 421) => ErrorCode::MisdirectedRequest,
        (_, 429) => ErrorCode::RateLimitExceeded,
        (_, 501) => ErrorCode::Unsupported,
        (_, 504) => ErrorCode::DeadlineExceeded,
        // A redirect is not followed: the token is for one provider.
        (_, 300..=399 | 502 | 503) => ErrorCode::Unavailable,
        _ => ErrorCode::ApiFault,
    }
}

/// Whether the refusal is about a parameter that the provider does not know.
pub(in crate::remote) fn knows_not(refusal: &ApiError, param: &str) -> bool {
    let unknown = matches!(refusal.code, ErrorCode::InvalidRequest | ErrorCode::InvalidArgument);
    unknown && refusal.param.as_deref().is_none_or(|named| named == param)
}

/// A provider's words on one line, without what could move a cursor or hide text.
pub(in crate::remote) fn one_line(text: &str) -> String {
    crate::render::one_line::one_line(text, MAX_MESSAGE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, body: &str) -> ApiError {
        of(&Answer {
            status: StatusCode::from_u16(status).unwrap(),
            body: body.to_owned().into(),
            request_id: Some("req_head".to_owned()),
            etag: None,
            content_type: None,
            content_range: None,
            retry_after: None,
            provider: "https://data.example".to_owned(),
        })
    }

    #[test]
    fn a_code_of_the_contract_arrives_as_it_is() {
        let error = refusal(
            409,
            r#"{"error":{"type":"api_error","code":"ambiguous_connection","message":"pick one",
                "retry_with":"connection_id","request_id":"req_1",
                "available_connections":[{"connection_id":"cin_1"},{"connection_id":"cin_2",
                "connector_key":"gmail","display_name":"Work"}]}}"#,
        );
        assert_eq!(error.code, ErrorCode::AmbiguousConnection);
        assert_eq!(error.retry_with.as_deref(), Some("connection_id"));
        assert_eq!(error.available_connections.len(), 2);
        assert_eq!(error.available_connection_count, Some(2));
        assert_eq!(error.request_id.as_deref(), Some("req_1"));
    }

    #[test]
    fn every_other_form_finds_its_nearest_code() {
        for (status, body, code) in [
            (
                401,
                r#"{"error":"invalid_token","error_description":"gone"}"#,
                "authentication_error",
            ),
            (403, r#"{"error":{"code":"grant_consumed","message":"used"}}"#, "grant_revoked"),
            (404, r#"{"error":{"code":"stream_not_declared","message":"x"}}"#, "not_found"),
            (404, "<html>nothing here</html>", "not_found"),
            (502, "bad gateway", "unavailable"),
            (302, "", "unavailable"),
            (500, "{}", "api_error"),
            (429, "[]", "rate_limit_exceeded"),
        ] {
            let error = refusal(status, body);
            assert_eq!(error.code.as_str(), code, "{status} {body}");
            assert!(!error.message.contains('<'), "no markup of a stranger: {}", error.message);
            assert_eq!(error.request_id.as_deref(), Some("req_head"));
        }
    }

    #[test]
    fn a_stranger_s_words_stay_on_one_short_line() {
        let long = format!(
            r#"{{"error":{{"code":"x","message":"a\nb\u001b[1m\u202e{}"}}}}"#,
            "z".repeat(999)
        );
        let error = refusal(400, &long);
        assert!(error.message.starts_with("a b [1mz"), "{}", error.message);
        assert_eq!(error.message.chars().count(), MAX_MESSAGE_CHARS);
    }
}
