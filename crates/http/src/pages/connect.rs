//! `/owner/connect`: one address, and for each agent the exact text that takes it.

use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::fault::PageFault;
use super::session::SignedIn;
use super::shell::{Here, Shell, page};
use crate::app::App;

#[derive(Template)]
#[template(path = "connect.html")]
struct ConnectPage {
    shell: Shell,
    address: String,
    /// Agents that run elsewhere cannot reach this machine's own addresses.
    is_local: bool,
    agents: Vec<Agent>,
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
        shell: Shell::inside("Connect an agent", Here::Connect, &app, &session),
        is_local: !origin.starts_with("https://"),
        agents: agents(&address),
        address,
    }))
}

fn agents(url: &str) -> Vec<Agent> {
    let step = |words, text: String| Step { words, text };
    let here = |name, steps| Agent { name, steps, is_remote: false };
    let elsewhere = |name, steps| Agent { name, steps, is_remote: true };
    vec![
        here(
            "Claude Code",
            vec![
                step("In a terminal:", format!("claude mcp add --transport http pdpp {url}")),
                step("Then, inside Claude Code, choose pdpp and sign in:", "/mcp".to_owned()),
            ],
        ),
        here(
            "Codex",
            vec![
                step("In a terminal:", format!("codex mcp add pdpp --url {url}")),
                step("Then sign in:", "codex mcp login pdpp".to_owned()),
            ],
        ),
        here(
            "Cursor",
            vec![step(
                "In ~/.cursor/mcp.json, then press Connect in Cursor's settings:",
                format!("{{\"mcpServers\": {{\"pdpp\": {{\"url\": \"{url}\"}}}}}}"),
            )],
        ),
        here(
            "VS Code",
            vec![step(
                "In a terminal; VS Code asks to sign in when it first uses it:",
                format!(
                    "code --add-mcp '{{\"name\":\"pdpp\",\"type\":\"http\",\"url\":\"{url}\"}}'"
                ),
            )],
        ),
        here(
            "Gemini CLI",
            vec![
                step("In a terminal:", format!("gemini mcp add --transport http pdpp {url}")),
                step("Then, inside Gemini CLI:", "/mcp auth pdpp".to_owned()),
            ],
        ),
        here(
            "opencode",
            vec![
                step(
                    "In opencode.json:",
                    format!(
                        "{{\"mcp\": {{\"pdpp\": {{\"type\": \"remote\", \"url\": \"{url}\"}}}}}}"
                    ),
                ),
                step("Then sign in:", "opencode mcp auth pdpp".to_owned()),
            ],
        ),
        elsewhere(
            "Claude (web, desktop, phone)",
            vec![step(
                "Settings, Connectors, Add custom connector. Paste this address, then Connect:",
                url.to_owned(),
            )],
        ),
        elsewhere(
            "ChatGPT",
            vec![step(
                "Settings, Connectors, Create. Paste this address and choose OAuth:",
                url.to_owned(),
            )],
        ),
    ]
}
