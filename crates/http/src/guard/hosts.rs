//! Which hosts this server answers for, and which pages may call it.
//!
//! A browser sends the name it looked up as Host. A page of another site that points its own name
//! at this machine therefore arrives with a foreign Host, and is turned away here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, Uri, header};
use pdpp_contract::{ApiError, ErrorCode};

use super::address::{HostAddress, Origin};

/// The address under which the outside world knows this server: scheme, host and port, no path.
#[derive(Debug, Clone)]
pub struct PublicUrl(Origin);

impl PublicUrl {
    /// Reads a public URL; `None` when it is not `http(s)://host[:port]`.
    pub fn parse(text: &str) -> Option<Self> {
        Origin::parse(text.strip_suffix('/').unwrap_or(text)).map(Self)
    }
}

/// The names this server goes by.
#[derive(Debug, Clone)]
pub struct Hosts {
    listen: IpAddr,
    public: Option<Origin>,
}

impl Hosts {
    /// Derives the names from where the server listens and what it is called outside.
    pub fn new(listen: IpAddr, public: Option<PublicUrl>) -> Self {
        Self { listen, public: public.map(|PublicUrl(origin)| origin) }
    }

    /// The host a request is for, when it is one of ours.
    pub fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<HostAddress, ApiError> {
        asked_host(uri, headers).filter(|host| self.is_ours(host)).ok_or_else(|| {
            let message = "this server does not answer for that host; use its own address, or \
                           start it with that address as its public URL";
            ApiError::new(ErrorCode::MisdirectedRequest, message).param("Host")
        })
    }

    /// Lets requests of programs (no Origin) and of our own pages through, and no other page's.
    pub fn check_origin(&self, host: &HostAddress, headers: &HeaderMap) -> Result<(), ApiError> {
        let mut given = headers.get_all(header::ORIGIN).iter().peekable();
        if given.peek().is_none() {
            return Ok(());
        }
        let mut origins = given.map(|value| value.to_str().ok().and_then(Origin::parse));
        if origins.all(|origin| origin.is_some_and(|origin| self.may_call(&origin, host))) {
            return Ok(());
        }
        let message = "pages of this site may not call this server";
        Err(ApiError::new(ErrorCode::OriginNotAllowed, message).param("Origin"))
    }

    /// Whether a request is for the server's public name.
    pub fn is_public(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let host = asked_host(uri, headers);
        self.public.as_ref().zip(host).is_some_and(|(public, host)| same_host(public, &host))
    }

    fn is_ours(&self, host: &HostAddress) -> bool {
        if self.public.as_ref().is_some_and(|public| same_host(public, host)) {
            return true;
        }
        if self.listen.is_loopback() {
            return host.is_loopback();
        }
        // A name can be pointed anywhere, a literal address cannot: it names this machine.
        match host.ip() {
            Some(ip) => self.listen.is_unspecified() || ip == self.listen,
            None => self.listen.is_unspecified() && host.is_loopback(),
        }
    }

    fn may_call(&self, origin: &Origin, host: &HostAddress) -> bool {
        let ours = Origin { https: origin.https, address: host.clone() };
        let is_own = origin.address.host == host.host && origin.port() == ours.port();
        let is_public = self.public.as_ref().is_some_and(|public| {
            public.https == origin.https
                && public.address.host == origin.address.host
                && public.port() == origin.port()
        });
        is_own || is_public || (self.listen.is_loopback() && origin.address.is_loopback())
    }
}

/// Behind a proxy the port may be left out or be the proxy's own, so a missing one fits.
fn same_host(public: &Origin, host: &HostAddress) -> bool {
    public.address.host == host.host && host.port.is_none_or(|port| port == public.port())
}

/// The Host header, or the authority of an HTTP/2 request; none when they disagree.
fn asked_host(uri: &Uri, headers: &HeaderMap) -> Option<HostAddress> {
    let mut named: Vec<Option<HostAddress>> = Vec::new();
    named.extend(uri.authority().map(|authority| HostAddress::parse(authority.as_str())));
    for value in headers.get_all(header::HOST) {
        named.push(value.to_str().ok().and_then(HostAddress::parse));
    }
    let first = named.first().cloned().flatten()?;
    named.iter().all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Where the server can be reached: its public URL, else its own address.
pub fn base_url(local: SocketAddr, public: Option<&str>) -> String {
    if let Some(public) = public {
        return public.strip_suffix('/').unwrap_or(public).to_owned();
    }
    let reachable = match local.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(reachable, local.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listen: &str, public: Option<&str>) -> Hosts {
        let public = public.map(|url| PublicUrl::parse(url).unwrap());
        Hosts::new(listen.parse().unwrap(), public)
    }

    fn answers(hosts: &Hosts, host: &str) -> bool {
        let headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
        hosts.check_host(&"/v1/schema".parse().unwrap(), &headers).is_ok()
    }

    fn calls(hosts: &Hosts, origin: &str) -> bool {
        let headers = HeaderMap::from_iter([(header::ORIGIN, origin.parse().unwrap())]);
        let host = HostAddress::parse("localhost:7667").unwrap();
        hosts.check_origin(&host, &headers).is_ok()
    }

    #[test]
    fn a_local_server_answers_for_local_names_only() {
        let local = hosts("127.0.0.1", None);
        for ours in ["localhost:7667", "127.0.0.1:7667", "[::1]:7667", "LOCALHOST"] {
            assert!(answers(&local, ours), "{ours}");
        }
        for foreign in ["evil.org", "localhost.evil.org", "192.168.1.5:7667", "a@localhost", ""] {
            assert!(!answers(&local, foreign), "{foreign}");
        }
    }

    #[test]
    fn a_public_server_answers_for_its_name_and_its_address() {
        let public = hosts("0.0.0.0", Some("https://data.example.org/"));
        for ours in ["data.example.org", "data.example.org:443", "10.0.0.7:7667", "localhost"] {
            assert!(answers(&public, ours), "{ours}");
        }
        for foreign in ["example.org", "data.example.org:8443", "data.example.org.evil.org"] {
            assert!(!answers(&public, foreign), "{foreign}");
        }
        assert!(!answers(&hosts("10.0.0.7", None), "10.0.0.8"));
    }

    #[test]
    fn two_names_for_one_request_are_none() {
        let mut headers = HeaderMap::new();
        let local = hosts("127.0.0.1", None);
        let uri: Uri = "http://localhost:1/v1/schema".parse().unwrap();
        assert!(local.check_host(&uri, &headers).is_ok());
        headers.append(header::HOST, "127.0.0.1:1".parse().unwrap());
        assert!(local.check_host(&uri, &headers).is_err());
        assert!(local.check_host(&"/".parse().unwrap(), &HeaderMap::new()).is_err());
    }

    #[test]
    fn only_our_own_pages_may_call() {
        let local = hosts("127.0.0.1", Some("https://data.example.org"));
        for ours in ["http://localhost:7667", "http://127.0.0.1:3000", "https://data.example.org"] {
            assert!(calls(&local, ours), "{ours}");
        }
        for foreign in ["null", "https://evil.org", "http://data.example.org", "file://"] {
            assert!(!calls(&local, foreign), "{foreign}");
        }
        let public = hosts("0.0.0.0", Some("https://data.example.org"));
        assert!(!calls(&public, "http://127.0.0.1:3000"));
    }

    #[test]
    fn the_base_url_can_be_opened() {
        let url = |listen: &str| base_url(listen.parse().unwrap(), None);
        assert_eq!(url("0.0.0.0:7667"), "http://127.0.0.1:7667");
        assert_eq!(url("[::1]:7667"), "http://[::1]:7667");
        let local = "127.0.0.1:1".parse().unwrap();
        assert_eq!(base_url(local, Some("https://data.example.org/")), "https://data.example.org");
    }
}
