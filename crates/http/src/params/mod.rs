//! The query string: decoded once, each parameter taken by name, nothing left over.

pub mod aggregate;
pub mod blob;
mod decode;
mod expand;
pub mod list;
pub mod path;
pub mod record;
pub mod schema;
pub mod search;
mod value;
pub mod window;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use pdpp_contract::{ApiError, ErrorCode};

use self::decode::{Plus, decode};
use crate::refusal::RefusalResponse;

/// Longest parameter name that is worth repeating in a refusal.
const SHOWN_NAME_BYTES: usize = 80;

/// The parameters of one request that nobody has taken yet.
#[derive(Debug)]
pub struct Params {
    pairs: Vec<(String, String)>,
}

impl Params {
    /// Decodes a query string. A pair without `=` has an empty value.
    pub fn parse(query: Option<&str>) -> Result<Self, ApiError> {
        let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode(name, Plus::Space)?, decode(value, Plus::Space)?))
        });
        let pairs = pairs.collect::<Option<_>>().ok_or_else(|| {
            ApiError::new(
                ErrorCode::InvalidRequest,
                "the query string holds a broken percent escape or is not UTF-8",
            )
        })?;
        Ok(Self { pairs })
    }

    /// Takes a parameter that may stand once.
    pub fn take(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        let mut values = self.take_all(name);
        if values.len() > 1 {
            return Err(repeated(name));
        }
        Ok(values.pop())
    }

    /// Takes every value of a parameter that may stand several times.
    pub fn take_all(&mut self, name: &str) -> Vec<String> {
        let taken = self.pairs.extract_if(.., |pair| pair.0 == name);
        taken.map(|(_, value)| value).collect()
    }

    /// Takes every parameter whose name fits, names included.
    pub fn take_matching(&mut self, fits: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        self.pairs.extract_if(.., |pair| fits(&pair.0)).collect()
    }

    /// Ends the reading: a parameter that nobody took is one we do not know.
    pub fn finish(self) -> Result<(), ApiError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((name, _)) => Err(ApiError::new(
                ErrorCode::InvalidRequest,
                "this route does not know the parameter; remove it",
            )
            .param(shown(name))),
        }
    }

    /// The decoded pairs, as they stand.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Refuses a parameter that stands more than once.
pub fn repeated(name: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, "the parameter may stand only once").param(shown(name))
}

/// A caller's own parameter name, when it is plain enough to be repeated.
pub fn shown(name: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-[]".contains(c);
    let repeatable = name.len() <= SHOWN_NAME_BYTES && name.chars().all(plain);
    if repeatable && !crate::guard::looks_like_token(name) { name } else { "query" }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = RefusalResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RefusalResponse> {
        Ok(Self::parse(parts.uri.query())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Params {
        Params::parse(Some(query)).unwrap()
    }

    #[test]
    fn a_parameter_is_taken_once_and_decoded_once() {
        let mut params = parse("q=a+b%2525&limit=5&&empty");
        assert_eq!(params.take("q").unwrap().unwrap(), "a b%25");
        assert_eq!(params.take("q").unwrap(), None);
        assert_eq!(params.take("limit").unwrap().unwrap(), "5");
        assert_eq!(params.take("empty").unwrap().unwrap(), "");
        params.finish().unwrap();
    }

    #[test]
    fn repeated_and_unknown_parameters_are_named() {
        let fault = parse("limit=1&limit=2").take("limit").unwrap_err();
        assert_eq!(
            (fault.code, fault.param.as_deref()),
            (ErrorCode::InvalidRequest, Some("limit"))
        );
        let fault = parse("connector_instance_id=x").finish().unwrap_err();
        assert_eq!(fault.param.as_deref(), Some("connector_instance_id"));
    }

    #[test]
    fn a_name_that_could_be_a_secret_is_not_repeated() {
        for odd in ["a b", "<script>", "a%0Ab", &"x".repeat(81)] {
            let fault = parse(odd).finish().unwrap_err();
            assert_eq!(fault.param.as_deref(), Some("query"), "{odd}");
        }
    }

    #[test]
    fn a_broken_query_string_is_refused_as_a_whole() {
        for bad in ["a=%zz", "a=%ff", "%=1"] {
            let fault = Params::parse(Some(bad)).unwrap_err();
            assert_eq!(fault.code, ErrorCode::InvalidRequest, "{bad}");
        }
    }
}
