//! The confirmation after an action: a fixed word in the redirect's query, a sentence on the page.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::app::App;
use crate::params::Params;

/// The sentence to show at the top of a page, if something was just done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done(pub Option<&'static str>);

impl FromRequestParts<App> for Done {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Self::Rejection> {
        let params = Params::parse(parts.uri.query());
        let word = params.ok().and_then(|mut params| params.take("done").ok().flatten());
        Ok(Self(word.as_deref().and_then(sentence)))
    }
}

fn sentence(word: &str) -> Option<&'static str> {
    Some(match word {
        "stopped" => "Access stopped. The agent can no longer read anything.",
        "stopped-part" => "Access to that account stopped. Access to the other accounts continues.",
        "stopped-all" => "All access stopped. No agent can read anything.",
        "renamed" => "Name saved. Agents see it from their next call.",
        "record-removed" => "Record erased. No agent can read it any more.",
        "removed" => "Account removed. All of its records were erased from this server.",
        "saved" => "Settings saved.",
        "password" => "Password changed. Other sessions were signed out.",
        "signed-out" => "Other sessions were signed out.",
        _ => return None,
    })
}
