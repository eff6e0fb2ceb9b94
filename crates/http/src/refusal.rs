//! Refusals on the wire: `{error:{type,code,message,param?,request_id,…}}`, status by code.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_contract::error::SchemaLookup;
use pdpp_contract::{ApiError, ErrorCode};
use serde_json::{Map, Value};

/// A refusal on its way out of a handler.
#[derive(Debug, Clone)]
pub struct RefusalResponse(pub ApiError);

impl From<ApiError> for RefusalResponse {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

/// The body is written later, by [`render`]: a handler does not know the request's id.
impl IntoResponse for RefusalResponse {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status(self.0.code);
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the body of a refused response; `None` when nothing was refused.
pub fn render(response: &mut Response, request_id: &str, origin: &str) -> Option<ErrorCode> {
    let RefusalResponse(error) = response.extensions_mut().remove::<RefusalResponse>()?;
    *response.body_mut() = Body::from(envelope(&error, request_id));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if error.code.status() == 401 {
        let metadata = format!("{origin}/.well-known/oauth-protected-resource/v1");
        let challenge = format!("Bearer realm=\"pdpp\", resource_metadata=\"{metadata}\"");
        headers.extend(HeaderValue::try_from(challenge).map(|it| (header::WWW_AUTHENTICATE, it)));
    }
    Some(error.code)
}

/// A fault of ours, without a word about its cause: that belongs to the log.
pub fn fault() -> ApiError {
    ApiError::new(ErrorCode::ApiFault, "the server failed to answer; try again later")
}

fn status(code: ErrorCode) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// `type` first and `request_id` last of the fixed members, whatever else the refusal carries.
fn envelope(error: &ApiError, request_id: &str) -> String {
    let mut members = Map::new();
    members.insert("type".to_owned(), Value::from(error.code.error_type()));
    if let Ok(Value::Object(rest)) = serde_json::to_value(error) {
        members.extend(rest);
    }
    if let Some(step) = error.next {
        let message = format!("{}; {}", error.message, advice(step));
        members.insert("message".to_owned(), Value::from(message));
    }
    members.insert("request_id".to_owned(), Value::from(request_id));
    Value::Object(Map::from_iter([("error".to_owned(), Value::Object(members))])).to_string()
}

/// What helps, in the words of this interface.
fn advice(step: SchemaLookup) -> &'static str {
    match step {
        SchemaLookup::Connections => "see /v1/schema for those that are",
        SchemaLookup::Streams => "see /v1/schema for the streams in view",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_and_an_envelope() {
        for code in ErrorCode::ALL {
            let mut response = RefusalResponse(ApiError::new(*code, "no")).into_response();
            assert_eq!(response.status().as_u16(), code.status());
            assert_eq!(render(&mut response, "req_1", "http://a"), Some(*code));
            let challenged = response.headers().contains_key(header::WWW_AUTHENTICATE);
            assert_eq!(challenged, code.status() == 401);
        }
    }

    #[test]
    fn the_envelope_names_what_the_caller_needs() {
        let error = ApiError::new(ErrorCode::InvalidSort, "no such order").param("sort");
        assert_eq!(
            envelope(&error, "req_1"),
            r#"{"error":{"type":"invalid_request_error","code":"invalid_sort","message":"no such order","param":"sort","request_id":"req_1"}}"#
        );
    }
}
