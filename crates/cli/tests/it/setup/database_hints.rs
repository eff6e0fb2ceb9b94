//! What a setup on Postgres advises works as it is printed, and names no password.

use std::fs;
use std::process::Command;

use super::furnish;
use crate::program::{Answer, Home};

/// A home with clients whose database the environment does not name.
fn unnamed() -> Option<(Home, String)> {
    let home = Home::on_postgres()?.with_password("sesame");
    let url = home.database_url().unwrap().to_owned();
    let bin = home.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pdpp"), bin.join("pdpp")).unwrap();
    Some((furnish(home), url))
}

/// Runs a command without the database in the environment.
fn run(home: &Home, line: &[&str]) -> Answer {
    answer(home.command(line).env_remove("PDPP_DATABASE_URL"))
}

fn answer(command: &mut Command) -> Answer {
    let output = command.output().unwrap();
    Answer {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command that stands behind these words.
fn advised(said: &Answer, words: &str) -> String {
    let line = said.stdout.lines().find_map(|line| line.split_once(words));
    line.unwrap_or_else(|| panic!("{words}: {}", said.stdout)).1.to_owned()
}

/// Types a command as it was printed.
fn typed(home: &Home, line: &str) -> Answer {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).env_clear().current_dir(home.path());
    shell.env("HOME", home.path()).env("PATH", home.path().join("bin"));
    let said = answer(&mut shell);
    assert_eq!(said.code, 0, "{line}: {}", said.stderr);
    said
}

#[test]
fn what_a_setup_advises_works_as_it_is_printed() {
    let Some((home, url)) = unnamed() else { return };
    let done = run(&home, &["setup", "codex", "--data-dir", "data", "--database-url", &url]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(!format!("{}{}", done.stdout, done.stderr).contains("sesame"), "{}", done.stdout);
    let audit = advised(&done, "See its activity: ");
    assert!(audit.contains("--database-url-file "), "{audit}");
    typed(&home, &audit);
    let remove = advised(&done, "Undo with: ");
    assert_eq!(remove, "pdpp setup codex --remove --data-dir data", "it needs no database");
    let gone = typed(&home, &remove);
    let revoke = advised(&gone, "revoke it with: ");
    assert!(revoke.starts_with("pdpp grant revoke codex --data-dir "), "{revoke}");
    typed(&home, &revoke);
    assert!(!home.data_dir().join("credentials/codex.database-url").exists());
}

#[test]
fn what_the_shell_hands_over_is_copied_and_never_advised() {
    let Some((home, url)) = unnamed() else { return };
    let own = home.file("address", &url);
    let line = "pdpp setup codex --data-dir data --database-url-file /dev/fd/3";
    let done = typed(&home, &format!("{line} 3< {own}"));
    assert!(!done.stdout.contains("/dev/fd"), "{}", done.stdout);
    typed(&home, &advised(&done, "See its activity: "));
    fs::remove_file(home.data_dir().join("credentials/cursor.json")).unwrap();
    let line = "pdpp setup cursor --data-dir data --database-url-file /dev/fd/3";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("{line} 3< {own}")]).env_clear().current_dir(home.path());
    shell.env("HOME", home.path()).env("PATH", home.path().join("bin"));
    let refused = answer(&mut shell);
    assert_eq!(refused.code, 78, "{}", refused.stderr);
    assert!(refused.stderr.trim_end().ends_with("--database-url URL"), "{}", refused.stderr);
}

#[test]
fn the_address_that_has_yet_to_be_written_is_named_to_scripts() {
    let Some((home, url)) = unnamed() else { return };
    let file = home.data_dir().join("credentials/codex.database-url");
    let print = ["setup", "codex", "--print", "--json", "--database-url", &url];
    assert_eq!(run(&home, &print).document()["address_file"], file.to_str().unwrap());
    assert!(!file.exists());
    home.json(&["setup", "codex", "--json"]);
    assert!(run(&home, &print).document()["address_file"].is_null(), "it is there now");
    let own = home.file("address", &url);
    let print = ["setup", "cursor", "--print", "--json", "--database-url-file", &own];
    assert!(run(&home, &print).document()["address_file"].is_null(), "the person wrote it");
}
