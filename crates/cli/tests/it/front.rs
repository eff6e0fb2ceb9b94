//! A proxy before several servers of one store: every request goes to the next of them in turn, so
//! that whatever one of them keeps to itself is missed at once.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// No server in particular.
const IN_TURN: usize = usize::MAX;

pub struct Front {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    servers: Mutex<Vec<SocketAddr>>,
    requests: AtomicUsize,
    /// The server that gets everything, or `IN_TURN`.
    only: AtomicUsize,
    over: AtomicBool,
}

impl Front {
    /// Takes a free port; servers are named later, because they have to know this address.
    pub fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            servers: Mutex::default(),
            requests: AtomicUsize::new(0),
            only: AtomicUsize::new(IN_TURN),
            over: AtomicBool::new(false),
        });
        let kept = Arc::clone(&shared);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if kept.over.load(Ordering::Relaxed) {
                    return;
                }
                let kept = Arc::clone(&kept);
                // A client that goes away in the middle is its own business.
                std::thread::spawn(move || kept.pass_on(client).ok());
            }
        });
        Self { address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn add(&self, server: SocketAddr) {
        self.shared.servers.lock().unwrap().push(server);
    }

    /// From now on everything goes to one server; `None`: in turn again.
    pub fn only(&self, server: Option<usize>) {
        self.shared.only.store(server.unwrap_or(IN_TURN), Ordering::SeqCst);
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Wakes whoever waits for the next client.
        drop(TcpStream::connect(self.address));
    }
}

impl Shared {
    /// Passes one request on and its answer back; the connection ends with it, so that the next
    /// request comes here again.
    fn pass_on(&self, mut client: TcpStream) -> Result<()> {
        let request = read_request(&mut client)?;
        let mut server = TcpStream::connect(self.next())?;
        server.write_all(&request)?;
        std::io::copy(&mut server, &mut client)?;
        client.shutdown(Shutdown::Both)
    }

    fn next(&self) -> SocketAddr {
        let servers = self.servers.lock().unwrap();
        let only = self.only.load(Ordering::SeqCst);
        let number =
            if only == IN_TURN { self.requests.fetch_add(1, Ordering::SeqCst) } else { only };
        servers[number % servers.len()]
    }
}

/// One whole request, asking for an end of the connection after it.
fn read_request(client: &mut TcpStream) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 2;
        }
        read_some(client, &mut bytes)?;
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut length = 0;
    let mut request = String::new();
    for line in text.lines() {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let name = name.to_ascii_lowercase();
        assert_ne!(name, "transfer-encoding", "this proxy knows bodies of a stated length only");
        if name == "content-length" {
            length = value.trim().parse().unwrap();
        }
        if name != "connection" {
            request.push_str(line);
            request.push_str("\r\n");
        }
    }
    request.push_str("Connection: close\r\n\r\n");
    while bytes.len() < head + 2 + length {
        read_some(client, &mut bytes)?;
    }
    Ok([request.as_bytes(), &bytes[head + 2..]].concat())
}

fn read_some(client: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<()> {
    let mut part = [0; 16 * 1024];
    let read = client.read(&mut part)?;
    if read == 0 {
        return Err(Error::from(ErrorKind::UnexpectedEof));
    }
    bytes.extend_from_slice(&part[..read]);
    Ok(())
}
