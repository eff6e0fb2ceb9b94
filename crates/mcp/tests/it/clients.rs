//! The real clients that the adapter is tried with: which, and exactly which version.

use std::collections::BTreeMap;

use serde_json::Value;

fn file(path: &str) -> String {
    let path = format!("{}/../../tests/clients/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn dependencies(path: &str) -> BTreeMap<String, String> {
    let package: Value = serde_json::from_str(&file(path)).unwrap();
    serde_json::from_value(package["dependencies"].clone()).unwrap()
}

fn is_exact(version: &str) -> bool {
    version.starts_with(|c: char| c.is_ascii_digit())
}

#[test]
fn the_real_clients_are_named_and_pinned() {
    let (clients, agents) = (dependencies("package.json"), dependencies("agents/package.json"));
    for name in ["sdk", "client", "inspector", "conformance"] {
        assert!(clients.contains_key(&format!("@modelcontextprotocol/{name}")), "{name}");
    }
    for agent in ["@anthropic-ai/claude-code", "@google/gemini-cli", "@openai/codex", "opencode-ai"]
    {
        assert!(agents.contains_key(agent), "{agent}");
    }
    for (name, version) in clients.iter().chain(&agents) {
        assert!(is_exact(version), "{name} floats: {version}");
    }
    let python = file("requirements.txt");
    let packages = python.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut sdk = false;
    for line in packages {
        let (name, version) = line.split_once("==").unwrap_or_else(|| panic!("{line} floats"));
        assert!(is_exact(version), "{line} floats");
        sdk |= name == "mcp";
    }
    assert!(sdk, "{python}");
    let agents = file("agents/run.mjs");
    for agent in ["claude", "gemini", "opencode", "codex"] {
        assert!(agents.contains(&format!("{agent},")) || agents.contains(&format!(" {agent} }}")));
    }
}
