//! Service workers: this server has none, and ends those that another program left in a browser.
//!
//! A program that holds this server's port while the server is down can give a browser a worker that
//! answers in the server's place ever after. Browsers ask for a worker's script again when a page of its
//! is opened, past the worker itself. They are given one that removes the worker and opens the page anew.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// Set by browsers alone, when they fetch the script of a worker.
const SERVICE_WORKER: &str = "service-worker";
const REMOVE: &str = r#"self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: "window" })) page.navigate(page.url);
})()));
"#;

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
