//! A small HTTP client for the loopback.

use serde_json::Value;

/// What a server answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// Whether the server says when to come back.
    pub retry_after: bool,
    pub body: Value,
}

/// Reads a URL; refusals are answers too.
pub fn get(url: &str, token: Option<&str>) -> Reply {
    try_get(url, token).unwrap()
}

/// The same; an error when nobody answers.
pub fn try_get(url: &str, token: Option<&str>) -> Result<Reply, ureq::Error> {
    let mut request = agent().get(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    Reply::of(request.call()?)
}

/// Sends lines of records; an error when nobody answers.
pub fn try_ingest(url: &str, token: &str, lines: &str) -> Result<Reply, ureq::Error> {
    let request = agent().post(url).header("Authorization", format!("Bearer {token}"));
    Reply::of(request.header("Content-Type", "application/x-ndjson").send(lines)?)
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

impl Reply {
    fn of(mut response: ureq::http::Response<ureq::Body>) -> Result<Self, ureq::Error> {
        let text = response.body_mut().read_to_string()?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let retry_after = response.headers().contains_key("retry-after");
        Ok(Self { status: response.status().as_u16(), retry_after, body })
    }

    /// The code of a refusal.
    pub fn error_code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}
