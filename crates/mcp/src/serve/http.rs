//! MCP over HTTP: stateless, one JSON answer per request, no sessions in either era.
//!
//! Who may call, from where and how often is settled before a request comes here.

use std::convert::Infallible;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use super::handler::Handler;
use super::strict::{self, Shape, Unreadable};
use crate::call_context::CallContext;

/// Both forms of answer: the transport insists that a client names them, and we send the first.
const BOTH_FORMS: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Answers agents over HTTP, once they have been let in.
#[async_trait]
pub trait McpService: Send + Sync {
    /// Answers one request with what its caller may use.
    async fn answer(
        &self,
        context: CallContext,
        request: Request<Bytes>,
    ) -> Response<BoxBody<Bytes, Infallible>>;
}

/// The protocol over HTTP. Cheap to clone.
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
}

#[async_trait]
impl McpService for HttpService {
    async fn answer(
        &self,
        context: CallContext,
        request: Request<Bytes>,
    ) -> Response<BoxBody<Bytes, Infallible>> {
        let (mut parts, body) = request.into_parts();
        if let Some(fault) = unreadable(&body) {
            return fault;
        }
        // From here on nothing needs the token, so nothing can let it slip.
        parts.headers.remove(AUTHORIZATION);
        let accepts = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        if accepts.is_none_or(|forms| forms.contains("*/*")) {
            parts.headers.insert(ACCEPT, BOTH_FORMS);
        }
        parts.extensions.insert(context);
        let answer = self.0.handle(Request::from_parts(parts, Full::new(body.clone()))).await;
        // The transport says so little about what is no message that it is looked at again.
        match answer.status() {
            StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::NOT_ACCEPTABLE => {
                no_message(&body).unwrap_or(answer)
            }
            _ => answer,
        }
    }
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// What cannot be read is answered in the protocol's own words.
fn unreadable(body: &Bytes) -> Option<Answer> {
    let (code, message) = match strict::check(body) {
        // Also numbers that no reader can hold, and halves of characters.
        Err(Unreadable::NotJson) => (-32_700, "the body is not JSON that can be read"),
        Err(Unreadable::RepeatedMember) => (-32_600, strict::REPEATED_MEMBER),
        Ok(Shape::Batch) => {
            (-32_600, "batches are not part of the protocol; send one message per request")
        }
        Ok(Shape::Single) => return None,
    };
    Some(fault(code, message))
}

/// The same for JSON that is no message at all.
fn no_message(body: &Bytes) -> Option<Answer> {
    let message = serde_json::from_slice::<ClientJsonRpcMessage>(body);
    message.is_err().then(|| fault(-32_600, "the body is not a message"))
}

fn fault(code: i32, message: &str) -> Answer {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    let mut response = Response::new(Full::new(Bytes::from(error.to_string())).boxed());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::remote::{RemoteProvider, Timeouts};

    /// How a body is refused, whatever its headers say about it.
    fn fault(body: &str) -> Option<(u16, i64)> {
        let named = ["", "application/json", "text/plain"].map(|kind| refused(body, kind));
        assert!(named.iter().all(|other| *other == named[0]), "{named:?}");
        named[0]
    }

    fn refused(body: &str, kind: &str) -> Option<(u16, i64)> {
        let handles = Arc::new(crate::NameHandles::new([7; 32]));
        let provider = RemoteProvider::new(
            "http://127.0.0.1:1".parse().unwrap(),
            String::new(),
            Timeouts::default(),
        );
        let context = CallContext::new(Arc::new(provider), handles);
        let request = Request::post("http://localhost/mcp").header(CONTENT_TYPE, kind);
        let request = request.body(Bytes::from(body.to_owned())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let service = HttpService::new("test");
        let response = runtime.block_on(service.answer(context, request));
        let status = response.status().as_u16();
        let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        Some((status, body["error"]["code"].as_i64()?))
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
        let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(fault(told), None);
        assert_eq!(fault(&call(r#""boiler","query":"tiles""#)), Some((400, -32_600)), "twice");
    }
}
