//! What was just done, said on the next page: a fixed word in the address, a sentence here.

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
        "stopped" => "Stopped. The agent reads nothing more, from this moment on.",
        "stopped-part" => "Stopped for that account. The rest goes on.",
        "stopped-all" => "Stopped. No agent can read anything.",
        "renamed" => "The new name is kept. Agents see it from their next call on.",
        "removed" => "Removed, with everything in it. Nothing of it is left in this store.",
        "saved" => "The settings are kept.",
        "password" => "The new password is kept. The other sign-ins were ended.",
        "signed-out" => "The other sign-ins were ended.",
        _ => return None,
    })
}
