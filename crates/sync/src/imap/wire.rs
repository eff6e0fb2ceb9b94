//! The connection to a mail server: always encrypted, certificates checked, every wait limited.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::fault::SyncFault;
use crate::settings::{ImapSecurity, ImapSettings};

/// From the first look at the name to an encrypted connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(20);
/// How long a server may say nothing while we wait for it.
const ANSWER_WITHIN: Duration = Duration::from_mins(2);
/// Longest line of an answer, without its literals.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;
/// Most bytes that a server may send with one answer; the largest message and room for its frame.
const MAX_ANSWER_BYTES: usize = 132 * 1024 * 1024;
const BUFFER_BYTES: usize = 64 * 1024;

/// An encrypted connection.
pub struct Wire {
    stream: BufReader<TlsStream<TcpStream>>,
    host: String,
    received: u64,
}

impl Wire {
    /// Connects as the settings say.
    pub async fn connect(settings: &ImapSettings) -> Result<Self, SyncFault> {
        let connecting = Self::connect_patiently(settings);
        let connected = timeout(CONNECT_WITHIN, connecting).await;
        connected.unwrap_or_else(|_| Err(unreachable(settings, "it does not answer".to_owned())))
    }

    async fn connect_patiently(settings: &ImapSettings) -> Result<Self, SyncFault> {
        let address = (settings.host.as_str(), settings.port);
        let tcp = TcpStream::connect(address).await;
        let mut tcp = tcp.map_err(|error| unreachable(settings, error.to_string()))?;
        // Commands are small and wait for their answers.
        let _ = tcp.set_nodelay(true);
        if settings.security == ImapSecurity::Starttls {
            start_tls(&mut tcp, settings).await?;
        }
        let insecure = |why: String| SyncFault::Insecure {
            host: settings.host.clone(),
            port: settings.port,
            why,
        };
        let name = ServerName::try_from(settings.host.clone())
            .map_err(|_| insecure("this is no name of a server".to_owned()))?;
        let connector = TlsConnector::from(Arc::new(client_config(settings).map_err(&insecure)?));
        let tls = connector.connect(name, tcp).await;
        let tls = tls.map_err(|error| insecure(told(&error)))?;
        let stream = BufReader::with_capacity(BUFFER_BYTES, tls);
        Ok(Self { stream, host: settings.host.clone(), received: 0 })
    }

    /// Sends a line.
    pub async fn send(&mut self, line: &str) -> Result<(), SyncFault> {
        let stream = self.stream.get_mut();
        let sending = async {
            stream.write_all(line.as_bytes()).await?;
            stream.write_all(b"\r\n").await?;
            stream.flush().await
        };
        let sent = timeout(ANSWER_WITHIN, sending).await;
        sent.unwrap_or(Err(io::ErrorKind::TimedOut.into())).map_err(|error| self.lost(&error))
    }

    /// Reads one response with its literals.
    pub async fn response(&mut self) -> Result<Vec<u8>, SyncFault> {
        let mut response = Vec::new();
        loop {
            let began = response.len();
            self.line(&mut response).await?;
            let line = response.get(began..).unwrap_or_default();
            let Some(size) = literal_bytes(line) else { return Ok(response) };
            if response.len().saturating_add(size) > MAX_ANSWER_BYTES {
                return Err(self.unexpected("a literal that is too large"));
            }
            let start = response.len();
            response.resize(start + size, 0);
            let mut at = start;
            while let Some(rest) = response.get_mut(at..).filter(|rest| !rest.is_empty()) {
                let read = timeout(ANSWER_WITHIN, self.stream.read(rest)).await;
                let read = read.unwrap_or(Err(io::ErrorKind::TimedOut.into()));
                match read.map_err(|error| self.lost(&error))? {
                    0 => return Err(self.lost(&io::ErrorKind::UnexpectedEof.into())),
                    some => at += some,
                }
            }
            self.count(size);
        }
    }

    async fn line(&mut self, into: &mut Vec<u8>) -> Result<(), SyncFault> {
        let began = into.len();
        let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        let mut limited = (&mut self.stream).take(limit);
        let read = timeout(ANSWER_WITHIN, limited.read_until(b'\n', into)).await;
        let read = read.unwrap_or(Err(io::ErrorKind::TimedOut.into()));
        read.map_err(|error| self.lost(&error))?;
        self.count(into.len() - began);
        match into.get(began..).unwrap_or_default() {
            line if line.ends_with(b"\n") => Ok(()),
            line if line.len() >= MAX_LINE_BYTES => Err(self.unexpected("a line that is too long")),
            _ => Err(self.lost(&io::ErrorKind::UnexpectedEof.into())),
        }
    }

    /// Bytes that the server has sent inside the encryption.
    pub fn received(&self) -> u64 {
        self.received
    }

    fn count(&mut self, bytes: usize) {
        self.received += u64::try_from(bytes).unwrap_or(0);
    }

    /// The fault of a server that says something wrong.
    pub fn unexpected(&self, what: &str) -> SyncFault {
        SyncFault::Protocol { host: self.host.clone(), what: what.to_owned() }
    }

    /// The fault of a connection that ended.
    pub fn lost(&self, error: &io::Error) -> SyncFault {
        SyncFault::Lost { host: self.host.clone(), why: told(error) }
    }
}

/// How many bytes follow a line that ends with the length of a literal.
fn literal_bytes(line: &[u8]) -> Option<usize> {
    let line = line.strip_suffix(b"}\r\n")?;
    let open = line.iter().rposition(|byte| *byte == b'{')?;
    let digits = line.get(open + 1..)?;
    let digits = digits.strip_suffix(b"+").unwrap_or(digits);
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Asks a server to encrypt, before anything else is sent.
async fn start_tls(tcp: &mut TcpStream, settings: &ImapSettings) -> Result<(), SyncFault> {
    let broken =
        |error: io::Error| SyncFault::Lost { host: settings.host.clone(), why: told(&error) };
    plain_line(tcp).await.map_err(broken)?;
    tcp.write_all(b"S STARTTLS\r\n").await.map_err(broken)?;
    for _ in 0..10 {
        let line = plain_line(tcp).await.map_err(broken)?;
        if line.starts_with("S ") {
            let is_granted = line.get(2..4).is_some_and(|word| word.eq_ignore_ascii_case("OK"));
            let why = "the server refuses STARTTLS".to_owned();
            let (host, port) = (settings.host.clone(), settings.port);
            return if is_granted { Ok(()) } else { Err(SyncFault::Insecure { host, port, why }) };
        }
    }
    Err(SyncFault::Protocol { host: settings.host.clone(), what: "STARTTLS".to_owned() })
}

/// Reads a line byte by byte: what follows belongs to the encryption.
async fn plain_line(tcp: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    while line.len() < 8 * 1024 {
        let byte = tcp.read_u8().await?;
        if byte == b'\n' {
            return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
        line.push(byte);
    }
    Err(io::ErrorKind::InvalidData.into())
}

fn client_config(settings: &ImapSettings) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    let certificates = match &settings.ca_pem {
        None => rustls_native_certs::load_native_certs().certs,
        Some(pem) => CertificateDer::pem_slice_iter(pem.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|_| "the CA file holds no certificate".to_owned())?,
    };
    roots.add_parsable_certificates(certificates);
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn unreachable(settings: &ImapSettings, why: String) -> SyncFault {
    SyncFault::Unreachable { host: settings.host.clone(), port: settings.port, why }
}

/// An error without its codes and inner errors.
fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ended early".to_owned(),
        io::ErrorKind::TimedOut => "it does not answer".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::literal_bytes;

    #[test]
    fn a_line_tells_the_length_of_its_literal() {
        assert_eq!(literal_bytes(b"* 1 FETCH (UID 1 BODY[] {42}\r\n"), Some(42));
        assert_eq!(literal_bytes(b"* OK {braces} but no length\r\n"), None);
        assert_eq!(literal_bytes(b"* OK nothing\r\n"), None);
        assert_eq!(literal_bytes(b"{x}\r\n"), None);
    }
}
