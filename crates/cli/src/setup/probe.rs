//! Starts an entry as a client would and sees whether the tools come.

use std::io::{BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::entry::Entry;
use crate::failure::{Exit, Failure};
use crate::output::plain;

/// Starting takes milliseconds; a busy machine is given more.
const LIMIT: Duration = Duration::from_secs(20);
/// The id of the question whose answer is waited for.
const LIST: u64 = 2;

/// How many tools the entry's server offers.
pub async fn answers_as_started(entry: &Entry) -> Result<usize, Failure> {
    let mut complaints = tempfile::tempfile().ok();
    let stderr = complaints.as_ref().and_then(|file| file.try_clone().ok());
    let mut command = Command::new(&entry.command);
    command.args(&entry.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(stderr.map_or_else(Stdio::null, Stdio::from));
    let mut child = command.spawn().map_err(|error| {
        let message = format!("cannot start {}: {error}", entry.command);
        Failure::new(Exit::Other, "adapter_failed", message)
    })?;
    let tools = tools(&mut child).await;
    // Asked or not, it has done its work.
    let _ = child.kill();
    let _ = child.wait();
    tools.ok_or_else(|| {
        let mut said = String::new();
        if let Some(file) = &mut complaints {
            // What cannot be read is left out of the message.
            let _ = file.rewind().and_then(|()| file.take(2_000).read_to_string(&mut said));
        }
        let said = said.lines().next().unwrap_or("no response").trim_start_matches("pdpp: ");
        let message = format!("pdpp mcp does not start for this client: {}", plain(said));
        Failure::new(Exit::Other, "adapter_failed", message)
    })
}

async fn tools(child: &mut Child) -> Option<usize> {
    let mut stdin = child.stdin.take()?;
    let stdout = child.stdout.take()?;
    let (answered, answer) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        let listed = messages.find(|message| message.get("id").is_some_and(|id| *id == LIST));
        // Nobody waits any longer when the time is over.
        let _ = answered.send(listed);
    });
    let written = stdin.write_all(questions().as_bytes()).and_then(|()| stdin.flush());
    written.ok()?;
    let listed = tokio::time::timeout(LIMIT, answer).await.ok()?.ok()??;
    listed.pointer("/result/tools").and_then(Value::as_array).map(Vec::len)
}

fn questions() -> String {
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "pdpp-setup", "version": env!("CARGO_PKG_VERSION")},
    });
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": LIST, "method": "tools/list"}),
    ];
    messages.iter().map(|message| format!("{message}\n")).collect()
}
