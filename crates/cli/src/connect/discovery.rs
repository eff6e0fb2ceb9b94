//! Where to sign in: the provider names its authorization server, and both must agree with
//! themselves, byte for byte, as strict clients demand.

use pdpp_mcp::remote::{ProviderUrl, Web, WebAnswer, WebFault};
use serde_json::Value;

use super::address::is_web_page;
use super::challenge::{Challenge, challenge};
use crate::failure::{Exit, Failure};

/// Asked for where it is offered: access that can be renewed.
const OFFLINE: &str = "offline_access";

/// What signing in needs to know.
#[derive(Debug, Clone)]
pub struct SignInServer {
    pub resource: String,
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub registration_endpoint: Option<String>,
    pub device_endpoint: Option<String>,
    /// What to ask for; nothing when nobody says what there is.
    pub scope: Option<String>,
    pub sends_issuer: bool,
    /// It takes a proof key by its S256 digest.
    pub supports_pkce: bool,
    /// How its clients may prove who they are.
    pub auth_methods: Vec<String>,
}

/// Asks the provider and its authorization server.
pub async fn discover(web: Web, provider: &ProviderUrl) -> Result<SignInServer, Failure> {
    let challenge = challenge(web, provider).await?;
    let resource = resource_metadata(web, provider, &challenge).await?;
    let named = text(&resource, "resource").unwrap_or_default();
    if !is_near(&named, provider.as_str()) {
        return Err(broken("its metadata names another resource"));
    }
    let issuer = resource
        .pointer("/authorization_servers/0")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if issuer.parse::<ProviderUrl>().is_err() {
        return Err(broken("it names no authorization server, so it may not support sign-in"));
    }
    let server = server_metadata(web, &issuer).await?;
    let need = |name: &str| {
        text(&server, name).ok_or_else(|| {
            broken("an endpoint is missing in the metadata of its authorization server")
        })
    };
    let authorization_endpoint = need("authorization_endpoint")?;
    if !is_web_page(&authorization_endpoint) {
        return Err(broken("its sign-in page is not an https web page"));
    }
    Ok(SignInServer {
        resource: named,
        authorization_endpoint,
        token_endpoint: need("token_endpoint")?,
        registration_endpoint: text(&server, "registration_endpoint"),
        device_endpoint: text(&server, "device_authorization_endpoint"),
        scope: scope(challenge.scope, &resource, &server),
        sends_issuer: server.get("authorization_response_iss_parameter_supported")
            == Some(&Value::Bool(true)),
        supports_pkce: words(&server, "code_challenge_methods_supported")
            .contains(&"S256".to_owned()),
        auth_methods: words(&server, "token_endpoint_auth_methods_supported"),
        issuer,
    })
}

/// The document that the provider's challenge names, if it is its own; else the one for the plain
/// interface, for the address, or for the whole server.
async fn resource_metadata(
    web: Web,
    provider: &ProviderUrl,
    challenge: &Challenge,
) -> Result<Value, Failure> {
    let (origin, path) = split(provider.as_str());
    let named = challenge.metadata.clone().filter(|address| split(address).0 == origin);
    let well_known = format!("{origin}/.well-known/oauth-protected-resource");
    let usual = [format!("{well_known}{path}/v1"), format!("{well_known}{path}"), well_known];
    for address in named.into_iter().chain(usual) {
        if let Some(document) = ok(web.get(&address, None).await.map_err(unreachable)?) {
            return Ok(document);
        }
    }
    Err(broken("it has no sign-in metadata"))
}

/// The authorization server's own document, under either of its usual names.
async fn server_metadata(web: Web, issuer: &str) -> Result<Value, Failure> {
    let (root, path) = split(issuer);
    let path = path.trim_end_matches('/');
    for address in [
        format!("{root}/.well-known/oauth-authorization-server{path}"),
        format!("{root}/.well-known/openid-configuration{path}"),
        format!("{root}{path}/.well-known/openid-configuration"),
    ] {
        let Some(server) = ok(web.get(&address, None).await.map_err(unreachable)?) else {
            continue;
        };
        if text(&server, "issuer").as_deref() != Some(issuer) {
            return Err(broken("its authorization server has another issuer name"));
        }
        return Ok(server);
    }
    Err(broken("its authorization server has no metadata"))
}

/// What the challenge asks for, else everything the resource knows; and to renew it, if possible.
fn scope(challenged: Option<String>, resource: &Value, server: &Value) -> Option<String> {
    let mut asked: Vec<String> = match challenged {
        Some(scope) => scope.split_whitespace().map(str::to_owned).collect(),
        None => words(resource, "scopes_supported"),
    };
    let offline = OFFLINE.to_owned();
    if words(server, "scopes_supported").contains(&offline) && !asked.contains(&offline) {
        asked.push(offline);
    }
    (!asked.is_empty()).then(|| asked.join(" "))
}

fn text(document: &Value, name: &str) -> Option<String> {
    document.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn words(document: &Value, name: &str) -> Vec<String> {
    let listed = document.get(name).and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn ok(answer: WebAnswer) -> Option<Value> {
    (answer.status == 200 && answer.json.is_object()).then_some(answer.json)
}

/// Whether a resource is the address, a part of it, or what it is a part of.
fn is_near(resource: &str, provider: &str) -> bool {
    let ((origin, path), (asked_origin, asked_path)) = (split(resource), split(provider));
    let (path, asked) = (path.trim_end_matches('/'), asked_path.trim_end_matches('/'));
    let begins = |whole: &str, part: &str| {
        whole.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    origin == asked_origin && (begins(path, asked) || begins(asked, path))
}

/// Origin and path of an address.
fn split(url: &str) -> (&str, &str) {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(start..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| start + at);
    url.split_at_checked(end).unwrap_or((url, ""))
}

pub fn broken(why: &str) -> Failure {
    let message = format!("cannot sign in: {why}");
    Failure::new(Exit::Unreachable, "no_sign_in", message)
}

pub fn unreachable(fault: WebFault) -> Failure {
    Failure::new(Exit::Unreachable, "unavailable", fault.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_has_an_origin_and_perhaps_a_path() {
        assert_eq!(split("https://a.example/b/c"), ("https://a.example", "/b/c"));
        assert_eq!(split("http://127.0.0.1:1"), ("http://127.0.0.1:1", ""));
    }

    #[test]
    fn a_resource_belongs_to_the_address_it_was_asked_for() {
        let typed = "https://a.example/pdpp";
        for near in ["https://a.example/pdpp/v1", typed, "https://a.example", "https://a.example/"]
        {
            assert!(is_near(near, typed), "{near}");
        }
        for foreign in
            ["https://b.example/pdpp", "https://a.example/pdpp2", "https://a.example/x", ""]
        {
            assert!(!is_near(foreign, typed), "{foreign}");
        }
    }

    #[test]
    fn what_is_asked_for_comes_from_the_server() {
        let (resource, server) = (
            json!({"scopes_supported": ["read", "write"]}),
            json!({"scopes_supported": ["read", OFFLINE]}),
        );
        let asked = |challenged: Option<&str>, resource, server| {
            scope(challenged.map(str::to_owned), resource, server)
        };
        let none = Value::Null;
        assert_eq!(asked(Some("read"), &resource, &none).as_deref(), Some("read"));
        assert_eq!(asked(None, &resource, &none).as_deref(), Some("read write"));
        assert_eq!(asked(None, &resource, &server).as_deref(), Some("read write offline_access"));
        assert_eq!(asked(None, &none, &none), None);
    }
}
