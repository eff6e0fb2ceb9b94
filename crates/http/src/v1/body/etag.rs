//! `If-None-Match`: whether a caller already has what it asks for.

use axum::http::{HeaderMap, header};

/// Whether `If-None-Match` names the tag; weakness does not matter for a read.
pub fn matches(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = values.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    tags.any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_tag_is_found_in_any_spelling() {
        let has = |value: &str| {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value.parse().unwrap())]);
            matches(&headers, "\"abc\"")
        };
        for known in ["\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "*"] {
            assert!(has(known), "{known}");
        }
        for other in ["abc", "\"ab\"", "\"x\",\"y\"", ""] {
            assert!(!has(other), "{other}");
        }
    }
}
