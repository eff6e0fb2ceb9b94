//! The network as far as a fetch needs it: names, and connections to given addresses.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use hyper_rustls::ConfigBuilderExt as _;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Both directions of a connection.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Names and connections.
#[async_trait]
pub trait Network: Send + Sync {
    /// The addresses of a name.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    /// A connection to exactly this address, which proves to be `host`.
    async fn connect(&self, host: &str, address: SocketAddr) -> io::Result<Box<dyn Stream>>;
}

/// The machine's own network, with the system's certificates.
#[derive(Default)]
pub struct SystemNetwork {
    /// Read when the first document is fetched; most servers never fetch one.
    tls: OnceLock<Option<Arc<ClientConfig>>>,
}

impl SystemNetwork {
    fn tls(&self) -> io::Result<TlsConnector> {
        let config = self.tls.get_or_init(|| {
            let builder = ClientConfig::builder().with_native_roots().ok()?;
            Some(Arc::new(builder.with_no_client_auth()))
        });
        let config = config.clone().ok_or_else(|| {
            tracing::warn!("this machine has no certificates; clients' documents stay unread");
            io::Error::from(io::ErrorKind::NotFound)
        })?;
        Ok(TlsConnector::from(config))
    }
}

#[async_trait]
impl Network for SystemNetwork {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 443)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }

    async fn connect(&self, host: &str, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let tls = self.tls()?;
        let stream = TcpStream::connect(address).await?;
        Ok(Box::new(tls.connect(name, stream).await?))
    }
}
