//! The two cookies of the owner's browser, and why several of one name do no harm.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use pdpp_auth::SessionSecret;

use super::session_path::root;
use crate::app::App;

/// The cookie of a session, scoped to the session's own path.
const SESSION: Cookie =
    Cookie { plain: "pdpp_owner_session", https: "__Secure-pdpp_owner_session" };
/// Says that the owner signed in here before. Scoped to the login page; opens nothing.
const BROWSER: Cookie =
    Cookie { plain: "pdpp_owner_browser", https: "__Secure-pdpp_owner_browser" };
const LOGIN: &str = "/owner/login";
const WEEK_SECONDS: u32 = 7 * 24 * 3_600;
const YEAR_SECONDS: u32 = 365 * 24 * 3_600;
/// Cookies of one name that are looked at. Browsers send those with the longest path first, so one that
/// another port planted, which cannot know the path, comes after ours.
const MAX_COOKIES: usize = 16;

/// `__Host-` would demand the path `/`, which every port of the host is under.
struct Cookie {
    plain: &'static str,
    https: &'static str,
}

impl Cookie {
    fn name(&self, app: &App) -> &'static str {
        if is_secure(app) { self.https } else { self.plain }
    }
}

/// What may be the session's cookie: every cookie of its name, whoever planted it.
pub fn of_session(app: &App, headers: &HeaderMap) -> Vec<String> {
    named(headers, SESSION.name(app))
}

/// What may say that the owner signed in here before.
pub fn of_browser(app: &App, headers: &HeaderMap) -> Vec<String> {
    named(headers, BROWSER.name(app))
}

fn named(headers: &HeaderMap, name: &str) -> Vec<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(';'));
    let pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    let ours = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value.to_owned());
    ours.take(MAX_COOKIES).collect()
}

/// Gives a browser its session.
pub fn set_session(response: &mut Response, app: &App, secret: &SessionSecret) {
    let path = root(secret.path());
    set(response, app, &SESSION, (secret.cookie(), &path, WEEK_SECONDS));
    set(response, app, &BROWSER, (secret.browser(), LOGIN, YEAR_SECONDS));
}

/// Takes the session with this part of the address back.
pub fn clear_session(response: &mut Response, app: &App, path: &str) {
    set(response, app, &SESSION, ("", &root(path), 0));
}

fn set(
    response: &mut Response,
    app: &App,
    cookie: &Cookie,
    (value, path, max_age): (&str, &str, u32),
) {
    let (name, rest) = (cookie.name(app), if is_secure(app) { "; Secure" } else { "" });
    // Lax, not Strict: people arrive here from their agent's site.
    let text =
        format!("{name}={value}; Path={path}; Max-Age={max_age}; HttpOnly; SameSite=Lax{rest}");
    if let Ok(mut cookie) = HeaderValue::try_from(text) {
        cookie.set_sensitive(true);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

fn is_secure(app: &App) -> bool {
    app.base_url.starts_with("https://")
}
