//! Addresses with a password in them: `postgres://user:password@host`.

use super::values::is_placeholder;

/// The longest user part that is looked at.
const USER_BYTES: usize = 256;

/// Whether a text holds an address with a user and a password.
pub(super) fn holds_password(text: &str) -> bool {
    text.match_indices("://").any(|(at, colon)| {
        let scheme = text.as_bytes().get(..at).and_then(<[u8]>::last);
        if !scheme.is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let start = at + colon.len();
        let end = text.floor_char_boundary(start + USER_BYTES);
        let rest = text.get(start..end).unwrap_or_default();
        let stops = |char: char| char.is_whitespace() || "/?#\"'<>`|".contains(char);
        let authority = rest.split(stops).next().unwrap_or_default();
        let Some((user, host)) = authority.rsplit_once('@') else {
            return false;
        };
        let is_host = host.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '[');
        let password = user.split_once(':').map(|(_, password)| password);
        is_host && password.is_some_and(|password| password.len() >= 3 && !is_placeholder(password))
    })
}
