//! A small HTTP client for the loopback.

use serde_json::Value;

/// What a server answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

/// Reads a URL; refusals are answers too.
pub fn get(url: &str, token: Option<&str>) -> Reply {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = agent.get(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let mut response = request.call().unwrap();
    let text = response.body_mut().read_to_string().unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Reply { status: response.status().as_u16(), body }
}

impl Reply {
    /// The code of a refusal.
    pub fn error_code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}
