//! Where to sign in: the provider names its authorization server, and both must agree with
//! themselves, byte for byte, as strict clients demand.

use pdpp_mcp::remote::{ProviderUrl, Web, WebAnswer, WebFault};
use serde_json::Value;

use crate::failure::{Exit, Failure};

/// What signing in needs to know.
#[derive(Debug, Clone)]
pub struct Place {
    pub resource: String,
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub registration_endpoint: Option<String>,
    pub device_endpoint: Option<String>,
    pub sends_issuer: bool,
}

/// Asks the provider and its authorization server.
pub async fn discover(web: Web, provider: &ProviderUrl) -> Result<Place, Failure> {
    let resource = resource_metadata(web, provider).await?;
    let text = |document: &Value, name: &str| document[name].as_str().map(str::to_owned);
    let named = text(&resource, "resource").unwrap_or_default();
    let (origin, _) = split(provider.as_str());
    if split(&named).0 != origin {
        return Err(broken("its metadata speaks of another resource"));
    }
    let issuer = resource
        .pointer("/authorization_servers/0")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if issuer.parse::<ProviderUrl>().is_err() {
        return Err(broken("it names no authorization server; it may not offer sign-in"));
    }
    let (root, path) = split(&issuer);
    let path = path.trim_end_matches('/');
    let address = format!("{root}/.well-known/oauth-authorization-server{path}");
    let server = ok(web.get(&address, None).await.map_err(unreachable)?)
        .ok_or_else(|| broken("its authorization server has no metadata"))?;
    if text(&server, "issuer").as_deref() != Some(issuer.as_str()) {
        return Err(broken("its authorization server calls itself by another name"));
    }
    let need = |name: &str| {
        text(&server, name).ok_or_else(|| broken("its authorization server leaves out an endpoint"))
    };
    Ok(Place {
        resource: named,
        authorization_endpoint: need("authorization_endpoint")?,
        token_endpoint: need("token_endpoint")?,
        registration_endpoint: text(&server, "registration_endpoint"),
        device_endpoint: text(&server, "device_authorization_endpoint"),
        sends_issuer: server.get("authorization_response_iss_parameter_supported")
            == Some(&Value::Bool(true)),
        issuer,
    })
}

/// The document for the plain interface, else the one for the whole server.
async fn resource_metadata(web: Web, provider: &ProviderUrl) -> Result<Value, Failure> {
    let (origin, path) = split(provider.as_str());
    let well_known = format!("{origin}/.well-known/oauth-protected-resource");
    for address in [format!("{well_known}{path}/v1"), format!("{well_known}{path}"), well_known] {
        if let Some(document) = ok(web.get(&address, None).await.map_err(unreachable)?) {
            return Ok(document);
        }
    }
    Err(broken("it has no metadata about signing in"))
}

fn ok(answer: WebAnswer) -> Option<Value> {
    (answer.status == 200 && answer.json.is_object()).then_some(answer.json)
}

/// Origin and path of an address.
fn split(url: &str) -> (&str, &str) {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(start..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| start + at);
    url.split_at_checked(end).unwrap_or((url, ""))
}

fn broken(why: &str) -> Failure {
    let message = format!("cannot sign in there: {why}");
    Failure::new(Exit::Unreachable, "no_sign_in", message)
}

pub fn unreachable(fault: WebFault) -> Failure {
    Failure::new(Exit::Unreachable, "unavailable", fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_an_origin_and_perhaps_a_path() {
        assert_eq!(split("https://a.example/b/c"), ("https://a.example", "/b/c"));
        assert_eq!(split("http://127.0.0.1:1"), ("http://127.0.0.1:1", ""));
    }
}
