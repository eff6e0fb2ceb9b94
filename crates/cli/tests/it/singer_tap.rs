//! A real Singer tap from `PyPI`, piped into `pdpp import singer` and searched by an agent.
//!
//! `cargo xtask heavy` fetches the tap; without it there is nothing to run.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::program::Home;

#[expect(clippy::disallowed_methods, reason = "the run that fetches corpora says where they are")]
fn tap() -> Option<PathBuf> {
    let tap = PathBuf::from(std::env::var_os("PDPP_CORPORA")?).join("singer/bin/tap-jsonl");
    tap.is_file().then_some(tap)
}

#[test]
fn what_a_real_tap_sends_is_found_by_an_agent() {
    let Some(tap) = tap() else { return };
    let home = Home::new();
    let order = |number: u32, note: &str| {
        let at = format!("2026-01-{number:02}T10:00:00Z");
        format!("{}\n", json!({"id": number, "note": note, "ordered_at": at, "total": 1.5}))
    };
    let orders = [order(1, "Tea for the lighthouse keeper"), order(2, "Rope"), order(3, "Tar")];
    let orders = home.file("orders.jsonl", &orders.concat());
    let config = json!({"path": orders, "stream_name": "orders", "primary_keys": ["id"]});
    let config = home.file("config.json", &config.to_string());
    let sent = Command::new(tap).args(["--config", &config]).output().unwrap();
    assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));

    let line = ["import", "singer", "-", "--connection", "shop", "--json"];
    for (added, unchanged) in [(3, 0), (0, 3)] {
        let answer = home.run_with_input(&line, &sent.stdout);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        let report = answer.document();
        assert_eq!((&report["added"], &report["unchanged"]), (&json!(added), &json!(unchanged)));
    }
    home.json(&["grant", "create", "--client", "agent", "--allow", "shop", "--json"]);
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let search = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "search", "arguments": {"query": "what did the lighthouse keeper order?"}}});
    let said = home.run_with_input(
        &["mcp", "--client", "agent"],
        format!("{question}\n{search}\n").as_bytes(),
    );
    assert!(said.stdout.contains("orders:1"), "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("orders:2"), "{}", said.stdout);
}
