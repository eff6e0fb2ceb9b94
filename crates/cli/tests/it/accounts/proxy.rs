//! A line to the mail server that can be cut after so many bytes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Passes connections on.
pub struct Proxy {
    port: u16,
    limit: Arc<AtomicU64>,
}

impl Proxy {
    /// Passes everything on to a port of this machine, for now.
    pub fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let limit = Arc::new(AtomicU64::new(u64::MAX));
        let allowed = Arc::clone(&limit);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, limit) = (client.unwrap(), allowed.load(Ordering::SeqCst));
                let server = TcpStream::connect(("127.0.0.1", server)).unwrap();
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || pass(from, to, u64::MAX));
                std::thread::spawn(move || pass(server, client, limit));
            }
        });
        Self { port, limit }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Cuts each connection from now on when the server has sent so many bytes.
    pub fn cut_after(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::SeqCst);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut left: u64) {
    let mut buffer = [0; 4096];
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        match from.read(&mut buffer[..most]) {
            Ok(0) | Err(_) => break,
            Ok(read) if to.write_all(&buffer[..read]).is_err() => break,
            Ok(read) => left -= read as u64,
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
