//! What all pages share: head, navigation, footer, and the security headers.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::Session;

use super::asset::Asset;
use super::fault::PageFault;
use super::session_path;
use super::style::style;
use crate::app::App;

/// Own styles and scripts, forms to this server, no frames, nothing from anywhere else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
     form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);
/// Other sites learn nothing. With `no-referrer` browsers would call the origin of our own forms
/// `null`, and then it could not be checked.
const REFERRER: HeaderValue = HeaderValue::from_static("same-origin");
const OPENER: HeaderValue = HeaderValue::from_static("same-origin");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Which page this is, for the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurrentPage {
    Home,
    Search,
    Access,
    Accounts,
    Activity,
    Settings,
    /// A page that none of the links leads to.
    Other,
}

/// The frame of a page.
#[derive(Debug, Clone)]
pub struct Shell {
    pub title: &'static str,
    /// This server as the browser knows it, so that people see where they are.
    pub host: String,
    pub style: &'static Asset,
    /// What the addresses of the session's own pages begin with; `/owner` outside of any.
    pub root: String,
    /// The navigation, for somebody who is signed in.
    pub navigation: Option<Navigation>,
}

/// The navigation.
#[derive(Debug, Clone)]
pub struct Navigation {
    pub links: Vec<NavigationLink>,
    pub is_home: bool,
    pub logout_csrf_token: String,
}

/// One link.
#[derive(Debug, Clone)]
pub struct NavigationLink {
    pub path: String,
    pub name: &'static str,
    pub here: bool,
}

const NAVIGATION_LINKS: [(CurrentPage, &str, &str); 5] = [
    (CurrentPage::Search, "/search", "Search"),
    (CurrentPage::Accounts, "/accounts", "Accounts"),
    (CurrentPage::Access, "/access", "Access"),
    (CurrentPage::Activity, "/activity", "Activity"),
    (CurrentPage::Settings, "/settings", "Settings"),
];

impl Shell {
    /// The frame for somebody who is not signed in.
    pub fn outside(title: &'static str, app: &App) -> Self {
        let root = "/owner".to_owned();
        Self { title, host: host(&app.base_url), style: style(), root, navigation: None }
    }

    /// The frame for the owner, without the navigation: for one decision.
    pub fn alone(title: &'static str, app: &App, session: &Session) -> Self {
        Self { root: session_path::root(session.path()), ..Self::outside(title, app) }
    }

    /// The frame for the owner.
    pub fn inside(title: &'static str, here: CurrentPage, app: &App, session: &Session) -> Self {
        let link = |(place, path, name)| NavigationLink {
            path: session_path::within(session, path),
            name,
            here: place == here,
        };
        let links = NAVIGATION_LINKS.map(link).into();
        let navigation = Navigation {
            links,
            is_home: here == CurrentPage::Home,
            logout_csrf_token: session.csrf("logout"),
        };
        Self { navigation: Some(navigation), ..Self::alone(title, app, session) }
    }
}

fn host(base_url: &str) -> String {
    base_url.split_once("://").map_or(base_url, |(_, host)| host).to_owned()
}

/// A template as a page.
pub fn page(template: &impl Template) -> Response {
    page_with(StatusCode::OK, template)
}

/// The same with a status of its own.
pub fn page_with(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => with_headers(status, html),
        Err(error) => {
            tracing::error!(%error, "a page could not be written");
            PageFault::Failed.into_response()
        }
    }
}

/// Finished text as a page.
pub fn with_headers(status: StatusCode, html: String) -> Response {
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HTML);
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::REFERRER_POLICY, REFERRER);
    headers.insert("cross-origin-opener-policy", OPENER);
    response
}
