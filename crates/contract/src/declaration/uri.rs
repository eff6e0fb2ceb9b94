//! Absolute URIs: the identity of sources, publishers and extensions.

use crate::ids::{ConnectorKey, InvalidName};

/// Longest URI, in bytes.
const MAX_URI_BYTES: usize = 2_048;

/// What keeps `text` from being an absolute URI, in words.
pub(super) fn absolute(text: &str) -> Result<(), String> {
    if text.len() > MAX_URI_BYTES {
        return Err(format!("a URI must not be longer than {MAX_URI_BYTES} bytes"));
    }
    let rest = after_scheme(text).ok_or("must be an absolute URI, with its scheme")?;
    if rest.is_empty() || !text.bytes().all(stands_in_uri) {
        return Err("must be an absolute URI: no spaces, everything else percent-encoded".into());
    }
    Ok(())
}

/// What keeps `text` from being the id of a source: a URI whose last path segment is a plain name.
pub(super) fn source_id(text: &str) -> Result<(), String> {
    absolute(text)?;
    connector_key(text).map(|_| ()).map_err(|fault| format!("{fault} (last path segment)"))
}

/// The last path segment of `id`, which names the kind of source.
pub(super) fn connector_key(id: &str) -> Result<ConnectorKey, InvalidName> {
    let rest = after_scheme(id).unwrap_or_default();
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        Some(authority_and_path) => {
            authority_and_path.split_once('/').map_or("", |(_authority, path)| path)
        }
        None => rest,
    };
    let segment = path.rsplit('/').next().unwrap_or_default();
    if segment.contains('%') {
        // Whoever decodes it later would get another key, perhaps one with a '/' in it.
        let reason = "must not be percent-encoded";
        return Err(InvalidName { what: "connector key", reason });
    }
    ConnectorKey::new(segment)
}

fn after_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    (begins && scheme.chars().all(allowed)).then_some(rest)
}

/// The characters of RFC 3986.
fn stands_in_uri(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{'..=b'}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connector_key_is_the_last_path_segment() {
        for (id, key) in [
            ("https://registry.example/connectors/gmail", "gmail"),
            ("https://registry.example/connectors/claude-code?v=1#top", "claude-code"),
            ("https://registry.example:8443/slack", "slack"),
            ("urn:example:chatgpt", "example:chatgpt"),
        ] {
            assert_eq!(source_id(id), Ok(()), "{id}");
            assert_eq!(connector_key(id).unwrap().as_str(), key);
        }
    }

    #[test]
    fn an_id_without_a_plain_last_segment_is_refused() {
        for id in [
            "",
            "gmail",
            "/connectors/gmail",
            "https://registry.example",
            "https://registry.example/",
            "https://registry.example/gmail/",
            "https://registry.example/a%2Fb",
            "https:",
            "https://registry.example/..",
            "1https://registry.example/gmail",
            "https://registry.example/g mail",
            "https://registry.example/\u{e9}",
        ] {
            assert!(source_id(id).is_err(), "{id:?} was accepted");
        }
        assert!(source_id(&format!("https://registry.example/{}", "k".repeat(129))).is_err());
        assert!(absolute(&format!("https://registry.example/{}", "k".repeat(2048))).is_err());
    }
}
