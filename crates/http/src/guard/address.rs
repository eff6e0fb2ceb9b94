//! Host names and origins as they stand in headers.

use std::net::IpAddr;

use axum::http::uri::Authority;

/// A host with its port, lower-case; an IPv6 address stands without brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostAddress {
    pub host: String,
    pub port: Option<u16>,
}

impl HostAddress {
    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`. Never user names, never anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        let written = authority.host();
        let port = match text.strip_prefix(written)? {
            "" => None,
            port => Some(port.strip_prefix(':')?.parse().ok()?),
        };
        let host = written.trim_start_matches('[').trim_end_matches(']');
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        (!host.is_empty()).then_some(Self { host, port })
    }

    /// The host as an address, when it is one.
    pub fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    /// `localhost`, its subdomains, and addresses that never leave the machine.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || self.host.ends_with(".localhost")
            || self.ip().is_some_and(|ip| ip.is_loopback())
    }
}

/// A scheme, host and port: who a page belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub https: bool,
    pub address: HostAddress,
}

impl Origin {
    /// Reads `http://host[:port]` or `https://host[:port]`; `null` and everything else is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, address) = text.split_once("://")?;
        let https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        Some(Self { https, address: HostAddress::parse(address)? })
    }

    /// The port, written or implied.
    pub fn port(&self) -> u16 {
        self.address.port.unwrap_or(if self.https { 443 } else { 80 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_write_them() {
        let read = |text| HostAddress::parse(text).unwrap();
        assert_eq!(read("Example.ORG:8080").host, "example.org");
        assert_eq!(read("example.org.").host, "example.org");
        assert_eq!(read("[::1]:7667"), HostAddress { host: "::1".to_owned(), port: Some(7667) });
        assert!(read("[::1]").is_loopback() && read("127.8.8.8:1").is_loopback());
        assert!(read("localhost").is_loopback() && !read("localhost.evil.org").is_loopback());
    }

    #[test]
    fn what_is_no_address_is_none() {
        for bad in ["", "a b", "user@host", "host:port", "host:", "a/b", "host:99999"] {
            assert_eq!(HostAddress::parse(bad), None, "{bad}");
        }
        for bad in ["null", "example.org", "ftp://x", "https://", "https://a/b", "file://"] {
            assert_eq!(Origin::parse(bad), None, "{bad}");
        }
    }
}
