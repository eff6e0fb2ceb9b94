//! Who we are at an authorization server, and how we prove it there.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use pdpp_mcp::remote::{Web, WebAnswer, WebFault, encoded};
use serde_json::{Value, json};

const BASIC: &str = "client_secret_basic";
const POST: &str = "client_secret_post";
const NONE: &str = "none";

/// A client as a server registered it. We ask to be known without a secret; a server that gives one
/// all the same wants to see it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OauthClient {
    pub id: String,
    secret: Secret,
}

#[derive(Clone, Default, PartialEq, Eq)]
enum Secret {
    #[default]
    None,
    /// In a header of its own.
    Basic(String),
    /// Among the parameters.
    Post(String),
}

impl OauthClient {
    /// What a registration said, at a server that takes these proofs.
    pub fn registered(answer: &Value, taken: &[String]) -> Option<Self> {
        let text = |name: &str| answer.get(name).and_then(Value::as_str);
        let id = text("client_id").filter(|id| !id.is_empty())?.to_owned();
        let secret = text("client_secret").filter(|secret| !secret.is_empty());
        let takes = |method: &str| taken.iter().any(|known| known == method);
        let usual = [NONE, BASIC, POST].into_iter().find(|method| takes(method));
        // A server that lists nothing means the header, by the standard.
        let method = text("token_endpoint_auth_method").or(usual).unwrap_or(BASIC);
        Some(Self { id, secret: Secret::of(method, secret) })
    }

    /// As a credential file holds it.
    pub fn document(&self) -> Value {
        let (method, secret) = match &self.secret {
            Secret::None => return json!({"client_id": self.id}),
            Secret::Basic(secret) => (BASIC, secret),
            Secret::Post(secret) => (POST, secret),
        };
        json!({
            "client_id": self.id,
            "client_secret": secret,
            "token_endpoint_auth_method": method,
        })
    }

    /// Reads it back; a file without one belongs to a client without a name.
    pub fn read(document: &Value) -> Self {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let method = text("token_endpoint_auth_method").unwrap_or(NONE);
        let id = text("client_id").unwrap_or_default().to_owned();
        Self { id, secret: Secret::of(method, text("client_secret")) }
    }

    /// Asks an endpoint of the server as this client.
    pub async fn ask(
        &self,
        web: Web,
        endpoint: &str,
        params: &[(&str, &str)],
    ) -> Result<WebAnswer, WebFault> {
        let mut params = params.to_vec();
        params.push(("client_id", &self.id));
        let authorization = match &self.secret {
            Secret::None => None,
            Secret::Basic(secret) => {
                let pair = format!("{}:{}", encoded(&self.id), encoded(secret));
                Some(format!("Basic {}", BASE64_STANDARD.encode(pair)))
            }
            Secret::Post(secret) => {
                params.push(("client_secret", secret));
                None
            }
        };
        web.post_form(endpoint, &params, authorization.as_deref()).await
    }
}

impl Secret {
    fn of(method: &str, secret: Option<&str>) -> Self {
        match (method, secret) {
            (BASIC, Some(secret)) => Self::Basic(secret.to_owned()),
            (POST, Some(secret)) => Self::Post(secret.to_owned()),
            _ => Self::None,
        }
    }
}

impl std::fmt::Debug for OauthClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OauthClient({})", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registered(answer: &Value, taken: &[&str]) -> OauthClient {
        let taken: Vec<String> = taken.iter().map(ToString::to_string).collect();
        OauthClient::registered(answer, &taken).unwrap()
    }

    #[test]
    fn a_secret_is_shown_as_the_server_wants_it_and_only_then() {
        let with = |method: Option<&str>| {
            let mut answer = json!({"client_id": "a", "client_secret": "s"});
            if let Some(method) = method {
                answer["token_endpoint_auth_method"] = json!(method);
            }
            answer
        };
        let is = |answer: &Value, taken: &[&str], secret: &Secret| {
            registered(answer, taken).secret == *secret
        };
        let (basic, post) = (Secret::Basic("s".to_owned()), Secret::Post("s".to_owned()));
        assert!(is(&with(Some(BASIC)), &[], &basic));
        assert!(is(&with(Some(POST)), &[NONE], &post));
        assert!(is(&with(None), &[BASIC, NONE], &Secret::None));
        assert!(is(&with(None), &[], &basic));
        assert!(is(&json!({"client_id": "a"}), &[BASIC], &Secret::None));
        assert!(OauthClient::registered(&json!({}), &[]).is_none());
    }

    #[test]
    fn what_is_kept_is_read_back_and_never_printed() {
        for method in [BASIC, POST, NONE] {
            let answer = json!({"client_id": "a", "client_secret": "hush",
                                "token_endpoint_auth_method": method});
            let client = registered(&answer, &[]);
            assert_eq!(OauthClient::read(&client.document()), client);
            assert!(!format!("{client:?}").contains("hush"));
        }
    }
}
