//! The authorization server on the wire: one file per endpoint. What is decided is decided in `auth`.

mod answer;
mod authorize;
mod device_authorization;
mod fetch;
mod form;
mod introspect;
mod metadata;
mod par;
mod rate_limit;
mod register;
mod revoke;
mod token;
mod token_info;

use axum::routing::{MethodRouter, get, post};

use crate::app::App;

pub use answer::{cors, preflight};
pub use authorize::question;
pub use fetch::{Network, SafeFetcher, Stream, SystemNetwork};
pub use rate_limit::OauthRateLimits;

/// Where the holder of a token learns what it is.
pub const TOKEN_INFO: &str = "/v1/token";

/// The routes that clients call themselves, from programs and from the pages that may call `/mcp`:
/// what they take proves itself, and no cookie counts there. Documents are open to every page.
pub fn open_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    let routes = vec![
        ("/.well-known/oauth-authorization-server", get(metadata::server)),
        ("/.well-known/openid-configuration", get(metadata::server)),
        ("/.well-known/oauth-protected-resource/v1", get(metadata::v1_resource)),
        ("/oauth/register", post(register::register)),
        ("/oauth/token", post(token::token)),
        ("/oauth/revoke", post(revoke::revoke)),
        ("/oauth/par", post(par::par)),
        ("/oauth/device_authorization", post(device_authorization::begin)),
    ];
    routes.into_iter().map(|(path, methods)| (path, methods.options(preflight))).collect()
}

/// The routes that are for the owner's browser, and for bearers.
pub fn own_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/oauth/authorize", get(authorize::authorize)),
        ("/oauth/introspect", post(introspect::introspect)),
        (TOKEN_INFO, get(token_info::token_info)),
    ]
}
