//! Where to go after signing in: a page of this server and nothing else.

use axum::http::Uri;

use super::is_page;

/// Where people begin.
const HOME: &str = "/owner/access";
/// Longer places are not remembered; requests of agents' clients are about this long at most.
const MOST_BYTES: usize = 8_192;
/// Where agents' clients send people, besides the pages.
const AUTHORIZE: &str = "/oauth/authorize";

/// A place on this server, with its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlace(String);

impl NextPlace {
    /// Where people begin.
    pub fn home() -> Self {
        Self(HOME.to_owned())
    }

    /// The place of a request.
    pub fn of(uri: &Uri) -> Self {
        Self::parse(uri.path_and_query().map_or(HOME, |place| place.as_str()))
    }

    /// Reads a place back; anything that is not one of our pages is the beginning. Only a path that
    /// begins with one of our own names is taken, so no host, scheme or second slash gets in.
    pub fn parse(text: &str) -> Self {
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let plain = text.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
        let ours = (is_page(path) || path == AUTHORIZE) && !path.contains("//");
        let signs = path.starts_with("/owner/login") || path.starts_with("/owner/setup");
        if plain && ours && !signs && text.len() <= MOST_BYTES {
            return Self(text.to_owned());
        }
        Self::home()
    }

    /// The place as it stands in a link or a header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The login page that leads to this place.
pub fn login_for(next: &NextPlace) -> String {
    if next.as_str() == HOME {
        return "/owner/login".to_owned();
    }
    let mut place = "/owner/login?next=".to_owned();
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
        for good in ["/owner/reads?client=a%20b", "/oauth/authorize?a=b", "/device?user_code=x"] {
            assert_eq!(NextPlace::parse(good).as_str(), good);
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
        ] {
            let taken = NextPlace::parse(bad);
            let harmless = taken == NextPlace::home() || bad == "/owner/../v1";
            assert!(harmless, "{bad}");
        }
    }

    #[test]
    fn a_place_survives_the_way_through_the_login_page() {
        let place = NextPlace::parse("/oauth/authorize?a=b&c=%20d");
        assert_eq!(login_for(&place), "/owner/login?next=/oauth/authorize%3Fa%3Db%26c%3D%2520d");
        assert_eq!(login_for(&NextPlace::home()), "/owner/login");
    }
}
