//! What pages load: the stylesheet and the script, each with the digest that pages state.
//!
//! While the server is down, another program can take its port and have a browser keep its own text under
//! an address of ours. A browser does not use a text whose digest is not the one that the page states.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// The address changes with the content, so a browser may keep it.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Characters of the digest that stand in the address.
const VERSION_LENGTH: usize = 12;

/// A text that pages load.
#[derive(Debug)]
pub struct Asset {
    content: &'static str,
    kind: HeaderValue,
    /// Where pages find it.
    pub path: String,
    /// What pages state of it.
    pub integrity: String,
}

impl Asset {
    /// A text by its place and its media type.
    pub fn new(place: &str, kind: &'static str, content: &'static str) -> Self {
        let digest = Sha256::digest(content);
        let version: String = URL_SAFE_NO_PAD.encode(digest).chars().take(VERSION_LENGTH).collect();
        Self {
            content,
            kind: HeaderValue::from_static(kind),
            path: format!("{place}?v={version}"),
            integrity: format!("sha256-{}", STANDARD.encode(digest)),
        }
    }

    /// The text itself.
    pub fn response(&self) -> Response {
        let mut response = self.content.into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, self.kind.clone());
        response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
        response
    }
}
