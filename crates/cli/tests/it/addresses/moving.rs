//! `pdpp migrate-store` calls both stores by the names that they were given, and knows when they are one.

use std::fs;

use crate::program::Home;
use crate::sample::{imported, letters};

/// Moves between these two and answers what was said, with its exit code.
fn moved(home: &Home, from: &str, to: &str) -> (i32, String) {
    let answer = home.run(&["migrate-store", "--from", from, "--to", to]);
    (answer.code, format!("{}{}", answer.stdout, answer.stderr))
}

#[test]
fn one_store_by_two_names_is_not_moved() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let whole = home.data_dir();
    std::os::unix::fs::symlink(&whole, home.path().join("link")).unwrap();
    let whole = whole.to_str().unwrap();
    for (from, to) in [("data", "./data"), ("data", whole), ("link", "data"), ("data/", "data")] {
        let (code, said) = moved(&home, from, to);
        assert_eq!(code, 64, "{from} {to}: {said}");
        assert!(said.contains("are the same store"), "{said}");
        assert!(!said.contains("Moving"), "{said}");
    }
}

#[test]
fn one_database_by_two_names_is_not_moved() {
    let Some(home) = Home::on_postgres() else { return };
    imported(&home, "post", &letters(0..3));
    let url = home.database_url().unwrap();
    let file = home.file("address", url);
    let long = url.replacen("postgres://", "postgresql://", 1);
    for (from, to) in [(file.as_str(), url), (url, file.as_str()), (url, &long)] {
        let (code, said) = moved(&home, from, to);
        assert_eq!(code, 64, "{said}");
        assert!(said.contains("are the same store"), "{said}");
    }
    // The same server by another name; only the server can tell.
    let mut other = url.replacen("127.0.0.1", "localhost", 1);
    if other == url {
        other.push_str(if url.contains('?') {
            "&application_name=x"
        } else {
            "?application_name=x"
        });
    }
    let (code, said) = moved(&home, url, &other);
    assert_eq!(code, 69, "{said}");
    assert!(said.contains("or --from and --to are the same store"), "{said}");
}

#[test]
fn both_ends_are_called_by_the_options_that_name_them() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let wrong = home.file("wrong", "my-secret-note");
    for (from, to, named) in [(wrong.as_str(), "new", "--from"), ("data", &wrong, "--to")] {
        let (code, said) = moved(&home, from, to);
        assert_eq!(code, 64, "{said}");
        assert!(said.contains(&format!("({named})")), "{said}");
        assert!(!said.contains("my-secret-note"), "{said}");
    }
    let (code, said) = moved(&home, "data", super::NOBODY);
    assert_eq!(code, 69, "{said}");
    assert!(said.contains("the database of --to: "), "{said}");
    let Some(there) = Home::on_postgres() else { return };
    let (code, said) = moved(&home, "data", there.database_url().unwrap());
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Moving into the database of --to …"), "{said}");
}

#[test]
fn a_fresh_disk_and_what_we_leave_there_ourselves_are_an_empty_place() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    for (place, name) in [("disk", "lost+found"), ("ours", "database-url")] {
        let to = home.path().join(place);
        fs::create_dir(&to).unwrap();
        fs::set_permissions(&to, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        match name {
            "database-url" => fs::write(to.join(name), "postgres://h/x").unwrap(),
            _ => fs::create_dir(to.join(name)).unwrap(),
        }
        let (code, said) = moved(&home, "data", place);
        assert_eq!(code, 0, "{said}");
    }
}

#[test]
fn a_pipe_that_holds_a_url_is_no_directory_and_a_store_s_file_neither() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let (code, said) = moved(&home, "data/pdpp.sqlite", "new");
    assert_eq!(code, 64, "{said}");
    assert!(
        said.contains("data/pdpp.sqlite is the file of a store; name its directory: data"),
        "{said}"
    );
    let mut command = home.command(&["migrate-store", "--from", "/dev/stdin", "--to", "new"]);
    let answer = super::ended(&mut command, super::NOBODY);
    assert_eq!(answer.code, 69, "{}", answer.stderr);
    assert!(answer.stderr.contains("the database of /dev/stdin: "), "{}", answer.stderr);
}
