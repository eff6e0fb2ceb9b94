//! The parameters of a request: each at most once.

use super::error::OauthError;

/// Names and values as they came.
#[derive(Debug, Clone, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Takes decoded pairs. A parameter that is given twice could mean two things: refused.
    pub fn new(pairs: Vec<(String, String)>) -> Result<Self, OauthError> {
        for (index, (name, _)) in pairs.iter().enumerate() {
            if pairs.iter().take(index).any(|(earlier, _)| earlier == name) {
                return Err(OauthError::invalid_request("a parameter is given twice"));
            }
        }
        Ok(Self(pairs))
    }

    /// A parameter's value; an empty one counts as absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A parameter that must be there.
    pub(super) fn need(&self, name: &str, missing: &'static str) -> Result<&str, OauthError> {
        self.get(name).ok_or(OauthError::invalid_request(missing))
    }

    /// The same with a parameter set; what proves a client is not kept.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.retain(|(known, _)| known != name && !known.starts_with("client_assertion"));
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// As the store keeps it.
    pub(super) fn kept(&self) -> String {
        serde_json::json!(self.0).to_string()
    }

    /// Read back.
    pub(super) fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().map(Self)
    }
}
