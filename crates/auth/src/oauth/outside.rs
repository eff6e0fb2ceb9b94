//! Documents from elsewhere: who fetches them, and which addresses are outside at all.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use async_trait::async_trait;

/// A fetched document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its text.
    pub body: String,
    /// How long its sender lets it be kept, in seconds.
    pub max_age_seconds: Option<u64>,
}

/// A document that could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the document cannot be fetched: {0}")]
pub struct FetchFault(pub &'static str);

/// Fetches a document from a public site, and from nowhere else: `https`, the usual port, no
/// redirects, addresses checked and used as checked, little time, little space.
#[async_trait]
pub trait DocumentFetcher: Send + Sync {
    /// The document at `url`, which holds at most `max_bytes`.
    async fn fetch(&self, url: &str, max_bytes: usize) -> Result<Fetched, FetchFault>;
}

/// Whether an address belongs to the public internet. Everything else may be the owner's own
/// machine or network, which a stranger must not reach through us.
pub fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        (0 | 10 | 127 | 224.., _, _)
        | (169, 254, _)
        | (192, 168, _)
        | (192, 0, 0 | 2)
        | (192, 88, 99)
        | (198, 18 | 19, _)
        | (198, 51, 100)
        | (203, 0, 113) => true,
        (100, second, _) => (64..128).contains(&second),
        (172, second, _) => (16..32).contains(&second),
        _ => false,
    };
    !special
}

/// Only `2000::/3` is given out, and parts of it stand for something else: documentation, tunnels that
/// hide another address, benchmarks.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let special =
        matches!((first, second), (0x2001, 0x0000..=0x01ff | 0x0db8) | (0x2002 | 0x3fff, _));
    (0x2000..=0x3fff).contains(&first) && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every range that is not the open internet, at its ends.
    const INSIDE: &str = "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 \
         127.255.255.255 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 \
         192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 \
         198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 \
         255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 \
         64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: \
         2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002::1 3fff::1 \
         5f00::1 fc00::1 fd00::1 fd12:3456::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 \
         4000::1 8000::1";
    const OUTSIDE: &str = "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 \
         198.17.0.1 198.20.0.1 223.255.255.255 2606:4700::1111 2a00:1450::1 2001:200::1 \
         2001:4860:4860::8888";

    #[test]
    fn t_ssrf_1_no_address_of_the_owner_s_network_is_public() {
        for inside in INSIDE.split(' ') {
            assert!(!is_public_address(inside.parse().unwrap()), "{inside}");
        }
        for outside in OUTSIDE.split(' ') {
            assert!(is_public_address(outside.parse().unwrap()), "{outside}");
        }
    }
}
