//! Just enough of HTTP to read from our own server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::world::unexpected;
use crate::error::BenchError;

/// A server on this machine and the token to read it with.
pub struct Client {
    pub host: String,
    pub token: String,
}

impl Client {
    /// Reads a path to its end; the bytes are counted and dropped. Whoever is told to wait does.
    pub fn read(&self, path: &str) -> Result<u64, BenchError> {
        loop {
            match self.try_read(path)? {
                Some(bytes) => return Ok(bytes),
                None => std::thread::sleep(Duration::from_millis(200)),
            }
        }
    }

    /// The same; `None` when the server wants the caller to wait.
    fn try_read(&self, path: &str) -> Result<Option<u64>, BenchError> {
        let failed = |error: std::io::Error| unexpected(&format!("the server went away: {error}"));
        let mut stream = TcpStream::connect(&self.host).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_mins(1))).map_err(failed)?;
        let (host, token) = (&self.host, &self.token);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Connection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let mut buffer = vec![0; 64 * 1024];
        let mut status: Option<Answered> = None;
        let mut bytes = 0;
        loop {
            let read = stream.read(&mut buffer).map_err(failed)?;
            let seen = buffer.get(..read).unwrap_or_default();
            status.get_or_insert_with(|| Answered::of(seen));
            if read == 0 {
                break;
            }
            bytes += u64::try_from(read).unwrap_or(0);
        }
        match status {
            Some(Answered::Well) => Ok(Some(bytes)),
            Some(Answered::Wait) => Ok(None),
            Some(Answered::Refused) | None => {
                Err(unexpected(&format!("the server refused {path}")))
            }
        }
    }
}

/// How an answer begins.
enum Answered {
    Well,
    Wait,
    Refused,
}

impl Answered {
    fn of(head: &[u8]) -> Self {
        if head.starts_with(b"HTTP/1.1 200") {
            Self::Well
        } else if head.starts_with(b"HTTP/1.1 429") {
            Self::Wait
        } else {
            Self::Refused
        }
    }
}
