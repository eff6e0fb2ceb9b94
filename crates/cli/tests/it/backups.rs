//! A store copied into a directory, and what comes out of it again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::program::{Answer, Home};
use crate::running::Running;
use crate::sample::{declaration, imported, letter, letters, record_count};

/// Stores of both kinds; the second is missing where Postgres is left out.
fn homes() -> impl Iterator<Item = Home> {
    [Some(Home::file_store()), Home::on_postgres()].into_iter().flatten()
}

/// Letters, a long one, a file, a grant, a pruned and an erased record: something in most tables.
fn fill(home: &Home) -> String {
    imported(home, "post", &letters(0..40));
    let long = letter(50, &"a long letter ".repeat(2_000));
    imported(home, "post", &format!("{long}\n"));
    let mut source = declaration();
    source["streams"][0]["schema"]["properties"]["file"] = json!({"type": "object"});
    let source = home.file("files.json", &source.to_string());
    fs::create_dir_all(home.path().join("files")).unwrap();
    home.file("files/note.txt", &"marmalade ".repeat(200_000));
    let data = json!({"id": "f", "subject": "see", "file": {"blob_file": "note.txt"}});
    let line = json!({"type": "RECORD", "stream": "letters", "key": "f", "data": data,
                      "emitted_at": "2026-04-01T00:00:00Z"});
    let records = home.file("with-file.jsonl", &line.to_string());
    let files = home.path().join("files");
    let files = files.to_str().unwrap();
    let import = ["import", "jsonl", "--declaration", &source, &records, "--blobs", files];
    let taken = home.json(&[&import[..], &["--connection", "other", "--json"]].concat());
    assert_eq!(taken["added"], 1, "{taken}");
    home.json(&["history", "prune", "--keep-changes", "10", "--json"]);
    let grant = ["grant", "create", "--client", "agent", "--allow", "post", "--json"];
    home.json(&grant)["access_token"].as_str().unwrap().to_owned()
}

pub fn backup(home: &Home, name: &str) -> (PathBuf, Value) {
    let directory = home.path().join(name);
    let answer = home.json(&["backup", directory.to_str().unwrap(), "--json"]);
    (directory, answer)
}

fn restore(home: &Home, from: &Path) -> Answer {
    home.run(&["restore", from.to_str().unwrap(), "--json"])
}

/// Every file of a backup with its bytes.
pub fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_path_buf();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

fn holds(directory: &Path, text: &str) -> bool {
    let has = |bytes: &Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    files(directory).values().any(has)
}

#[test]
fn what_is_restored_on_either_backend_is_equal_byte_by_byte() {
    for home in homes() {
        let token = fill(&home);
        let (copy, _) = backup(&home, "copy");
        let path = "/v1/streams/letters/records?limit=7&order=asc";
        let server = Running::serve(&home);
        let first = server.get(path, &token).body;
        let rest = format!("{path}&cursor={}", first["next_cursor"].as_str().unwrap());
        let expected = server.get(&rest, &token).body;
        assert_eq!(expected["data"].as_array().unwrap().len(), 7);
        drop(server);
        for there in homes() {
            let restored = restore(&there, &copy);
            assert_eq!(restored.code, 0, "{}", restored.stderr);
            let report = restored.document();
            assert_eq!((&report["records"], &report["blobs"]), (&json!(42), &json!(1)));
            let (again, _) = backup(&there, "again");
            let same = files(&copy) == files(&again);
            assert!(same, "the logical dump differs");
            let server = Running::serve(&there);
            assert_eq!(server.get(&rest, &token).body, expected, "cursor and token go on");
            drop(server);
            // Numbers go on where they were, so a store that grows is still sound.
            imported(&there, "post", &letters(60..63));
            assert_eq!(there.json(&["verify", "--json"])["faults"], json!([]));
        }
    }
}

#[test]
fn a_second_backup_writes_what_changed_and_forgets_what_was_erased() {
    for home in homes() {
        fill(&home);
        let (copy, first) = backup(&home, "copy");
        assert_eq!(first["new_pieces"], first["pieces"]);
        let (_, same) = backup(&home, "copy");
        assert_eq!((&same["new_pieces"], &same["removed_pieces"]), (&json!(0), &json!(0)));
        imported(&home, "post", &format!("{}\n", letter(70, "one letter more")));
        let (_, more) = backup(&home, "copy");
        let (new, all) = (&more["new_bytes"], &first["new_bytes"]);
        assert!(new.as_u64().unwrap() > 0, "{more}");
        assert!(new.as_u64().unwrap() * 4 < all.as_u64().unwrap(), "{new} of {all}");
        assert!(holds(&copy, "marmalade"));
        home.json(&["connection", "remove", "other", "--yes", "--json"]);
        backup(&home, "copy");
        assert!(!holds(&copy, "marmalade"), "what was erased is gone with the next backup");
        let there = Home::file_store();
        assert_eq!(restore(&there, &copy).document()["records"], 42);
    }
}

#[test]
fn an_encrypted_backup_opens_with_its_passphrase_only() {
    let home = Home::new();
    fill(&home);
    let copy = home.path().join("copy");
    let line = ["backup", copy.to_str().unwrap(), "--encrypt", "--json"];
    let made = home.run_with_input(&line, b"correct horse\n");
    assert_eq!(made.code, 0, "{}", made.stderr);
    for text in ["marmalade", "the spare key", "letters", "store_id", "post"] {
        assert!(!holds(&copy, text), "{text} can be read");
    }
    let there = Home::file_store();
    let line = ["restore", copy.to_str().unwrap(), "--json"];
    assert_eq!(there.run(&line).code, 78, "no passphrase");
    let wrong = there.run_with_input(&line, b"correct house\n");
    assert_eq!((wrong.code, &wrong.error()["code"]), (77, &json!("passphrase")));
    assert!(!there.data_dir().exists(), "nothing is touched");
    let restored = there.run_with_input(&line, b"correct horse\n");
    assert_eq!(restored.code, 0, "{}", restored.stderr);
    assert_eq!(restored.document()["records"], 42);
    // Later ones ask for it too, and write what is new.
    let line = ["backup", copy.to_str().unwrap(), "--json"];
    assert_eq!(there.run(&line).code, 78);
    let again = there.run_with_input(&line, b"correct horse\n");
    assert_eq!((again.code, &again.document()["new_pieces"]), (0, &json!(0)), "{}", again.stderr);
}

#[test]
fn a_damaged_copy_is_refused_before_anything_is_touched() {
    let home = Home::new();
    fill(&home);
    let (copy, _) = backup(&home, "copy");
    let there = Home::file_store();
    for (name, bytes) in files(&copy).into_iter().filter(|(name, _)| !name.ends_with("lock")) {
        let path = copy.join(&name);
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 4;
        let cut = bytes[..bytes.len() - 1].to_vec();
        for damage in [changed, cut] {
            fs::write(&path, damage).unwrap();
            let refused = restore(&there, &copy);
            let code = refused.error()["code"].clone();
            assert_eq!((refused.code, code), (65, json!("backup_damaged")), "{name:?}");
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(restore(&there, &copy).code, 65, "{name:?} is missing");
        fs::write(&path, bytes).unwrap();
    }
    assert!(!there.data_dir().exists(), "nothing is touched");
    let whole = there.json(&["restore", copy.to_str().unwrap(), "--check", "--json"]);
    assert!(whole["pieces"].as_u64().unwrap() > 10, "{whole}");
    assert!(!there.data_dir().exists(), "looking restores nothing");
    // A piece that was damaged is mended by the next backup.
    let pieces = files(&copy.join("pieces"));
    fs::write(copy.join("pieces").join(pieces.keys().next().unwrap()), "?").unwrap();
    assert_eq!(backup(&home, "copy").1["new_pieces"], 1);
    assert_eq!(restore(&there, &copy).code, 0);
}

#[test]
fn nothing_foreign_is_overwritten_or_taken_for_a_backup() {
    let (home, other) = (Home::new(), Home::file_store());
    imported(&home, "post", &letters(0..5));
    imported(&other, "post", &letters(0..9));
    let (copy, _) = backup(&home, "copy");
    let before = files(&copy);
    let line = ["backup", copy.to_str().unwrap(), "--json"];
    let refused = other.run(&line);
    assert_eq!((refused.code, &refused.error()["code"]), (65, &json!("other_store")));
    let refused = home.run_with_input(&[&line[..], &["--encrypt"]].concat(), b"late\n");
    assert_eq!((refused.code, &refused.error()["code"]), (64, &json!("not_encrypted")));
    assert!(files(&copy) == before, "the backup is as it was");

    let photos = home.path().join("photos");
    fs::create_dir(&photos).unwrap();
    fs::write(photos.join("cat.jpg"), "a cat").unwrap();
    for command in ["backup", "restore"] {
        let refused = home.run(&[command, photos.to_str().unwrap(), "--json"]);
        assert_eq!((refused.code, &refused.error()["code"]), (65, &json!("not_a_backup")));
    }
    assert_eq!(files(&photos).len(), 1);
    let refused = restore(&other, &copy);
    assert_eq!((refused.code, record_count(&other, "post")), (1, 9), "{}", refused.stderr);
    let nothing = Home::file_store();
    assert_eq!(nothing.run(&["backup", "new"]).code, 1, "there is no store");
    assert!(!nothing.path().join("new").exists());
}

#[test]
fn a_backup_under_write_load_is_one_moment() {
    const ALL: u64 = 3_000;
    for home in homes() {
        imported(&home, "early", &letters(0..5));
        let source = home.file("source.json", &declaration().to_string());
        let records = home.file("many.jsonl", &letters(0..ALL));
        let line = ["import", "jsonl", "--declaration", &source, &records, "--connection", "post"];
        let mut command = home.command(&line);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut heard = BufReader::new(child.stderr.take().unwrap());
        let mut copies = 0;
        // Progress is told after each batch; a copy is made after each of the first ones.
        let mut told = String::new();
        while copies < 3 && heard.read_line(&mut told).unwrap() > 0 {
            let (copy, _) = backup(&home, "copy");
            let there = Home::file_store();
            let restored = restore(&there, &copy);
            assert_eq!(restored.code, 0, "{}", restored.stderr);
            assert_eq!(restored.document()["faults"], json!([]));
            let audit = there.json(&["verify", "--json"]);
            assert_eq!(audit["faults"], json!([]));
            copies += 1;
        }
        assert!(copies > 0, "{told}");
        std::io::copy(&mut heard, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success(), "the import was not disturbed");
        assert_eq!(record_count(&home, "post"), ALL);
    }
}
