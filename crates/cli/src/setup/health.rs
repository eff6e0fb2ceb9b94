//! What a client itself says about our server, asked with its own command.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::client::KnownClient;
use super::run_program::{ProgramOutput, run};
use crate::output::plain;

/// Clients load a lot before they answer.
const LIMIT: Duration = Duration::from_secs(90);

/// A client's judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientHealth {
    /// It reaches the server, or sees it in its settings when it looks no further.
    Good(String),
    /// It does not; its own words.
    Bad(String),
    /// Nobody could be asked, and why.
    Unknown(String),
}

/// Asks the client whose program is at `program`.
pub async fn client_health(client: KnownClient, name: &str, program: &Path) -> ClientHealth {
    let Some(arguments) = question(client) else {
        let title = client.title();
        return ClientHealth::Unknown(format!("{title} has no command that checks its servers"));
    };
    let mut command = Command::new(program);
    command.args(arguments).env("NO_COLOR", "1");
    if client == KnownClient::Gemini {
        // It starts no servers in a directory that nobody has called safe. Ours stand elsewhere.
        command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    }
    // Away from the person's project, whose own settings are not ours to judge.
    let Ok(elsewhere) = tempfile::tempdir() else {
        return ClientHealth::Unknown("cannot create a temporary directory".to_owned());
    };
    command.current_dir(elsewhere.path());
    let words = arguments.join(" ");
    match run(command, LIMIT).await {
        None => ClientHealth::Unknown(format!("{} {words} did not finish", program.display())),
        Some(said) => judge(client, name, &said),
    }
}

fn question(client: KnownClient) -> Option<&'static [&'static str]> {
    match client {
        KnownClient::ClaudeCode
        | KnownClient::Codex
        | KnownClient::Gemini
        | KnownClient::Opencode => Some(&["mcp", "list"]),
        KnownClient::ClaudeDesktop | KnownClient::Cursor | KnownClient::Vscode => None,
    }
}

/// Finds the server's line in the list and reads it.
fn judge(client: KnownClient, name: &str, said: &ProgramOutput) -> ClientHealth {
    let is_name = |word: &str| word.trim_end_matches(':') == name;
    let line = said.text.lines().find(|line| line.split_whitespace().any(is_name));
    let Some(line) = line.map(|line| plain(line.trim())) else {
        let first = said.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return if said.succeeded {
            ClientHealth::Bad(format!("{} does not list it", client.title()))
        } else {
            ClientHealth::Unknown(plain(first.trim()))
        };
    };
    let lower = line.to_lowercase();
    let works = match client {
        // It lists its settings and starts nothing.
        KnownClient::Codex => !lower.contains("disabled"),
        _ => lower.contains("connected") && !lower.contains("disconnected"),
    };
    match (works, client) {
        (false, _) => ClientHealth::Bad(line),
        // The rest of its line is about signing in, which a server on this machine has no use for.
        (true, KnownClient::Codex) => ClientHealth::Good(format!("{name} is listed and enabled")),
        (true, _) => ClientHealth::Good(line),
    }
}
