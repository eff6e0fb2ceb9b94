//! The adapter over HTTP: stateless, one JSON answer per request, no sessions in either era.
//!
//! Who may call, from where and how often is settled before a request comes here.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use super::desk::Desk;
use super::handler::{AtDesk, Handler};
use super::strict::{self, Unreadable};

/// Both forms of answer: the transport insists that a client names them, and we send the first.
const BOTH_FORMS: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// The adapter as a service. Cheap to clone.
#[derive(Clone)]
pub struct HttpService(StreamableHttpService<Handler, NeverSessionManager>);

impl HttpService {
    /// A service under this name.
    pub fn new(server_name: &str) -> Self {
        // Host and Origin are checked by the server in front, for all of its routes alike.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let handler = Handler::new(None, server_name);
        let sessions = Arc::new(NeverSessionManager::default());
        Self(StreamableHttpService::new(move || Ok(handler.clone()), sessions, config))
    }

    /// Answers one request, whose caller the desk knows.
    pub async fn answer(
        &self,
        desk: Arc<dyn Desk>,
        request: Request<Bytes>,
    ) -> Response<BoxBody<Bytes, Infallible>> {
        let (mut parts, body) = request.into_parts();
        if let Some(fault) = fault_in(&body) {
            return fault;
        }
        // From here on nothing needs the token, so nothing can let it slip.
        parts.headers.remove(AUTHORIZATION);
        let accepts = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        if accepts.is_none_or(|forms| forms.contains("*/*")) {
            parts.headers.insert(ACCEPT, BOTH_FORMS);
        }
        parts.extensions.insert(AtDesk(desk));
        self.0.handle(Request::from_parts(parts, Full::new(body))).await
    }
}

/// What is no message at all is answered in the protocol's own words.
fn fault_in(body: &Bytes) -> Option<Response<BoxBody<Bytes, Infallible>>> {
    let (code, message) = match strict::read(body) {
        // Also numbers that no reader can hold, and halves of characters.
        Err(Unreadable::NotJson) => (-32_700, "the body is not JSON that can be read"),
        Err(Unreadable::RepeatedMember) => (-32_600, strict::REPEATED_MEMBER),
        Ok(Value::Array(_)) => {
            (-32_600, "batches are not part of the protocol; send one message per request")
        }
        Ok(_) if serde_json::from_slice::<ClientJsonRpcMessage>(body).is_err() => {
            (-32_600, "the body is not a message")
        }
        Ok(_) => return None,
    };
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    let mut response = Response::new(Full::new(Bytes::from(error.to_string())).boxed());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(body: &str) -> Option<(u16, i64)> {
        let response = fault_in(&Bytes::from(body.to_owned()))?;
        let status = response.status().as_u16();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        Some((status, body["error"]["code"].as_i64().unwrap()))
    }

    #[test]
    fn what_cannot_be_read_is_answered_in_the_protocol_s_words() {
        let call = |value: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"search","arguments":{{"query":{value}}}}}}}"#
            )
        };
        for bad in [r#""a\ud800b""#, "1e400", &"9".repeat(400), "nonsense"] {
            assert_eq!(fault(&call(bad)), Some((400, -32_700)), "{bad}");
        }
        for bad in ["[]", "5", "{}", r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#] {
            assert_eq!(fault(bad), Some((400, -32_600)), "{bad}");
        }
        assert_eq!(fault(&call(r#""boiler""#)), None);
        assert_eq!(fault(&call(r#""boiler","query":"tiles""#)), Some((400, -32_600)), "twice");
    }
}
