//! Addresses as clients write them: read strictly, never rewritten.

/// A URL with an authority, taken apart. Kept as it was written: clients compare bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WebAddress<'a> {
    pub(super) https: bool,
    /// With the brackets of an IPv6 address.
    pub(super) host: &'a str,
    pub(super) port: Option<u16>,
    /// Path and query: everything behind the authority.
    pub(super) rest: &'a str,
    origin_length: usize,
    text: &'a str,
}

impl<'a> WebAddress<'a> {
    /// `http(s)://host[:port][/…]`; none with a user, a fragment, or characters that no URL has.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let plain =
            text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\#<>\"^`{|}*".contains(&byte));
        if !plain {
            return None;
        }
        let (scheme, behind) = text.split_once("://")?;
        let https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let end = behind.find(['/', '?']).unwrap_or(behind.len());
        let (authority, rest) = behind.split_at_checked(end)?;
        if authority.contains('@') || authority.contains('%') {
            return None;
        }
        let (host, port) = host_and_port(authority)?;
        let origin_length = text.len() - rest.len();
        Some(Self { https, host, port, rest, origin_length, text })
    }

    /// Scheme, host and port as they are written.
    pub(super) fn origin(&self) -> &'a str {
        self.text.get(..self.origin_length).unwrap_or(self.text)
    }

    /// The path alone.
    pub(super) fn path(&self) -> &'a str {
        self.rest.split_once('?').map_or(self.rest, |(path, _)| path)
    }

    /// Whether the host is one of the names that never leave the machine.
    pub(super) fn is_loopback(&self) -> bool {
        ["127.0.0.1", "[::1]", "localhost"].contains(&self.host)
    }

    /// Whether the host is an address and not a name, in any spelling that a resolver might take.
    pub(super) fn is_literal(&self) -> bool {
        let last = self.host.rsplit('.').find(|label| !label.is_empty()).unwrap_or_default();
        let number = last.bytes().all(|byte| byte.is_ascii_digit())
            || last.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
        self.host.starts_with('[') || number
    }
}

/// Digits alone: numbers as programs read them may have a sign.
fn port_number(text: &str) -> Option<u16> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

fn host_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let host_end = match authority.strip_prefix('[') {
        Some(_) => authority.find(']')? + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at_checked(host_end)?;
    if host.is_empty() || host == "[]" {
        return None;
    }
    let port = match port {
        "" => None,
        port => Some(port_number(port.strip_prefix(':')?)?),
    };
    Some((host, port))
}

/// Appends parameters to an address that may have some.
pub(super) fn with_params(address: &str, params: &[(&str, &str)]) -> String {
    let mut text = address.to_owned();
    let mut joint = if address.contains('?') { '&' } else { '?' };
    for (name, value) in params {
        text.push(joint);
        text.push_str(name);
        text.push('=');
        encode(value, &mut text);
        joint = '&';
    }
    text
}

fn encode(value: &str, into: &mut String) {
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                into.push(char::from(byte));
            }
            other => into.push_str(&format!("%{other:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart_as_written() {
        let address = WebAddress::parse("HTTPS://Host.example:8443/a?b=c").unwrap();
        assert_eq!((address.https, address.host, address.port), (true, "Host.example", Some(8443)));
        assert!(WebAddress::parse("http://127.0.0.1:+80/cb").is_none());
        assert_eq!((address.origin(), address.path()), ("HTTPS://Host.example:8443", "/a"));
        let bare = WebAddress::parse("http://[::1]").unwrap();
        assert!(bare.is_loopback() && bare.is_literal() && bare.rest.is_empty());
        for bad in [
            "https://",
            "https://a@b",
            "https://a#b",
            "https://a b",
            "https://a\\b",
            "//a",
            "a",
            "https://:1",
            "https://a:x",
            "https://a:99999",
            "https://[::1",
            "https://é.example",
            "https://a%2eb/",
            "ftp://a",
            "https://*.example/",
        ] {
            assert_eq!(WebAddress::parse(bad), None, "{bad}");
        }
        for literal in
            ["https://127.1/", "https://0x7f.1/", "https://2130706433/", "https://1.2.3.4./"]
        {
            assert!(WebAddress::parse(literal).unwrap().is_literal(), "{literal}");
        }
        assert!(!WebAddress::parse("https://a1.example/").unwrap().is_literal());
    }

    #[test]
    fn parameters_join_what_is_there_and_cannot_break_out() {
        assert_eq!(with_params("a://b", &[("c", "d&e=f#g")]), "a://b?c=d%26e%3Df%23g");
        assert_eq!(with_params("a://b?x=1", &[("c", "é"), ("d", "")]), "a://b?x=1&c=%C3%A9&d=");
    }
}
