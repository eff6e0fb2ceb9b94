//! A plain MCP client: exact bytes out, exact bytes in, over pipes or HTTP.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The protocol's newest version, which has no handshake.
pub const MODERN: &str = "2026-07-28";

enum Link {
    Pipes { child: Child, stdin: Option<ChildStdin>, stdout: BufReader<ChildStdout> },
    Http { url: String, token: String },
}

/// One client, after its handshake if its era has one.
pub struct Wire {
    link: Link,
    version: &'static str,
    last_id: u64,
    /// What the server said about itself: the handshake's result, or `server/discover`.
    pub greeting: Value,
}

impl Wire {
    /// A client that starts the server itself.
    pub fn pipes(mut command: Command, version: &'static str) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self::greeted(Link::Pipes { child, stdin, stdout }, version)
    }

    /// A client that calls a running server.
    pub fn http(url: &str, token: &str, version: &'static str) -> Self {
        Self::greeted(Link::Http { url: url.to_owned(), token: token.to_owned() }, version)
    }

    fn greeted(link: Link, version: &'static str) -> Self {
        let mut wire = Self { link, version, last_id: 0, greeting: Value::Null };
        if version == MODERN {
            wire.greeting = wire.request("server/discover", json!({})).unwrap();
            return wire;
        }
        let hello = json!({"protocolVersion": version, "capabilities": {},
                           "clientInfo": {"name": "journey", "version": "1"}});
        wire.greeting = wire.request("initialize", hello).unwrap();
        assert_eq!(wire.greeting["protocolVersion"], version);
        wire.notify("notifications/initialized");
        wire
    }

    /// Asks and waits for the answer: its result, or the protocol's error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let params = self.with_meta(params);
        let message =
            json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        let answer = self.exchange(method, &message);
        assert_eq!(answer["id"], self.last_id, "{answer}");
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Sends a request over HTTP and answers its status and body, whatever they are.
    pub fn raw(&mut self, method: &str, params: Value) -> (u16, Value) {
        self.last_id += 1;
        let params = self.with_meta(params);
        let message =
            json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        match &self.link {
            Link::Http { url, token } => {
                post(url, token, &self.headers(method, &message), &message)
            }
            Link::Pipes { .. } => panic!("only HTTP has a status"),
        }
    }

    fn notify(&mut self, method: &str) {
        let message = json!({"jsonrpc": "2.0", "method": method});
        if let Link::Pipes { stdin, .. } = &mut self.link {
            let line = format!("{message}\n");
            stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
            return;
        }
        if let Link::Http { url, token } = &self.link {
            let (status, _) = post(url, token, &self.headers(method, &message), &message);
            assert_eq!(status, 202);
        }
    }

    fn with_meta(&self, mut params: Value) -> Value {
        if self.version == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "journey", "version": "1"},
            });
        }
        params
    }

    fn exchange(&mut self, method: &str, message: &Value) -> Value {
        let headers = self.headers(method, message);
        match &mut self.link {
            Link::Pipes { stdin, stdout, .. } => {
                let line = format!("{message}\n");
                stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
                let mut answer = String::new();
                stdout.read_line(&mut answer).unwrap();
                assert!(!answer.is_empty(), "the server went away");
                serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer:?}"))
            }
            Link::Http { url, token } => post(url, token, &headers, message).1,
        }
    }

    fn headers(&self, method: &str, message: &Value) -> Vec<(&'static str, String)> {
        let mut headers = vec![("MCP-Protocol-Version", self.version.to_owned())];
        if self.version == MODERN {
            headers.push(("Mcp-Method", method.to_owned()));
            let params = &message["params"];
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                headers.push(("Mcp-Name", name.to_owned()));
            }
        }
        headers
    }

    /// Asks the server's process to stop, with the pipes still open, and answers its exit code.
    pub fn terminate(mut self) -> Option<i32> {
        match &mut self.link {
            Link::Pipes { child, .. } => {
                let kill = format!("kill -TERM {}", child.id());
                let sent = std::process::Command::new("sh").args(["-c", &kill]).status();
                assert!(sent.unwrap().success());
                child.wait().unwrap().code()
            }
            Link::Http { .. } => None,
        }
    }

    /// Closes the client's end and answers the server's exit code.
    pub fn close(mut self) -> Option<i32> {
        match &mut self.link {
            Link::Pipes { child, stdin, .. } => {
                drop(stdin.take());
                child.wait().unwrap().code()
            }
            Link::Http { .. } => None,
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if let Link::Pipes { child, stdin, .. } = &mut self.link {
            drop(stdin.take());
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn post(url: &str, token: &str, headers: &[(&str, String)], message: &Value) -> (u16, Value) {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = agent
        .post(url)
        .header("Authorization", format!("Bearer {token}"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let mut response = request.send(message.to_string()).unwrap();
    let text = response.body_mut().read_to_string().unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    (response.status().as_u16(), body)
}
