//! The address of a provider: an origin and perhaps a path, nothing that could hold a secret.

use std::str::FromStr;
use std::time::Duration;

use http::Uri;
use tokio::net::TcpStream;

/// `https://host[:port][/path]`, without user, query, fragment or a slash at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderUrl(String);

/// Why a text is no provider address. The text itself is not repeated: it may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProviderUrl {
    /// Neither `https` nor `http`, or no host.
    #[error("a provider URL is https://host, optionally with a port and a path")]
    Shape,
    /// A user or password stands in it.
    #[error("a provider URL must not contain a user name or password; sign in with pdpp connect")]
    Credentials,
    /// Plain `http` to another machine would show the token to everybody in between.
    #[error("http:// is for this machine only; use https:// for another one")]
    Plain,
}

impl ProviderUrl {
    /// The address, ready to have `/v1/…` put behind it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether anybody takes connections there. Only a clear no is one: a slow network is not.
    pub async fn answers(&self, within: Duration) -> bool {
        let uri: Option<Uri> = self.0.parse().ok();
        let Some(authority) = uri.as_ref().and_then(Uri::authority) else {
            return false;
        };
        let usual = if self.0.starts_with("https:") { 443 } else { 80 };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        let connecting = TcpStream::connect((host, authority.port_u16().unwrap_or(usual)));
        tokio::time::timeout(within, connecting).await.map_or(true, |connected| connected.is_ok())
    }

    /// Host, port and path, as one name for files that belong to this provider.
    pub fn place(&self) -> &str {
        self.0.split_once("://").map_or(self.0.as_str(), |(_, place)| place)
    }
}

impl FromStr for ProviderUrl {
    type Err = InvalidProviderUrl;

    fn from_str(text: &str) -> Result<Self, InvalidProviderUrl> {
        let text = text.trim();
        let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let end = full.find(['?', '#']).unwrap_or(full.len());
        let bare = full.get(..end).unwrap_or_default().trim_end_matches('/');
        let uri: Uri = bare.parse().map_err(|_| InvalidProviderUrl::Shape)?;
        let authority = uri.authority().ok_or(InvalidProviderUrl::Shape)?;
        if authority.as_str().contains('@') {
            return Err(InvalidProviderUrl::Credentials);
        }
        let (scheme, host) = (uri.scheme_str(), authority.host());
        match scheme {
            Some("https") if !host.is_empty() => {}
            Some("http") if is_loopback(host) => {}
            Some("http") if !host.is_empty() => return Err(InvalidProviderUrl::Plain),
            _ => return Err(InvalidProviderUrl::Shape),
        }
        let path = uri.path().trim_end_matches('/');
        let scheme = scheme.unwrap_or("https");
        Ok(Self(format!("{scheme}://{}{path}", authority.as_str().to_ascii_lowercase())))
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let by_address = bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    by_address || bare.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, InvalidProviderUrl> {
        text.parse().map(|url: ProviderUrl| url.0)
    }

    #[test]
    fn what_people_type_becomes_one_address() {
        for (typed, address) in [
            ("data.example.org", "https://data.example.org"),
            (" https://Data.Example.org/ ", "https://data.example.org"),
            ("https://example.org:8443/pdpp/?a=b#c", "https://example.org:8443/pdpp"),
            ("http://127.0.0.1:7667", "http://127.0.0.1:7667"),
            ("http://[::1]:7667/", "http://[::1]:7667"),
            ("http://localhost:1", "http://localhost:1"),
        ] {
            assert_eq!(read(typed).unwrap(), address, "{typed}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        use InvalidProviderUrl as Fault;
        for (typed, fault) in [
            ("", Fault::Shape),
            ("ftp://example.org", Fault::Shape),
            ("https://", Fault::Shape),
            ("https://ada:secret@example.org", Fault::Credentials),
            ("http://example.org", Fault::Plain),
        ] {
            let refused = read(typed).unwrap_err();
            assert_eq!(refused, fault, "{typed}");
            assert!(!refused.to_string().contains("secret"));
        }
    }
}
