//! The store of another user: named as such, and never taken away from them by root.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::program::Home;
use crate::sample::{import, imported, letters};

/// Somebody who owns nothing on this machine.
const STRANGER: u32 = 61_234;

/// The program as a user who may not open this home's store. Root lends the name of a stranger; anybody
/// else closes the directory to themselves.
fn as_stranger(home: &Home, arguments: &[&str]) -> Output {
    let mut command = home.command(arguments);
    if is_root(home) {
        // Where the program was built may be closed to strangers too. Not copied by this process: a
        // child of another test would keep the file open for writing, and then it cannot be started.
        let program = home.path().join("pdpp");
        let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_pdpp")).arg(&program).status();
        assert!(copy.unwrap().success());
        open_to(&home.path().to_owned(), 0o755);
        command = Command::new(program);
        command.env_clear().env("HOME", "/nonexistent").env("PDPP_DATA_DIR", home.data_dir());
        command.args(arguments).current_dir("/").uid(STRANGER).gid(STRANGER);
    } else {
        open_to(&home.data_dir(), 0);
    }
    let output = command.output().unwrap();
    open_to(&home.data_dir(), 0o700);
    output
}

fn is_root(home: &Home) -> bool {
    fs::metadata(home.path()).unwrap().uid() == 0
}

fn open_to(path: &PathBuf, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_store_of_another_user_is_named_as_such_and_not_as_missing() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..2));
    let records = home.file("more.csv", "id\n1\n");
    open_to(&records.clone().into(), 0o644);
    let lines: &[&[&str]] = &[
        &["grant", "list", "--json"],
        &["connection", "list", "--json"],
        &["verify", "--json"],
        &["import", "csv", &records, "--connection", "more", "--json"],
        &["serve", "--listen", "127.0.0.1:0", "--json"],
    ];
    for line in lines {
        let output = as_stranger(&home, line);
        let error: Value = serde_json::from_slice(&output.stderr).unwrap();
        let error = &error["error"];
        assert_eq!(error["code"], "store_closed", "{line:?}: {error}");
        let said = error["message"].as_str().unwrap();
        let remedy = if is_root(&home) { "sudo -u root pdpp" } else { "chmod" };
        assert!(
            said.contains("no permission to open") && said.contains(remedy),
            "{line:?}: {said}"
        );
    }
}

#[test]
fn the_doctor_says_that_a_store_belongs_to_somebody_else() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..2));
    let output = as_stranger(&home, &["doctor", "--json", "--listen", "127.0.0.1:0"]);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let faults: Vec<&Value> = said["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["state"] == "fault")
        .collect();
    assert_eq!(faults.len(), 1, "one cause, one fault: {faults:?}");
    assert_eq!(faults[0]["check"], "data_dir");
    assert!(faults[0]["what"].as_str().unwrap().contains("no permission to open"), "{faults:?}");
    assert!(!said.to_string().contains("no store yet"), "{said}");
}

#[test]
fn root_puts_nothing_into_the_directory_of_somebody_else() {
    let home = Home::file_store();
    if !is_root(&home) {
        return; // Only root can give a directory away; `ownership` tests the decision for everybody.
    }
    home.make_data_dir();
    chown(home.data_dir(), Some(STRANGER), Some(STRANGER)).unwrap();
    let refused = import(&home, "post", &letters(0..1), &["--json"]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    let error = refused.error();
    assert_eq!(error["code"], "other_owner");
    let said = error["message"].as_str().unwrap();
    assert!(said.contains(&format!("sudo -u '#{STRANGER}' pdpp")), "{said}");
    let left: Vec<_> = fs::read_dir(home.data_dir()).unwrap().collect();
    assert!(left.is_empty(), "nothing was made: {left:?}");
}

#[test]
fn a_store_that_root_left_behind_is_named_with_the_command_that_gives_it_back() {
    let home = Home::file_store();
    if !is_root(&home) {
        return; // Only root can leave something behind.
    }
    imported(&home, "post", &letters(0..1));
    chown(home.data_dir(), Some(STRANGER), Some(STRANGER)).unwrap();
    open_to(&home.data_dir().join("pdpp.sqlite"), 0o600);
    let output = as_stranger(&home, &["connection", "list", "--json"]);
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    let said = error["error"]["message"].as_str().unwrap();
    let remedy = format!("sudo chown -R {STRANGER}");
    assert!(said.contains("belongs to root") && said.contains(&remedy), "{said}");
}
