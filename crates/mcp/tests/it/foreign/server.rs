//! A small server that answers as a function says and keeps what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use pdpp_mcp::remote::{RemoteProvider, Timeouts};
use pdpp_mcp::{CallContext, NameHandles, Tool, ToolAnswer};
use serde_json::{Map, Value, json};

/// Status and body for a path with its query.
type Answer = dyn Fn(&str) -> (u16, Value) + Send + Sync;

/// The context of calls and the foreign server behind it.
pub struct Foreign {
    context: CallContext,
    asked: Arc<Mutex<Vec<String>>>,
    runtime: tokio::runtime::Runtime,
    pub url: String,
}

impl Foreign {
    pub fn new(answer: impl Fn(&str) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let (kept, answer): (_, Arc<Answer>) = (Arc::clone(&asked), Arc::new(answer));
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                std::thread::spawn(move || serve(&socket.unwrap(), &kept, answer.as_ref()));
            }
        });
        let provider =
            RemoteProvider::new(url.parse().unwrap(), "t".to_owned(), Timeouts::default());
        let mut context = CallContext::new(Arc::new(provider), Arc::new(NameHandles::new([7; 32])));
        context.base_url = Some(url.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { context, asked, runtime, url }
    }

    pub fn call(&self, tool: &str, arguments: Value) -> ToolAnswer {
        let arguments: Map<String, Value> = serde_json::from_value(arguments).unwrap();
        self.runtime.block_on(Tool::named(tool).unwrap().call(&self.context, arguments))
    }

    /// An answer that is no refusal.
    pub fn answer(&self, tool: &str, arguments: Value) -> ToolAnswer {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error(), "{tool}: {}", answer.text);
        answer
    }

    pub fn refused(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert!(answer.is_error(), "{tool} was not refused: {}", answer.text);
        serde_json::from_str(&answer.text).unwrap()
    }

    /// What was asked since the last time.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// Answers requests on one connection until it ends.
fn serve(socket: &TcpStream, asked: &Mutex<Vec<String>>, answer: &Answer) {
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
        let (status, body) = answer(&target);
        asked.lock().unwrap().push(target);
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nRetry-After: 7\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let mut writer = socket;
        if writer.write_all(format!("{head}{body}").as_bytes()).is_err() {
            return;
        }
    }
}

pub fn refuse(status: u16, code: &str, message: &str, param: &str) -> (u16, Value) {
    (status, json!({"error": {"code": code, "message": message, "param": param}}))
}

/// One connection with one stream of two records, and none of our extras.
pub fn plain(target: &str) -> (u16, Value) {
    let path = target.split('?').next().unwrap_or_default();
    for unknown in ["preview_chars", "view="] {
        if target.contains(unknown) {
            let name = unknown.trim_end_matches('=');
            return refuse(400, "invalid_request", "unknown parameter", name);
        }
    }
    if target.contains("fields=bdy") {
        return refuse(400, "unknown_field", "Unknown field: bdy", "fields");
    }
    let record = |id: &str, body: String| {
        json!({"object": "record", "id": id, "stream": "notes", "connection_id": "cin_9",
               "data": {"id": id, "title": "Tiles", "body": body},
               "emitted_at": "2026-01-01T00:00:00Z"})
    };
    let records = "/v1/streams/notes/records";
    if path == "/v1/schema" {
        (
            200,
            json!({"object": "schema", "connectors": [{"connector_key": "plain",
            "granted_connections": [{"connection_id": "cin_9"}],
            "streams": [{"name": "notes", "primary_key": ["id"], "field_capabilities":
                {"id": "t=string,eq", "title": "t=string,lex", "body": "t=string,lex"}}]}]}),
        )
    } else if path == records {
        (
            200,
            json!({"object": "list", "has_more": false,
            "data": [record("n1", "long text ".repeat(3_000)), record("n2", "short".to_owned())]}),
        )
    } else if path == format!("{records}/n1") {
        let mut one = record("n1", "long text ".repeat(3_000));
        if target.contains("fields=body") {
            one["data"].as_object_mut().unwrap().remove("title");
        }
        (200, one)
    } else if path == format!("{records}/n2") {
        (200, record("n2", "short".to_owned()))
    } else if path == "/v1/search" {
        (200, json!({"object": "list", "has_more": false, "data": [hit("n1"), hit("n2")]}))
    } else if path.starts_with(records) {
        refuse(404, "not_found", "no such path", "path")
    } else {
        refuse(404, "stream_not_found", "Stream not found", "stream")
    }
}

pub fn hit(id: &str) -> Value {
    json!({"object": "search_result", "stream": "notes", "record_key": id,
           "connector_id": "https://r.example/x/plain", "emitted_at": "2026-01-01T00:00:00Z",
           "connection_id": "cin_9", "matched_fields": ["body"],
           "snippet": {"field": "body", "text": "the <mark>tiles</mark> came"}})
}
