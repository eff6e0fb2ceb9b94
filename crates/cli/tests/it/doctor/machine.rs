//! Faults of the machine: files, environment, ports, disks.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{doctor, said};
use crate::program::{Answer, Home};
use crate::sample::{imported, letters};

/// A home with a store, a grant and nothing wrong.
fn healthy() -> Home {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    home.json(&["grant", "create", "--client", "codex", "--allow", "post", "--json"]);
    home
}

fn credential(home: &Home) -> PathBuf {
    home.data_dir().join("credentials/codex.json")
}

fn open_to(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn where_nothing_is_wrong_nothing_is_found() {
    let said = doctor(&healthy(), &[]);
    assert_eq!((said.code, &said.document["healthy"]), (0, &true.into()), "{}", said.document);
    let empty = doctor(&Home::file_store(), &[]);
    assert_eq!(empty.code, 0, "a machine before its first import is fine: {}", empty.document);
}

#[test]
fn a_look_at_a_credential_is_no_use_of_it() {
    let home = healthy();
    assert_eq!(doctor(&home, &[]).code, 0);
    let packages = home.json(&["grant", "list", "--json"]);
    assert_eq!(packages["packages"][0].get("last_used_at"), None, "{packages}");
}

#[test]
fn an_owner_token_in_the_environment_is_named_and_not_repeated() {
    let home = healthy();
    let token = home.json(&["owner", "token", "create", "--json"]);
    let token = token["access_token"].as_str().unwrap();
    for variable in ["PDPP_OWNER_TOKEN", "MY_NOTES"] {
        let mut command = home.command(&["doctor", "--json", "--listen", "127.0.0.1:0"]);
        let output = command.env(variable, format!("x {token}")).output().unwrap();
        let answer = Answer {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::new(),
        };
        assert!(!answer.stdout.contains(token));
        let said = said(&answer);
        said.names("environment", variable, &format!("unset {variable}"));
        said.only("environment");
    }
}

#[test]
fn a_credential_that_others_can_read_is_named_with_the_command_that_closes_it() {
    let home = healthy();
    open_to(&credential(&home), 0o644);
    let said = doctor(&home, &[]);
    said.names("credential", "other users can read", "chmod 600");
    said.only("credential");
    open_to(&credential(&home), 0o600);
    open_to(&home.data_dir(), 0o755);
    let said = doctor(&home, &[]);
    said.names("data_dir", "all users", "chmod 700");
    said.only("data_dir");
}

#[test]
fn a_revoked_token_is_named_with_the_way_to_a_new_one() {
    let home = healthy();
    let kept = fs::read(credential(&home)).unwrap();
    home.json(&["grant", "revoke", "codex", "--json"]);
    fs::write(credential(&home), kept).unwrap();
    open_to(&credential(&home), 0o600);
    let said = doctor(&home, &[]);
    said.names("credential", "codex does not work", "pdpp grant create --client codex");
    said.only("credential");
}

#[test]
fn a_store_that_cannot_be_read_is_named() {
    let home = healthy();
    let store = home.data_dir().join("pdpp.sqlite");
    fs::write(&store, "this was a store once, long enough to be looked at").unwrap();
    let said = doctor(&home, &[]);
    said.names("store", "pdpp.sqlite", "restore a backup");
    said.only("store");
    fs::remove_file(&store).unwrap();
    fs::create_dir(&store).unwrap();
    doctor(&home, &[]).names("store", "pdpp.sqlite", "");
}

#[test]
fn a_taken_port_is_named_with_another() {
    let home = healthy();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    // Whoever asks gets no answer, as from any program that is not ours.
    let silent = std::thread::spawn(move || drop(taken.accept()));
    let said = doctor(&home, &["--listen", &address]);
    said.names("listener", &address, "--listen 127.0.0.1:0");
    said.only("listener");
    silent.join().unwrap();
}

#[test]
fn a_stale_lock_is_told_from_a_server_that_runs_and_from_one_that_ended() {
    let home = healthy();
    let server = crate::running::Running::serve(&home);
    assert_eq!(doctor(&home, &[]).faults("serve_lock"), []);
    let pid = server.pid();
    // Dropped without a word, as a power cut would.
    drop(server);
    let said = doctor(&home, &[]);
    said.names("serve_lock", &format!("process {pid}"), "pdpp serve");
    said.only("serve_lock");
    assert_eq!(crate::running::Running::serve(&home).terminate(), Some(0));
    assert_eq!(doctor(&home, &[]).code, 0, "an orderly end leaves nothing behind");
}

#[test]
fn a_client_whose_program_or_credential_is_gone_is_named() {
    let home = healthy();
    fs::create_dir(home.path().join(".codex")).unwrap();
    home.json(&["setup", "codex", "--json"]);
    assert_eq!(doctor(&home, &[]).code, 0);
    let file = home.path().join(".codex/config.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(env!("CARGO_BIN_EXE_pdpp"), "/gone/pdpp")).unwrap();
    let said = doctor(&home, &[]);
    said.names("client_setup", "/gone/pdpp", "pdpp setup codex");
    fs::write(&file, text).unwrap();
    home.json(&["grant", "revoke", "codex", "--json"]);
    doctor(&home, &[]).names("client_setup", "codex", "pdpp grant create --client codex");
}

/// A disk of one megabyte, in a name space of its own: no right is needed where the system lets
/// people make such spaces. Where it does not, the check's own test plays a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let home = healthy();
    let script = "mount -t tmpfs -o size=1m none \"$1\" && shift && exec \"$@\"";
    let line = |command: &mut Command| {
        command.args(["-rm", "sh", "-c", script, "sh"]).arg(home.data_dir());
    };
    let mut possible = Command::new("unshare");
    line(&mut possible);
    if !possible.arg("true").status().is_ok_and(|status| status.success()) {
        eprintln!("left out: this system lets nobody mount a small disk");
        return;
    }
    let mut command = Command::new("unshare");
    line(&mut command);
    command.arg(env!("CARGO_BIN_EXE_pdpp")).args(["doctor", "--json", "--listen", "127.0.0.1:0"]);
    command.env("HOME", home.path()).env("PDPP_DATA_DIR", home.data_dir());
    let output = command.output().unwrap();
    let answer = Answer {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::new(),
    };
    said(&answer).names("disk", "full", "free some space");
}
