//! Stores and backups of every released version, which the present program must open.
//!
//! `crates/cli/tests/releases/VERSION` holds a store in a file, a backup of it, the same store as a dump of
//! Postgres, and what was noted when they were made. To make those of the version in `Cargo.toml`, with the
//! program of exactly that version:
//!
//! `PDPP_MAKE_RELEASE=1 cargo test -p pdpp --test it releases::`

mod archive;
mod exports;
mod making;
mod questions;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::backups::backup;
use crate::program::Home;
use crate::running::Running;

const STORE: &str = "store.zip";
const BACKUP: &str = "backup.zip";
const DUMP: &str = "postgres.zip";
const NOTED: &str = "noted.json";

fn all_releases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases")
}

/// The directory of each released version.
fn releases() -> Vec<PathBuf> {
    let entries = fs::read_dir(all_releases()).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    assert!(!found.is_empty(), "there is a fixture of each release");
    found
}

fn noted(release: &Path) -> Value {
    serde_json::from_slice(&fs::read(release.join(NOTED)).unwrap()).unwrap()
}

/// Everything that was noted holds of the store in `home`.
fn check(home: &Home, noted: &Value) {
    let mut told = questions::told_by_commands(home);
    // The log goes on; what was there before stays as it was.
    let before = noted["commands"]["audit"].as_array().unwrap().len();
    told["audit"].as_array_mut().unwrap().truncate(before);
    same(&told, &noted["commands"]);
    let server = Running::serve(home);
    same(&questions::told_by_server(&server, noted), &noted["server"]);
    questions::cursors_go_on_or_are_refused(&server, noted);
    questions::sign_in_goes_on_or_has_ended(&server, noted);
    questions::password_opens(&server);
    drop(server);
    crate::sample::imported(home, "post", &crate::sample::letters(80..82));
    assert_eq!(home.json(&["verify", "--json"])["faults"], json!([]), "and it goes on");
}

/// Compares member by member, so that a difference can be read.
fn same(told: &Value, noted: &Value) {
    for (name, expected) in noted.as_object().unwrap() {
        assert_eq!(&told[name], expected, "{name}");
    }
}

#[test]
fn a_store_of_every_release_opens() {
    for release in releases() {
        let home = Home::file_store();
        archive::unpack(&release.join(STORE), &home.data_dir());
        check(&home, &noted(&release));
    }
}

/// The canonical JSON of a record is what a store compares: an importer that says the same in other
/// bytes would change every record.
#[test]
fn the_exports_of_every_release_add_only_the_text_of_files_to_its_store() {
    for release in releases() {
        let home = Home::file_store();
        archive::unpack(&release.join(STORE), &home.data_dir());
        for export in exports::ALL {
            let path = export.write(&home);
            let to = export.connection;
            let line = ["import", export.format, &path, "--connection", to, "--json"];
            let report = home.run(&line).document();
            let counts = ["added", "deleted"].map(|count| report[count].clone());
            assert_eq!(json!(counts), json!([0, 0]), "{}: {report}", export.format);
            // Files had no text before: those that have some get it once, and nothing else changes.
            for (stream, counts) in report["streams"].as_object().unwrap() {
                let is_of_files = stream == "attachments";
                assert!(is_of_files || counts["changed"] == 0, "{}: {report}", export.format);
            }
            let again = home.run(&line).document();
            let counts = ["added", "changed", "deleted"].map(|count| again[count].clone());
            assert_eq!(json!(counts), json!([0, 0, 0]), "{}: {again}", export.format);
            let (seen, rejected) = (again["seen"].as_u64(), again["rejected"].as_u64());
            assert_eq!(again["unchanged"].as_u64(), Some(seen.unwrap() - rejected.unwrap()));
        }
        let letters = crate::sample::imported(&home, "post", &crate::sample::letters(4..12));
        assert_eq!((&letters["unchanged"], &letters["changed"]), (&json!(8), &json!(0)));
    }
}

#[test]
fn a_backup_of_every_release_is_restored_on_both_backends() {
    for release in releases() {
        for home in [Some(Home::file_store()), Home::on_postgres()].into_iter().flatten() {
            let copy = home.path().join("copy");
            archive::unpack(&release.join(BACKUP), &copy);
            let restored = home.json(&["restore", copy.to_str().unwrap(), "--json"]);
            assert_eq!(restored["faults"], json!([]), "{restored}");
            check(&home, &noted(&release));
            // The next backup into the same directory is one of the present program.
            home.json(&["backup", copy.to_str().unwrap(), "--json"]);
            let there = Home::file_store();
            there.json(&["restore", copy.to_str().unwrap(), "--json"]);
        }
    }
}

#[test]
fn a_postgres_store_of_every_release_opens() {
    for release in releases() {
        let Some(home) = Home::on_postgres() else { return };
        home.load(&archive::unpack_text(&release.join(DUMP)));
        check(&home, &noted(&release));
    }
}

/// Makes a fixture with the present program; the one of a release is kept when that is asked for.
#[test]
fn the_present_program_makes_a_fixture() {
    let home = Home::file_store();
    let mut made = making::fill(&home);
    let kept = home.path().join("fixture");
    fs::create_dir(&kept).unwrap();
    let (copy, _) = backup(&home, "copy");
    archive::pack(&copy, &kept.join(BACKUP));
    archive::pack(&home.data_dir(), &kept.join(STORE));
    if let Some(there) = Home::on_postgres() {
        let (data, url) = (home.data_dir(), there.database_url().unwrap());
        let line = ["migrate-store", "--from", data.to_str().unwrap(), "--to", url, "--json"];
        assert_eq!(home.json(&line)["same"], true);
        archive::pack_text("store.sql", &dumped(url), &kept.join(DUMP));
    }
    // What is asked may be written down in the log, so it is asked of another copy.
    let asked = Home::file_store();
    archive::unpack(&kept.join(STORE), &asked.data_dir());
    made["commands"] = questions::told_by_commands(&asked);
    let server = Running::alone(&asked);
    made["server"] = questions::told_by_server(&server, &made);
    drop(server);
    fs::write(kept.join(NOTED), format!("{made:#}\n")).unwrap();
    check(&asked, &noted(&kept));
    if is_asked_for() {
        let release = all_releases().join(env!("CARGO_PKG_VERSION"));
        fs::create_dir_all(&release).unwrap();
        for name in [STORE, BACKUP, DUMP, NOTED] {
            fs::copy(kept.join(name), release.join(name)).unwrap();
        }
    }
}

/// A database as statements that any connection can run.
fn dumped(url: &str) -> String {
    let options = ["--no-owner", "--no-privileges", "--rows-per-insert=100", url];
    let output = Command::new("pg_dump").args(options).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // Commands of one client program are no statements.
    text.lines().filter(|line| !line.starts_with('\\')).map(|line| format!("{line}\n")).collect()
}

#[expect(clippy::disallowed_methods, reason = "the variable asks for files that are committed")]
fn is_asked_for() -> bool {
    std::env::var_os("PDPP_MAKE_RELEASE").is_some()
}
