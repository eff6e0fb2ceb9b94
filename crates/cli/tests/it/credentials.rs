//! The credential that `grant create` keeps for agents on this machine.

use serde_json::{Value, json};

use crate::program::Home;
use crate::sample::{imported, letters};

#[test]
fn a_new_grant_keeps_its_credential_and_a_revocation_forgets_it() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let path = home.data_dir().join("credentials/claude-code.json");
    let create = ["grant", "create", "--client", "claude-code", "--allow", "post", "--json"];
    let first = home.json(&create);
    let kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(kept["credential"]["access_token"], first["access_token"]);
    assert_eq!(kept["credential"]["pdpp_token_kind"], "client");
    assert_eq!(kept["client"], json!({"client_id": "claude-code"}));
    assert_eq!(kept["package_id"], first["package_id"]);

    let second = home.json(&create);
    home.json(&["grant", "revoke", first["package_id"].as_str().unwrap(), "--json"]);
    let kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(kept["package_id"], second["package_id"], "the newer credential stays");
    home.json(&["grant", "revoke", "claude-code", "--json"]);
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    home.json(&["grant", "create", "--client", "../Sly", "--allow", "post", "--json"]);
    let directory = home.data_dir().join("credentials");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let files: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|file| file.unwrap()).collect();
    assert_eq!(files.len(), 1, "whatever the name, the file stays inside");
    assert_eq!(mode(&files[0].path()), 0o600);
    assert_eq!(mode(&home.data_dir()), 0o700);
}
