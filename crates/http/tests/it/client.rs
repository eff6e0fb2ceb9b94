//! An HTTP client that sends exactly what a test says, malformed requests included.

use std::fmt::Write as _;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::Full;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A request in the making.
#[derive(Debug, Clone)]
pub struct Call {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Call {
    pub fn new(method: &str, target: &str) -> Self {
        let (method, target) = (method.to_owned(), target.to_owned());
        Self { method, target, headers: Vec::new(), body: Vec::new() }
    }

    pub fn get(target: &str) -> Self {
        Self::new("GET", target)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// The same call with another credential.
    pub fn bearer_instead(mut self, token: &str) -> Self {
        self.headers.retain(|(name, _)| name != "Authorization");
        self.bearer(token)
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The request as bytes; `Host` and `Content-Length` are added unless given.
    pub fn bytes(&self) -> Vec<u8> {
        let given = |name: &str| self.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
        let mut text = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.target);
        if !given("host") {
            text.push_str("Host: localhost\r\n");
        }
        if !self.body.is_empty() && !given("content-length") {
            write!(text, "Content-Length: {}\r\n", self.body.len()).unwrap();
        }
        for (name, value) in &self.headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        text.push_str("\r\n");
        [text.into_bytes(), self.body.clone()].concat()
    }

    /// The same request for a client that writes its own frames.
    pub fn request(&self) -> http::Request<Full<Bytes>> {
        let uri = format!("http://localhost{}", self.target);
        let mut request = http::Request::builder().method(self.method.as_str()).uri(uri);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.body(Full::new(Bytes::from(self.body.clone()))).unwrap()
    }

    pub async fn send(&self, to: SocketAddr) -> Reply {
        let mut socket = TcpStream::connect(to).await.unwrap();
        // A server may refuse a large body and hang up before it is all sent.
        let _ = socket.write_all(&self.bytes()).await;
        read(&mut socket).await
    }
}

/// What came back, up to the end of the connection.
pub async fn read(socket: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes).await;
    Reply::parse(&bytes)
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The body ended as it announced.
    pub complete: bool,
}

impl Reply {
    pub fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a response head");
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<_> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut reply = Self { status, headers, body: bytes[end + 4..].to_vec(), complete: true };
        if reply.header("transfer-encoding") == Some("chunked") {
            reply.unchunk();
        } else if let Some(length) = reply.header("content-length") {
            let length: usize = length.parse().unwrap();
            reply.complete = reply.body.is_empty() || reply.body.len() == length;
        }
        reply
    }

    fn unchunk(&mut self) {
        let (mut rest, mut body) = (self.body.as_slice(), Vec::new());
        self.complete = loop {
            let Some(end) = rest.windows(2).position(|two| two == b"\r\n") else { break false };
            let size = std::str::from_utf8(&rest[..end]).unwrap();
            let size = usize::from_str_radix(size, 16).unwrap();
            let Some(chunk) = rest.get(end + 2..end + 2 + size) else { break false };
            body.extend_from_slice(chunk);
            if size == 0 {
                break true;
            }
            rest = rest.get(end + 4 + size..).unwrap_or_default();
        };
        self.body = body;
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        assert!(self.complete, "the body broke off");
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    /// Status, code and parameter of a refusal.
    pub fn refusal(&self) -> (u16, String, Option<String>) {
        let error = &self.json()["error"];
        assert_eq!(error["request_id"].as_str(), self.header("request-id"));
        let param = error["param"].as_str().map(str::to_owned);
        (self.status, error["code"].as_str().unwrap_or_default().to_owned(), param)
    }
}
