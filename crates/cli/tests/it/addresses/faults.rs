//! A database that cannot be had: the exit code says whose turn it is, the words say which address.

use std::fs;

use super::NOBODY;
use crate::program::Home;
use crate::running::Running;

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
            said.ends_with("--database-url-file names a file that holds a database URL"),
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
            assert!(said.contains("begin with: pdpp import --database-url"), "{said}");
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
