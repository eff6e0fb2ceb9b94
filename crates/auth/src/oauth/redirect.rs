//! Where answers may be sent: which addresses a client may register, and which match later.

use super::address::WebAddress;

/// Longest address that is looked at.
const MAX_BYTES: usize = 2_000;
/// Schemes of programs that are known to take answers, without a dot in them.
const PRIVATE_SCHEMES: [&str; 10] = [
    "claude",
    "cursor",
    "jetbrains",
    "vscode",
    "vscode-insiders",
    "vscodium",
    "windsurf",
    "zed",
    "raycast",
    "goose",
];

/// What kind of place an answer goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// A site.
    Https,
    /// A program that listens on the owner's machine.
    Loopback,
    /// A program that the system opens by its own scheme.
    Private,
}

/// The kind of an address to which answers may be sent; `None` for every other text.
pub(super) fn kind_of(uri: &str) -> Option<RedirectKind> {
    if uri.len() > MAX_BYTES {
        return None;
    }
    if let Some(address) = WebAddress::parse(uri) {
        return match (address.https, address.is_loopback()) {
            (true, _) => Some(RedirectKind::Https),
            (false, true) => Some(RedirectKind::Loopback),
            (false, false) => None,
        };
    }
    let (scheme, rest) = uri.split_once(':')?;
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\#<>\"^`{|}*@".contains(&byte);
    (is_private_scheme(scheme) && !rest.is_empty() && rest.bytes().all(plain))
        .then_some(RedirectKind::Private)
}

fn is_private_scheme(scheme: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let shaped =
        scheme.bytes().all(allowed) && scheme.starts_with(|c: char| c.is_ascii_lowercase());
    let reverse_name = scheme.contains('.') && !scheme.starts_with('.') && !scheme.ends_with('.');
    shaped && (PRIVATE_SCHEMES.contains(&scheme) || reverse_name)
}

/// Whether a client may be answered at an address, given one it registered. Only the port of a
/// program on the owner's machine is free: such programs take whichever is.
pub(super) fn matches(registered: &str, given: &str) -> bool {
    let kinds = (kind_of(registered), kind_of(given));
    match kinds {
        (Some(RedirectKind::Loopback), Some(RedirectKind::Loopback)) => {
            let (Some(a), Some(b)) = (WebAddress::parse(registered), WebAddress::parse(given))
            else {
                return false;
            };
            a.host == b.host && slashed(a.rest) == slashed(b.rest)
        }
        (Some(a), Some(b)) => a == b && registered == given,
        _ => false,
    }
}

/// No path and the root are one place.
fn slashed(rest: &str) -> &str {
    if rest.is_empty() { "/" } else { rest }
}

/// Who receives the answer, for the owner to see: a host, or a scheme.
pub(super) fn host_of(uri: &str) -> String {
    match WebAddress::parse(uri) {
        Some(address) => address.host.to_ascii_lowercase(),
        None => uri.split(':').next().unwrap_or_default().to_owned() + "://",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_places_that_can_be_trusted_with_a_code_are_kinds() {
        for (uri, kind) in [
            ("https://claude.ai/api/mcp/auth_callback", Some(RedirectKind::Https)),
            ("http://localhost/callback", Some(RedirectKind::Loopback)),
            ("http://127.0.0.1:33418/", Some(RedirectKind::Loopback)),
            ("http://[::1]:9/x", Some(RedirectKind::Loopback)),
            ("cursor://anysphere.cursor-mcp/oauth/callback", Some(RedirectKind::Private)),
            ("com.example.app:/oauth", Some(RedirectKind::Private)),
            ("http://example.org/", None),
            ("http://localhost.evil.org/", None),
            ("http://127.0.0.2/", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("about:blank", None),
            ("https://a/#x", None),
            ("https://user@a/", None),
            ("https://*.a/", None),
            ("unknown://x", None),
            ("", None),
        ] {
            assert_eq!(kind_of(uri), kind, "{uri}");
        }
    }

    /// Recorded: how clients register and what they then send.
    #[test]
    fn clients_get_the_port_they_found_and_nothing_else() {
        for (registered, given) in [
            ("http://localhost/callback", "http://localhost:51234/callback"),
            ("http://127.0.0.1:33418/", "http://127.0.0.1:52001/"),
            ("http://127.0.0.1:33418", "http://127.0.0.1:52001/"),
            ("http://[::1]:1/a?b=c", "http://[::1]/a?b=c"),
            ("https://a.example/cb?x=1", "https://a.example/cb?x=1"),
            ("cursor://a/b", "cursor://a/b"),
        ] {
            assert!(matches(registered, given), "{registered} {given}");
        }
        for (registered, given) in [
            ("http://localhost/callback", "http://127.0.0.1/callback"),
            ("http://localhost/callback", "http://localhost/callback/"),
            ("http://localhost/callback", "http://localhost/callback?a=b"),
            ("http://localhost/callback", "https://localhost/callback"),
            ("http://localhost/callback", "http://localhost/Callback"),
            ("https://a.example/cb", "https://a.example:8443/cb"),
            ("https://a.example/cb", "https://a.example/cb/../x"),
            ("https://a.example/cb", "https://a.example/cb?x"),
            ("https://a.example/cb", "https://a.example.evil.org/cb"),
            ("https://a.example/cb", "https://a.example@evil.org/cb"),
            ("https://a.example/cb", "https://A.example/cb"),
            ("https://a.example/cb", "https://a.example/%63b"),
            ("https://a.example/cb", "http://a.example/cb"),
            ("cursor://a/b", "cursor://a/c"),
            ("http://evil.org/", "http://evil.org/"),
        ] {
            assert!(!matches(registered, given), "{registered} {given}");
        }
    }

    proptest! {
        #[test]
        fn one_changed_letter_is_another_address(at in 0_usize..32, to in "[ -~]") {
            for registered in ["https://app.example/callback?a=b", "cursor://a.cursor-mcp/callback/x"] {
                let mut given = registered.to_owned();
                given.replace_range(at..=at, &to);
                prop_assert_eq!(matches(registered, &given), registered == given, "{}", given);
            }
        }

        #[test]
        fn no_text_is_taken_for_a_place_that_a_browser_would_run_or_read(
            scheme in "(javascript|data|file|vbscript|blob|about|view-source|ftp|ws|http|HTTP)",
            rest in "(//)?[ -~]{0,40}",
        ) {
            let uri = format!("{scheme}:{rest}");
            let loopback = ["http://localhost", "http://127.0.0.1", "http://[::1]"];
            let lower = uri.to_ascii_lowercase();
            let is_loopback = loopback.iter().any(|start| lower.starts_with(start));
            prop_assert!(kind_of(&uri).is_none() || is_loopback, "{}", uri);
        }

        #[test]
        fn any_text_can_be_asked_about(one in "\\PC{0,60}", other in "\\PC{0,60}") {
            prop_assert!(!matches(&one, &other) || kind_of(&other).is_some());
            let _ = host_of(&one);
        }
    }
}
