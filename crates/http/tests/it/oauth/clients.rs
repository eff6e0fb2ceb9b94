//! What real clients send, as recorded: every one of them must come through.

use serde_json::{Value, json};

use super::documents::{Web, desk_with};
use super::signing_in::*;

/// A client's registration and the question it asks afterwards.
struct Recorded {
    name: &'static str,
    register: Value,
    redirect_uri: &'static str,
    /// How many addresses are kept.
    kept: usize,
    more: &'static [(&'static str, &'static str)],
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn recorded() -> Vec<Recorded> {
    vec![
        Recorded {
            name: "Claude web",
            register: json!({
                "client_name": "Claude",
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
                "scope": "pdpp:read offline_access",
                "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            }),
            redirect_uri: "https://claude.ai/api/mcp/auth_callback",
            kept: 1,
            more: &[
                ("scope", "pdpp:read offline_access claudeai"),
                ("resource", "http://localhost:7667/mcp"),
            ],
        },
        Recorded {
            name: "Claude Code",
            register: json!({
                "client_name": "Claude Code (pdpp)",
                "redirect_uris": ["http://localhost:54545/callback"],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }),
            redirect_uri: "http://localhost:61022/callback",
            kept: 1,
            more: &[("resource", "http://localhost:7667/mcp")],
        },
        Recorded {
            name: "Cursor",
            register: json!({
                "client_name": "Cursor",
                "redirect_uris": [
                    "cursor://anysphere.cursor-mcp/oauth/callback",
                    "https://www.cursor.com/agents/mcp/oauth/callback",
                    "http://localhost:8787/callback",
                ],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }),
            redirect_uri: "cursor://anysphere.cursor-mcp/oauth/callback",
            kept: 3,
            more: &[("state", "")],
        },
        Recorded {
            name: "VS Code",
            register: json!({
                "client_name": "Visual Studio Code",
                "client_uri": "https://code.visualstudio.com",
                "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
                "response_types": ["code"],
                "redirect_uris": [
                    "https://insiders.vscode.dev/redirect",
                    "https://vscode.dev/redirect",
                    "http://127.0.0.1/",
                    "http://127.0.0.1:33418/",
                ],
                "token_endpoint_auth_method": "none",
                "application_type": "native",
            }),
            redirect_uri: "http://127.0.0.1:50199/",
            kept: 4,
            more: &[("prompt", "consent")],
        },
        Recorded {
            name: "Codex",
            register: json!({
                "client_name": "Codex",
                "redirect_uris": ["http://127.0.0.1:39123/callback/9f2c"],
                "grant_types": ["authorization_code", "refresh_token"],
                "token_endpoint_auth_method": "none",
                "response_types": ["code"],
            }),
            redirect_uri: "http://127.0.0.1:39123/callback/9f2c",
            kept: 1,
            more: &[("scope", "openid profile pdpp:read")],
        },
        Recorded {
            name: "Gemini CLI",
            register: json!({
                "client_name": "Gemini CLI MCP Client",
                "redirect_uris": ["http://localhost:7777/oauth/callback"],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
                "scope": "",
            }),
            redirect_uri: "http://localhost:7777/oauth/callback",
            kept: 1,
            more: &[("resource", "http://localhost:7667/mcp")],
        },
        Recorded {
            name: "Copilot CLI",
            register: json!({
                "client_name": "GitHub Copilot CLI",
                "redirect_uris": ["http://127.0.0.1:45001/"],
            }),
            redirect_uri: "http://127.0.0.1:45001/",
            kept: 1,
            more: &[],
        },
        Recorded {
            name: "opencode",
            register: json!({
                "client_name": "opencode",
                "redirect_uris": ["http://127.0.0.1:19876/mcp/oauth/callback"],
                "unknown_member": {"ignored": true},
                "token_endpoint_auth_method": "client_secret_post",
            }),
            redirect_uri: "http://127.0.0.1:19876/mcp/oauth/callback",
            kept: 1,
            more: &[("resource", "http://localhost:7667")],
        },
        Recorded {
            name: "mixed addresses",
            register: json!({
                "redirect_uris": ["http://evil.example/", "https://ok.example/cb", "javascript:x"],
            }),
            redirect_uri: "https://ok.example/cb",
            kept: 1,
            more: &[],
        },
    ]
}

#[tokio::test]
async fn every_recorded_client_registers_asks_and_signs_in() {
    let desk = Desk::new().await;
    for client in recorded() {
        let name = client.name;
        let reply = desk.register(&client.register).await;
        assert_eq!(reply.status, 201, "{name}: {}", reply.text());
        let body = reply.json();
        assert_eq!(body["token_endpoint_auth_method"], "none", "{name}");
        assert_eq!(body["redirect_uris"].as_array().unwrap().len(), client.kept, "{name}");
        assert!(body.get("client_secret").is_none() && body["client_id_issued_at"].is_i64());
        let id = body["client_id"].as_str().unwrap();
        let mut more = client.more.to_vec();
        more.push(("redirect_uri", client.redirect_uri));
        let request = desk.ask(id, &more).await;
        let back = desk.approve(&request, draft(&["blue"])).await;
        let joint = if client.redirect_uri.contains('?') { '&' } else { '?' };
        assert!(
            back.starts_with(&format!("{}{joint}code=", client.redirect_uri)),
            "{name}: {back}"
        );
        let has_state = !client.more.contains(&("state", ""));
        assert_eq!(param(&back, "state").is_some(), has_state, "{name}");
        let code = param(&back, "code").unwrap();
        let mut params = vec![
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", client.redirect_uri),
            ("code_verifier", VERIFIER),
            ("client_id", id),
        ];
        params.extend(client.more.iter().find(|(name, _)| *name == "resource"));
        let tokens = Tokens::of(id.to_owned(), &desk.token(&params).await);
        assert_eq!(desk.call(&tokens.access).await.status, 200, "{name}");
        assert_eq!(desk.refresh(id, &tokens.refresh).await.status, 200, "{name}");
    }
}

/// Claude Code publishes addresses without a port and comes with one.
#[tokio::test]
async fn claude_code_comes_with_a_document_of_its_own() {
    let id = "https://claude.ai/oauth/claude-code-client-metadata";
    let document = json!({
        "client_id": id,
        "client_name": "Claude Code",
        "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
        "token_endpoint_auth_method": "none",
    });
    let desk = desk_with(&Web::with(id, document)).await;
    let address = "http://localhost:49201/callback";
    let request = desk.ask(id, &[("redirect_uri", address)]).await;
    let back = desk.approve(&request, draft(&["red"])).await;
    assert!(back.starts_with(&format!("{address}?code=")), "{back}");
}

#[tokio::test]
async fn t_phish_1_a_hostile_name_is_one_short_line_and_two_of_a_name_are_told_apart() {
    let desk = Desk::new().await;
    let name = format!("Verified by\u{202e}\n<script>{}", "x".repeat(10_000));
    let mut handles = Vec::new();
    for _ in 0..2 {
        let body = desk.register(&json!({"client_name": name, "redirect_uris": [CALLBACK]})).await;
        let client = body.json()["client_id"].as_str().unwrap().to_owned();
        let request = desk.ask(&client, &[]).await;
        let pending = desk.world.auth.pending_authorization(&request).await.unwrap();
        assert!(pending.client.name.chars().count() <= 100);
        assert!(!pending.client.name.contains(['\u{202e}', '\n']));
        handles.push(pending.client.handle);
    }
    assert_ne!(handles[0], handles[1]);
}
