//! A front door that does not pass everything on as it should.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// What the proxy does to an answer: gets the request's path and the whole answer.
pub type Meddling = fn(&str, String) -> String;

/// A proxy on a free port, gone with this value. One request per connection is enough here.
pub struct Proxy {
    pub url: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Stands in front of `server`, an address with its port.
    pub fn before(server: &str, meddle: Meddling) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let (stop, server, url) =
            (Arc::new(AtomicBool::new(false)), server.to_owned(), format!("http://{own}"));
        let told = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            for visitor in listener.incoming() {
                if told.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(visitor) = visitor else { return };
                // A visitor who only knocks is let go.
                let _ = pass_on(visitor, &server, meddle);
            }
        });
        Self { url, stop, thread: Some(thread) }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
        let _ = self.thread.take().unwrap().join();
    }
}

fn pass_on(mut visitor: TcpStream, server: &str, meddle: Meddling) -> std::io::Result<()> {
    let request = head_and_body(&mut visitor)?;
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return Ok(()) };
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut onward = TcpStream::connect(server)?;
    write!(onward, "{head}\r\nConnection: close\r\n\r\n{body}")?;
    let mut answer = String::new();
    onward.read_to_string(&mut answer)?;
    visitor.write_all(meddle(&path, answer).as_bytes())
}

/// One request, whose body is as long as it says.
fn head_and_body(visitor: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 4_096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_lowercase();
            let length = lower.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
            if body.len() >= length {
                return Ok(text.into_owned());
            }
        }
        match visitor.read(&mut part)? {
            0 => return Ok(String::new()),
            read => bytes.extend_from_slice(&part[..read]),
        }
    }
}
