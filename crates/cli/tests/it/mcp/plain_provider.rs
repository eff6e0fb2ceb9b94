//! A small PDPP server without any extras, which remembers what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::agent::Agent;
use super::lane::{CLASSES, ERAS, Road};
use super::wire::Wire;
use super::world::close_to_others;
use crate::program::Home;

/// One connection `cin_1` with one record, `cin_1/notes:n1`.
pub struct PlainProvider {
    home: Home,
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl PlainProvider {
    pub fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || answer(&socket.unwrap(), &kept));
            }
        });
        let provider = Self { home: Home::new(), url, asked };
        provider.cache_credential();
        provider
    }

    /// The paths it was asked for since it was last asked this.
    pub fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// Plays a journey for every class of client in both eras.
    pub fn every_lane(&self, journey: impl Fn(&mut Agent)) {
        for version in ERAS {
            for class in CLASSES {
                let arguments = ["mcp", "--provider-url", &self.url, "--cache-root", "cache"];
                let wire = Wire::pipes(self.home.command(&arguments), version);
                let lane = format!("{class:?} in {version}");
                journey(&mut Agent { wire, class, road: Road::Remote, lane });
            }
        }
    }

    fn cache_credential(&self) {
        let clients = self.home.path().join("cache/clients");
        std::fs::create_dir_all(&clients).unwrap();
        let place = self.url.trim_start_matches("http://").replace(':', "_");
        let path = clients.join(format!("{place}.json"));
        std::fs::write(&path, json!({"credential": {"access_token": "t"}}).to_string()).unwrap();
        close_to_others(&path);
    }
}

/// Answers requests on one connection until it ends.
fn answer(socket: &std::net::TcpStream, asked: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(socket);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut header = String::new();
        while reader.read_line(&mut header).unwrap_or(0) > 2 {
            header.clear();
        }
        let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let (status, body) = if target.starts_with("/v1/schema") {
            (
                200,
                json!({"object": "schema", "connectors": [{"connector_key": "plain",
                "granted_connections": [{"connection_id": "cin_1"}],
                "streams": [{"name": "notes", "primary_key": ["id"],
                             "field_capabilities": {"id": "t=string,eq", "body": "t=string,lex"}}]}]}),
            )
        } else if target.contains("preview_chars") {
            (
                400,
                json!({"error": {"code": "invalid_request", "message": "unknown parameter",
                                   "param": "preview_chars"}}),
            )
        } else if target.contains("/field-window") {
            (404, json!({"error": {"code": "not_found", "message": "no such path"}}))
        } else if target.starts_with("/v1/streams/notes/records/n1") {
            (
                200,
                json!({"object": "record", "id": "n1", "stream": "notes", "connection_id": "cin_1",
                "data": {"id": "n1", "body": "y".repeat(30_000)}, "emitted_at": "2026-01-01T00:00:00Z"}),
            )
        } else {
            (404, json!({"error": {"code": "not_found", "message": "no such path"}}))
        };
        asked.lock().unwrap().push(target);
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nX-Request-Id: abc\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut writer = socket;
        if writer.write_all(format!("{head}{body}").as_bytes()).is_err() {
            return;
        }
    }
}
