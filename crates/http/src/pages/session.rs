//! The owner's browser: a cookie leads to a session, and no cookie leads to the login page.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::{Session, SessionSecret, Visitor};

use super::fault::PageFault;
use super::form::is_own;
use super::next::{NextPlace, login_for};
use crate::app::App;
use crate::connections::{Standing, note_standing};
use crate::guard::caller_address;

/// The cookie on plain HTTP, and the one that browsers keep to this host and to HTTPS.
pub const SESSION_COOKIES: [&str; 2] = ["pdpp_owner_session", "__Host-pdpp_owner_session"];
const WEEK_SECONDS: u32 = 7 * 24 * 3_600;

/// The owner, signed in. Whoever is not is led to the login page and back.
#[derive(Debug)]
pub struct SignedIn(pub Session);

impl FromRequestParts<App> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        // Said first: a form from elsewhere must not even learn whether somebody is signed in.
        if !reads && !is_own(app, &parts.headers) {
            return Err(PageFault::ForeignForm.into_response());
        }
        match find(app, &parts.headers).await {
            Ok(Some(session)) => {
                // The owner's connections are the last to make room for others.
                let _ = note_standing(&parts.extensions, Standing::Owner);
                Ok(Self(session))
            }
            Ok(None) => {
                // What was posted is lost; the page it came from is not.
                let back = (parts.method == Method::GET).then_some(&parts.uri);
                let next = back.map_or_else(NextPlace::home, NextPlace::of);
                Err(Redirect::to(&login_for(&next)).into_response())
            }
            Err(fault) => Err(fault.into_response()),
        }
    }
}

/// The session of a request, if there is one.
pub async fn find(app: &App, headers: &HeaderMap) -> Result<Option<Session>, PageFault> {
    match presented(headers) {
        Some(secret) => Ok(app.services.auth.session(&secret).await?),
        None => Ok(None),
    }
}

/// The secret in the request's cookie. Two of them are none: one was planted.
pub fn presented(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(';'));
    let pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    let mut ours = pairs.filter(|(name, _)| SESSION_COOKIES.contains(name));
    let (first, second) = (ours.next(), ours.next());
    first.filter(|_| second.is_none()).map(|(_, value)| value.to_owned())
}

/// Who is at the door, for the one who decides about the password.
pub fn visitor(request: &Request) -> Visitor {
    let headers = request.headers();
    let device = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    Visitor {
        address: caller_address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        device: device.unwrap_or_default().to_owned(),
        presented: presented(headers),
    }
}

/// Gives a browser its session.
pub fn give(response: &mut Response, app: &App, secret: &SessionSecret) {
    set_cookie(response, app, secret.reveal(), WEEK_SECONDS);
}

/// Takes it back.
pub fn take(response: &mut Response, app: &App) {
    set_cookie(response, app, "", 0);
}

fn set_cookie(response: &mut Response, app: &App, value: &str, max_age: u32) {
    let [plain, kept_to_host] = SESSION_COOKIES;
    let secure = app.base_url.starts_with("https://");
    let (name, rest) = if secure { (kept_to_host, "; Secure") } else { (plain, "") };
    // Lax, not Strict: people arrive here from their agent's site.
    let text = format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{rest}");
    if let Ok(mut cookie) = HeaderValue::try_from(text) {
        cookie.set_sensitive(true);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}
