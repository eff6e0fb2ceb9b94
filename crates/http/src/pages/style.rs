//! The one stylesheet.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

const STYLE: &str = include_str!("../../templates/pdpp.css");
/// The address changes with the content, so a browser may keep it.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Where pages find it.
pub fn path() -> &'static str {
    static PATH: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| format!("/assets/pdpp.css?v={:x}", version()));
    &PATH
}

/// `GET /assets/pdpp.css`
pub async fn stylesheet() -> Response {
    let kind = HeaderValue::from_static("text/css; charset=utf-8");
    let mut response = STYLE.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    response
}

/// Tells two contents apart; nobody has a reason to make two alike.
fn version() -> u32 {
    let step = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
    STYLE.bytes().fold(2_166_136_261, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stylesheet_is_small_and_fetches_nothing() {
        assert!(STYLE.len() < 12_000, "{} bytes", STYLE.len());
        for word in ["url(", "@import", "http:", "https:", "@font-face"] {
            assert!(!STYLE.contains(word), "{word}");
        }
    }
}
