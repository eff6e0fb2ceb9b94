//! The same port on the other loopback address, kept free of other programs.
//!
//! To a browser `localhost` is `[::1]` and `127.0.0.1`. A program that took the address we do not
//! listen on would be the same origin as this server and be sent the owner's session.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpSocket;

/// Holds the port for as long as it lives. Nobody listens there, so that browsers go on to our address.
#[derive(Debug)]
pub struct ReservedPort(
    #[expect(dead_code, reason = "the port is free again when it is dropped")] TcpSocket,
);

impl ReservedPort {
    /// Takes the port on the other loopback address, unless this server listens elsewhere.
    pub fn beside(local: SocketAddr) -> Option<Self> {
        let other = match local.ip() {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::LOCALHOST) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V4(_) | IpAddr::V6(_) => return None,
        };
        let socket = if other.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let address = SocketAddr::new(other, local.port());
        match socket.and_then(|socket| socket.bind(address).map(|()| socket)) {
            Ok(socket) => Some(Self(socket)),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                tracing::warn!(
                    "another program has {address}, which browsers may take for localhost; open \
                     http://{local} instead"
                );
                None
            }
            // Without that family of addresses nobody else has it either.
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn nobody_else_takes_our_port_on_the_other_loopback_address() {
        let ours = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let local = ours.local_addr().unwrap();
        let other = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), local.port());
        // Taken by chance, or no such addresses on this machine: nothing to see here.
        let Some(reserved) = ReservedPort::beside(local) else { return };
        let taken = TcpListener::bind(other).await.map(drop).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AddrInUse);
        drop(reserved);
        TcpListener::bind(other).await.unwrap();
    }
}
