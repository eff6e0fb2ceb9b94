//! A database that cannot be had: the exit code says whose turn it is, the words say which address.

use std::fs;

use super::NOBODY;
use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letters};

#[test]
fn a_file_that_cannot_be_read_is_wrong_input() {
    let home = Home::file_store();
    let missing = home.path().join("missing");
    let latin = home.path().join("latin");
    fs::write(&latin, b"postgres://p\xe4t@h/x").unwrap();
    for path in [missing.as_path(), home.path(), latin.as_path()] {
        let line = ["verify", "--database-url-file", path.to_str().unwrap(), "--json"];
        let refused = home.run(&line);
        assert_eq!(refused.code, 65, "{}", refused.stderr);
        let error = refused.error();
        assert_eq!(error["code"], "input");
        let said = error["message"].as_str().unwrap();
        assert!(
            said.ends_with("--database-url-file must name a file that holds a database URL"),
            "{said}"
        );
        assert!(!said.contains("p\u{fffd}t"), "{said}");
    }
}

#[test]
fn a_database_is_called_by_the_name_that_it_was_given() {
    let Some(home) = Home::on_postgres() else { return };
    let url = home.database_url().unwrap();
    let file = home.file("address", &format!("\u{feff}{url}\r\n"));
    for (option, value, called) in [
        ("--database-url", url, "--database-url"),
        ("--database-url-file", file.as_str(), file.as_str()),
    ] {
        for command in [&["connection", "list"][..], &["verify"], &["backup", "copy"]] {
            let none = home.run(&[command, &[option, value, "--json"]].concat());
            assert_eq!(none.code, 1, "{}", none.stderr);
            let error = none.error();
            assert_eq!(error["code"], "no_store");
            let said = error["message"].as_str().unwrap();
            let wanted = format!("the database of {called} holds no store; name the right one");
            assert!(said.starts_with(&wanted), "{wanted}: {said}");
            assert!(said.contains("create one with: pdpp import --database-url"), "{said}");
        }
    }
    let none = home.run(&["connection", "list"]);
    let wanted = "the database of PDPP_DATABASE_URL holds no store";
    assert!(none.stderr.contains(wanted), "{}", none.stderr);
    assert!(!home.data_dir().exists() && !home.path().join("copy").exists());
}

#[test]
fn a_server_that_is_down_is_unreachable_for_every_command() {
    let home = Home::file_store();
    let file = home.file("address", NOBODY);
    let source = Home::file_store();
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    drop(Running::alone(&source));
    source.json(&["backup", copy, "--json"]);
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["demo", "--listen", "127.0.0.1:0"],
        &["demo", "--reset", "--listen", "127.0.0.1:0"],
        &["verify"],
        &["backup", "elsewhere"],
        &["restore", copy],
    ] {
        let refused = home.run(&[command, &["--database-url-file", &file]].concat());
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (69, ""),
            "{command:?}: {}",
            refused.stderr
        );
        let last = refused.stderr.lines().last().unwrap();
        assert!(last.contains("the database of "), "{command:?}: {last}");
    }
}

#[test]
fn what_an_editor_leaves_at_the_end_of_a_variable_is_no_part_of_the_name() {
    let Some(home) = Home::on_postgres() else { return };
    home.json(&["owner", "token", "create", "--json"]);
    for end in ["\r", "\n", " "] {
        let url = format!("{}{end}", home.database_url().unwrap());
        let found = super::run_with(&home, &["verify"], ("PDPP_DATABASE_URL", &url));
        assert_eq!(found.code, 0, "{end:?}: {}", found.stderr);
        let found = home.run(&["verify", "--database-url", &url]);
        assert_eq!(found.code, 0, "{end:?}: {}", found.stderr);
    }
}

#[test]
fn with_json_a_failure_stands_alone_on_standard_error() {
    let home = Home::file_store();
    let there = Home::file_store();
    imported(&home, "post", &letters(0..3));
    imported(&there, "post", &letters(0..3));
    let (from, to) = (home.data_dir(), there.data_dir());
    let line = ["migrate-store", "--from", from.to_str().unwrap(), "--to", to.to_str().unwrap()];
    let refused = home.run(&[&line[..], &["--json"]].concat());
    assert_eq!(refused.error()["code"], "conflict");
    let refused = home.run(&["demo", "--database-url", NOBODY, "--json"]);
    assert_eq!(refused.error()["code"], "store_unavailable");
}
