//! From where somebody calls, when a proxy of the owner's stands in between.
//!
//! Whoever connects can write anything into a header. So only a proxy that the owner named is
//! believed, and only about one thing: the address of the one for whom it calls.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// A proxy's address, or a network of them: `127.0.0.1`, `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy {
    address: IpAddr,
    bits: u8,
}

/// A text that is neither an address nor a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a proxy is an IP address, or a network such as 10.0.0.0/8")]
pub struct InvalidProxy;

impl FromStr for TrustedProxy {
    type Err = InvalidProxy;

    fn from_str(text: &str) -> Result<Self, InvalidProxy> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().map_err(|_| InvalidProxy)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| InvalidProxy)?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all);
        // Everybody is no proxy.
        if bits == 0 || bits > all {
            return Err(InvalidProxy);
        }
        Ok(Self { address, bits })
    }
}

impl TrustedProxy {
    /// Whether it is this address, or one of this network.
    pub fn holds(self, other: IpAddr) -> bool {
        let shared = match (self.address, other) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            _ => return false,
        };
        shared >= u32::from(self.bits)
    }
}

/// From where a request really comes; travels with it.
#[derive(Debug, Clone, Copy)]
struct CallerAddress(IpAddr);

/// Notes from where a request comes: its peer, or whom a trusted proxy names.
pub fn note_caller(trusted: &[TrustedProxy], request: &mut Request) {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    if let Some(peer) = peer {
        let caller = caller_behind(trusted, peer.to_canonical(), request.headers());
        request.extensions_mut().insert(CallerAddress(caller));
    }
}

/// From where a request comes, as the guard noted it.
pub fn caller_address(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<CallerAddress>().map(|caller| caller.0)
}

/// Each proxy adds the one it was called by at the end: from there back to the first stranger.
fn caller_behind(trusted: &[TrustedProxy], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let named = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = named.flat_map(|value| value.split(',')).collect();
    let mut caller = peer;
    for earlier in named.iter().rev() {
        if !trusted.iter().any(|proxy| proxy.holds(caller)) {
            break;
        }
        match address(earlier.trim()) {
            Some(address) => caller = address,
            None => break,
        }
    }
    caller
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(trusted: &[&str], peer: &str, forwarded: &[&str]) -> String {
        let trusted: Vec<TrustedProxy> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        caller_behind(&trusted, peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_stranger_is_believed_nothing() {
        assert_eq!(behind(&[], "198.51.100.7", &["203.0.113.1"]), "198.51.100.7");
        let proxy = ["127.0.0.1"];
        assert_eq!(behind(&proxy, "198.51.100.7", &["203.0.113.1"]), "198.51.100.7");
    }

    #[test]
    fn a_trusted_proxy_names_its_caller_and_what_the_caller_said_does_not_count() {
        let proxy = ["127.0.0.1"];
        assert_eq!(behind(&proxy, "127.0.0.1", &["203.0.113.1"]), "203.0.113.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["6.6.6.6, 203.0.113.1"]), "203.0.113.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["6.6.6.6", "203.0.113.1"]), "203.0.113.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["203.0.113.1:4711"]), "203.0.113.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["::ffff:203.0.113.1"]), "203.0.113.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &["6.6.6.6, who knows"]), "127.0.0.1");
        assert_eq!(behind(&proxy, "127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn a_chain_of_proxies_is_followed_to_the_first_stranger() {
        let proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
        let chain = "6.6.6.6, 203.0.113.1, fd12::1, 10.200.0.3";
        assert_eq!(behind(&proxies, "127.0.0.1", &[chain]), "203.0.113.1");
        assert_eq!(behind(&proxies, "11.0.0.1", &[chain]), "11.0.0.1");
    }

    #[test]
    fn what_is_no_proxy_is_refused() {
        for bad in ["", "proxy.example", "10.0.0.0/33", "0.0.0.0/0", "::/0", "10.0.0.0/x", "/8"] {
            assert_eq!(bad.parse::<TrustedProxy>(), Err(InvalidProxy), "{bad}");
        }
    }
}
