//! A database's address does not outlive what it was kept for.

use std::fs;
use std::path::PathBuf;

use super::{file_of, furnish};
use crate::doctor::doctor;
use crate::program::Home;

fn address_of(home: &Home, client: &str) -> PathBuf {
    home.data_dir().join(format!("credentials/{client}.database-url"))
}

#[test]
fn a_revoked_grant_takes_the_address_also_without_its_credential() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    home.json(&["setup", "codex", "--json"]);
    fs::remove_file(home.data_dir().join("credentials/codex.json")).unwrap();
    let said = doctor(&home, &[]);
    let findings = said.document["findings"].as_array().unwrap();
    let file = address_of(&home, "codex");
    let about = |found: &&serde_json::Value| {
        found["check"] == "credential" && found["what"].to_string().contains(".database-url")
    };
    let found = findings.iter().find(about).unwrap_or_else(|| panic!("{}", said.document));
    assert_eq!(found["state"], "note");
    assert_eq!(found["remedy"], format!("rm {}", file.display()));
    home.json(&["grant", "revoke", "codex", "--json"]);
    assert!(!file.exists());
}

#[test]
fn what_the_doctor_tells_to_delete_is_deleted_whole() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    home.json(&["setup", "codex", "--json"]);
    let credential = home.data_dir().join("credentials/codex.json");
    let (kept, address) = (fs::read(&credential).unwrap(), address_of(&home, "codex"));
    let url = fs::read(&address).unwrap();
    home.json(&["grant", "revoke", "codex", "--json"]);
    // As a copy that somebody put back.
    for (path, bytes) in [(&credential, kept), (&address, url)] {
        fs::write(path, bytes).unwrap();
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }
    let remove = format!("rm {} {}", credential.display(), address.display());
    doctor(&home, &[]).names("credential", "codex does not work", &remove);
}

#[test]
fn an_address_that_no_entry_names_any_more_is_deleted_by_the_setup() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let own = home.file("address", home.database_url().unwrap());
    home.json(&["setup", "codex", "--json"]);
    home.json(&["setup", "cursor", "--client", "codex", "--json"]);
    let file = address_of(&home, "codex");
    home.json(&["setup", "codex", "--database-url-file", &own, "--dry-run", "--json"]);
    home.json(&["setup", "codex", "--database-url-file", &own, "--json"]);
    assert!(file.exists(), "the other client starts with it");
    home.json(&["setup", "cursor", "--client", "codex", "--database-url-file", &own, "--json"]);
    assert!(!file.exists());
    // Named by the person, it is the same file and stays.
    home.json(&["setup", "codex", "--json"]);
    let ours = file.to_str().unwrap();
    let again = home.json(&["setup", "codex", "--database-url-file", ours, "--json"]);
    assert_eq!(again["change"], "unchanged");
    assert!(file.exists());
}

#[test]
fn a_refused_setup_leaves_the_address_as_it_was() {
    let Some(home) = Home::on_postgres().map(furnish) else { return };
    let (settings, file) = (file_of(&home, "codex"), address_of(&home, "codex"));
    // A link to where nobody can write: everything is fine until the settings are replaced.
    fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink("/proc/none/config.toml", &settings).unwrap();
    let refused = home.run(&["setup", "codex"]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(!file.exists(), "it was new");
    let before = "postgres://elsewhere/x\n";
    fs::write(&file, before).unwrap();
    assert_eq!(home.run(&["setup", "codex"]).code, 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}
