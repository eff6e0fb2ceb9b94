//! `/owner/s/{session}/connect`: one address, and for each agent the exact text that takes it.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::fault::PageFault;
use super::session::SignedIn;
use super::shell::{CurrentPage, Shell, page};
use crate::app::App;

#[derive(Template)]
#[template(path = "connect.html")]
struct ConnectPage {
    shell: Shell,
    address: String,
    /// Agents that run elsewhere cannot reach this machine's own addresses.
    is_local: bool,
    agents: Vec<Agent>,
    /// What is typed behind a command, so that it finds this server's store.
    options: String,
}

/// How one agent is connected.
struct Agent {
    name: &'static str,
    steps: Vec<Step>,
    /// It runs on somebody else's machine.
    is_remote: bool,
}

/// A thing to do, with the text to copy.
struct Step {
    words: &'static str,
    text: String,
}

/// The page.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, PageFault> {
    let origin = app.origin_for(&headers);
    let address = format!("{origin}/mcp");
    Ok(page(&ConnectPage {
        shell: Shell::inside("Connect an agent", CurrentPage::Access, &app, &session),
        is_local: !origin.starts_with("https://"),
        agents: agents(&address),
        options: app.command_options.typed.clone(),
        address,
    }))
}

fn step(words: &'static str, text: String) -> Step {
    Step { words, text }
}

fn agents(url: &str) -> Vec<Agent> {
    let here = |name, steps| Agent { name, steps, is_remote: false };
    let elsewhere =
        |name, words| Agent { name, steps: vec![step(words, url.to_owned())], is_remote: true };
    vec![
        here("Claude Code", claude_code(url)),
        here("Codex", codex(url)),
        here("Cursor", cursor(url)),
        here("VS Code", vs_code(url)),
        here("Gemini CLI", gemini(url)),
        here("opencode", opencode(url)),
        elsewhere(
            "Claude (web, desktop, phone)",
            "In Settings, Connectors, select Add custom connector. Paste this address and select Connect:",
        ),
        elsewhere(
            "ChatGPT",
            "In Settings, Apps, Advanced settings, turn on Developer mode. Then select Create app, with this address and OAuth:",
        ),
    ]
}

fn claude_code(url: &str) -> Vec<Step> {
    vec![
        step("In a terminal:", format!("claude mcp add --transport http pdpp {url}")),
        step("Then, inside Claude Code, choose pdpp and sign in:", "/mcp".to_owned()),
    ]
}

fn codex(url: &str) -> Vec<Step> {
    vec![
        step("In a terminal:", format!("codex mcp add pdpp --url {url}")),
        step("Then sign in:", "codex mcp login pdpp".to_owned()),
    ]
}

fn cursor(url: &str) -> Vec<Step> {
    let text = format!("{{\"mcpServers\": {{\"pdpp\": {{\"url\": \"{url}\"}}}}}}");
    vec![step("Add this to ~/.cursor/mcp.json, then select Connect in Cursor's settings:", text)]
}

fn vs_code(url: &str) -> Vec<Step> {
    let text =
        format!("code --add-mcp '{{\"name\":\"pdpp\",\"type\":\"http\",\"url\":\"{url}\"}}'");
    vec![step("In a terminal. VS Code asks you to sign in on first use:", text)]
}

fn gemini(url: &str) -> Vec<Step> {
    vec![
        step("In a terminal:", format!("gemini mcp add --transport http pdpp {url}")),
        step("Then, inside Gemini CLI:", "/mcp auth pdpp".to_owned()),
    ]
}

fn opencode(url: &str) -> Vec<Step> {
    let text = format!("{{\"mcp\": {{\"pdpp\": {{\"type\": \"remote\", \"url\": \"{url}\"}}}}}}");
    vec![
        step("Add this to opencode.json:", text),
        step("Then sign in:", "opencode mcp auth pdpp".to_owned()),
    ]
}
