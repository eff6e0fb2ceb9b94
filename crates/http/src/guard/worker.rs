//! Service workers: this server has none. Those that another program left in a browser are given no page,
//! and are ended.
//!
//! A program that holds this server's port while the server is down can give a browser a worker that
//! answers in the server's place ever after. Browsers ask for a worker's script again when a page of its
//! is opened, past the worker itself. They are given one that removes the worker and opens the page anew.
//! Until then the worker can pass requests on. Browsers mark them as a script's, and none gets a page.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::pages::{self, PageFault};

/// Set by browsers alone, when they fetch the script of a worker.
const SERVICE_WORKER: &str = "service-worker";
/// Set by browsers alone, when they fetch a page for a worker that may look at it.
const NAVIGATION_PRELOAD: &str = "service-worker-navigation-preload";
/// Set by browsers alone: what the answer is for.
const DESTINATION: &str = "sec-fetch-dest";
const REMOVE: &str = r#"self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: "window" })) page.navigate(page.url);
})()));
"#;
const CLEAR: &str = "clear-site-data";
/// Kept pages, and the kept scripts of workers.
const CACHE: HeaderValue = HeaderValue::from_static("\"cache\"");
/// Workers too. Not for an answer that a worker passes on: Chromium would wait for ever.
const EVERYTHING: HeaderValue = HeaderValue::from_static("\"cache\", \"storage\"");

/// Whether a browser asks for the script of a worker, whatever its address.
pub fn is_asked_for(request: &Request) -> bool {
    request.headers().get(SERVICE_WORKER).is_some_and(|value| value == "script")
}

/// The script that removes the worker.
pub fn removal() -> Response {
    let mut response = REMOVE.into_response();
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// Whether a script asks for what only the browser itself shows to the owner.
pub fn asks_for_page(request: &Request) -> bool {
    let path = request.uri().path();
    if !pages::is_page(path) && path != "/oauth/authorize" {
        return false;
    }
    let headers = request.headers();
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let is_shown = |value: &HeaderValue| match value.as_bytes() {
        b"document" => true,
        b"image" => route == pages::FILE,
        b"empty" => route == pages::DRAFT,
        _ => false,
    };
    headers.contains_key(NAVIGATION_PRELOAD) || !headers.get_all(DESTINATION).iter().all(is_shown)
}

/// The answer to a script that asks for a page.
pub fn refusal() -> Response {
    let mut response = PageFault::AskedByScript.into_response();
    response.headers_mut().insert(CLEAR, CACHE);
    response
}

/// What the browser is to forget before the owner signs in, and before the session has an address.
pub fn swept(request: &Request) -> Option<HeaderValue> {
    let begins = ["/owner/login", "/owner/setup"].contains(&request.uri().path());
    let is_direct = request.headers().contains_key(DESTINATION);
    begins.then_some(if is_direct { EVERYTHING } else { CACHE })
}

/// Says so.
pub fn sweep(response: &mut Response, what: Option<HeaderValue>) {
    if let Some(what) = what {
        response.headers_mut().insert(CLEAR, what);
    }
}
