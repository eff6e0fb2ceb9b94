//! The owner's session: an address and a cookie that belong together. Any other request is redirected to
//! the login page.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::{Session, SessionKeys, Visitor};

use super::cookies;
use super::fault::PageFault;
use super::form::is_own;
use super::next::{NextPath, login_for};
use super::session_path::split;
use crate::app::App;
use crate::connections::{ConnectionRole, note_role};
use crate::guard::caller_address;

/// The owner, signed in. Without a session, the request is redirected to the login page and back.
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
        match find(app, &parts.uri, &parts.headers).await {
            Ok(Some(session)) => {
                // The owner's connections are the last to make room for others.
                let _ = note_role(&parts.extensions, ConnectionRole::Owner);
                Ok(Self(session))
            }
            Ok(None) => {
                // What was posted is lost; the page it came from is not.
                let back = (parts.method == Method::GET).then_some(&parts.uri);
                let next = back.map_or_else(NextPath::home, NextPath::of);
                Err(Redirect::to(&login_for(&next)).into_response())
            }
            Err(fault) => Err(fault.into_response()),
        }
    }
}

/// The session whose address and cookie a request carries, if there is one. Other cookies of that
/// name, which another port of this host may have planted, open nothing and are in nobody's way.
async fn find(app: &App, uri: &Uri, headers: &HeaderMap) -> Result<Option<Session>, PageFault> {
    let Some((path, _)) = split(uri.path()) else { return Ok(None) };
    let process = app.process_for(uri, headers);
    for cookie in cookies::of_session(app, headers) {
        let keys = SessionKeys { path, cookie: &cookie, process };
        if let Some(session) = app.services.auth.session(keys).await? {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

/// The caller as the password check sees it: address, browser and cookies.
pub fn visitor(app: &App, request: &Request) -> Visitor {
    let headers = request.headers();
    let device = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    Visitor {
        address: caller_address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        device: device.unwrap_or_default().to_owned(),
        browsers: cookies::of_browser(app, headers),
        process: app.process_for(request.uri(), headers).cloned(),
    }
}
