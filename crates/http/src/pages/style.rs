//! The one stylesheet.

use std::sync::LazyLock;

use axum::response::Response;

use super::asset::Asset;

const STYLE: &str = include_str!("../../templates/pdpp.css");

/// The stylesheet as pages name it.
pub fn style() -> &'static Asset {
    static ASSET: LazyLock<Asset> =
        LazyLock::new(|| Asset::new("/assets/pdpp.css", "text/css; charset=utf-8", STYLE));
    &ASSET
}

/// `GET /assets/pdpp.css`
pub async fn stylesheet() -> Response {
    style().response()
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
