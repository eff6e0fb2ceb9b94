//! Where a session's pages are: `/owner/s/{session}/…`, a part of the address that nobody can guess.
//!
//! Browsers send a host's cookies to all its ports, and agents wait for their answers on ports of the
//! owner's own machine. The cookie is bound to this path, so that no other port is ever sent it.

use pdpp_auth::Session;

const ROOT: &str = "/owner/s/";

/// The place that all pages of a session are under.
pub fn root(path: &str) -> String {
    format!("{ROOT}{path}")
}

/// One of a session's own pages.
pub fn within(session: &Session, place: &str) -> String {
    format!("{ROOT}{}{place}", session.path())
}

/// The session's part of an address, and the rest of it.
pub fn split(place: &str) -> Option<(&str, &str)> {
    let rest = place.strip_prefix(ROOT)?;
    Some(rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        assert_eq!(split("/owner/s/abc/activity?x=1"), Some(("abc", "/activity?x=1")));
        assert_eq!(split("/owner/s/abc?x=1"), Some(("abc", "?x=1")));
        assert_eq!(split("/owner/s/abc"), Some(("abc", "")));
        assert_eq!(split("/owner/settings"), None);
    }
}
