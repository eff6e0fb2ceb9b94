//! The page to open after signing in: one of this server's own, and nothing else.

use axum::http::Uri;
use pdpp_auth::Session;

use super::is_page;
use super::session_path::{root, split, within};

/// The page after signing in.
const HOME: &str = "/owner/home";
/// Longer places are not remembered; requests of agents' clients are about this long at most.
const MAX_BYTES: usize = 8_192 + 64;
/// Where agents' clients send people, besides the pages.
const AUTHORIZE: &str = "/oauth/authorize";
const CONSENT: &str = "/oauth/consent/";
const DEVICE: &str = "/device";
const OWNER: &str = "/owner";

/// A place on this server, with its query, as anybody may write it: it never holds a session's part of
/// the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPath(String);

impl NextPath {
    /// The page after signing in.
    pub fn home() -> Self {
        Self(HOME.to_owned())
    }

    /// The place of a request, without the session's part.
    pub fn of(uri: &Uri) -> Self {
        let place = uri.path_and_query().map_or(HOME, |place| place.as_str());
        match split(place) {
            Some((_, rest)) => Self::parse(&format!("{OWNER}{rest}")),
            None => Self::parse(place),
        }
    }

    /// Reads a place back; anything that is not one of our pages is the beginning. Only a path that
    /// begins with one of our own names is taken, so no host, scheme or second slash gets in.
    pub fn parse(text: &str) -> Self {
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let plain = text.bytes().all(|byte| (0x21..0x7f).contains(&byte));
        let ours = is_page(path) || path == AUTHORIZE;
        let odd = path.contains("//") || path.contains("..") || path.contains(['\\', '%']);
        let signs = ["/owner/login", "/owner/setup", "/owner/s/"];
        let signs = signs.into_iter().any(|place| path.starts_with(place));
        if plain && ours && !odd && !signs && text.len() <= MAX_BYTES {
            return Self(text.to_owned());
        }
        Self::home()
    }

    /// The place as it stands in a link or a header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a request of an agent waits there.
    pub fn is_decision(&self) -> bool {
        [AUTHORIZE, CONSENT, DEVICE].into_iter().any(|place| self.0.starts_with(place))
    }

    /// The same place among the pages of the session with this part of the address.
    pub fn inside(&self, path: &str) -> String {
        let place = self.0.as_str();
        let rest = match place.strip_prefix(OWNER) {
            Some("" | "/") => "/home",
            Some(rest) => rest,
            // `/device`, `/oauth/authorize` and `/oauth/consent/…` lie side by side.
            None => place.strip_prefix("/oauth").unwrap_or(place),
        };
        format!("{}{rest}", root(path))
    }
}

/// The login page that leads to this place.
pub fn login_for(next: &NextPath) -> String {
    with_next("/owner/login", next)
}

/// The page of a session where the password is typed once more before this place is shown.
pub fn confirm_for(session: &Session, next: &NextPath) -> String {
    with_next(&within(session, "/confirm"), next)
}

fn with_next(page: &str, next: &NextPath) -> String {
    if next.as_str() == HOME {
        return page.to_owned();
    }
    let mut place = format!("{page}?next=");
    for byte in next.as_str().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            place.push(char::from(byte));
        } else {
            place.push_str(&format!("%{byte:02X}"));
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_are_taken() {
        for good in ["/owner/activity?client=a%20b", "/oauth/authorize?a=b", "/device?user_code=x"]
        {
            assert_eq!(NextPath::parse(good).as_str(), good);
        }
        for bad in [
            "",
            "//evil.example/owner",
            "https://evil.example/owner",
            "/\\evil.example",
            "/owner//evil.example",
            "/ownership",
            "/v1/schema",
            "/owner/login?next=/owner",
            "/owner\r\nset-cookie: a=b",
            "javascript:alert(1)",
            "/owner/../v1",
            "/owner/%2e%2e/v1",
            "/owner/s/abc/activity",
        ] {
            assert_eq!(NextPath::parse(bad), NextPath::home(), "{bad}");
        }
    }

    #[test]
    fn a_place_survives_the_way_through_the_login_page() {
        let place = NextPath::parse("/oauth/authorize?a=b&c=%20d");
        assert_eq!(login_for(&place), "/owner/login?next=/oauth/authorize%3Fa%3Db%26c%3D%2520d");
        assert_eq!(login_for(&NextPath::home()), "/owner/login");
    }

    #[test]
    fn a_place_never_holds_a_session_s_part_of_the_address() {
        for (asked, kept) in [
            ("/owner/s/abc/activity?since=7d", "/owner/activity?since=7d"),
            ("/owner/s/abc", "/owner"),
            ("/owner/s/abc/s/def/activity", "/owner/home"),
            ("/owner/s/", "/owner"),
        ] {
            assert_eq!(NextPath::of(&asked.parse().unwrap()).as_str(), kept, "{asked}");
        }
    }

    #[test]
    fn every_place_lies_within_the_new_session() {
        for (next, place) in [
            ("/owner", "/owner/s/abc/home"),
            ("/owner/activity?since=7d", "/owner/s/abc/activity?since=7d"),
            ("/owner/consent/areq_1", "/owner/s/abc/consent/areq_1"),
            ("/oauth/consent/areq_1", "/owner/s/abc/consent/areq_1"),
            ("/oauth/authorize?a=b", "/owner/s/abc/authorize?a=b"),
            ("/device?user_code=x", "/owner/s/abc/device?user_code=x"),
        ] {
            assert_eq!(NextPath::parse(next).inside("abc"), place, "{next}");
        }
    }
}
