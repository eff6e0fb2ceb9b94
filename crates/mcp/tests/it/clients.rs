//! The real clients that the adapter is tried with: which, and exactly which version.

use serde_json::Value;

#[test]
fn the_real_clients_are_named_and_pinned() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/clients/package.json");
    let package: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let clients = package["dependencies"].as_object().unwrap();
    for name in ["sdk", "client", "inspector", "conformance"] {
        let version = clients[&format!("@modelcontextprotocol/{name}")].as_str().unwrap();
        assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{name} floats: {version}");
    }
}
