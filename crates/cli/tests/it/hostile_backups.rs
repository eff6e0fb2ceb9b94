//! Directories that somebody else has had a hand in: nothing foreign is removed, followed or read.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::backups::{backup, files};
use crate::program::Home;
use crate::sample::{imported, letters};

#[test]
fn a_backup_removes_nothing_but_its_own_pieces() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let outside = home.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    home.file("outside/keep", "precious");
    let into = |name: &str, place: &dyn Fn(&Path)| {
        let directory = home.path().join(name);
        fs::create_dir_all(directory.join("pieces")).unwrap();
        place(&directory);
        let refused = home.run(&["backup", directory.to_str().unwrap(), "--json"]);
        assert_eq!(refused.code, 65, "{name}: {}", refused.stdout);
        assert_eq!(refused.error()["code"], "not_a_backup", "{name}");
        assert_eq!(fs::read_to_string(outside.join("keep")).unwrap(), "precious", "{name}");
        directory
    };
    let music = into("music", &|there| {
        fs::create_dir_all(there.join("pieces/music")).unwrap();
        fs::write(there.join("pieces/music/song"), "la").unwrap();
    });
    assert!(music.join("pieces/music/song").exists());
    into("short", &|there| {
        fs::create_dir_all(there.join("pieces/ab")).unwrap();
        fs::write(there.join("pieces/ab/cd"), "mine").unwrap();
    });
    into("linked", &|there| symlink(&outside, there.join("pieces/ab")).unwrap());
    into("all", &|there| {
        fs::remove_dir(there.join("pieces")).unwrap();
        symlink(&outside, there.join("pieces")).unwrap();
    });
    into("lock", &|there| symlink(outside.join("made"), there.join("lock")).unwrap());
    assert!(!outside.join("made").exists());
}

#[test]
fn what_is_no_piece_is_not_read() {
    let home = Home::file_store();
    imported(&home, "post", &letters(0..3));
    let (copy, _) = backup(&home, "copy");
    let found: Vec<PathBuf> =
        files(&copy).into_keys().filter(|path| path.starts_with("pieces")).collect();
    let piece = copy.join(found.first().unwrap());
    let whole = fs::read(&piece).unwrap();
    fs::write(home.path().join("same"), &whole).unwrap();
    let tries: [(&str, &dyn Fn()); 4] = [
        ("endless", &|| symlink("/dev/zero", &piece).unwrap()),
        ("linked", &|| symlink(home.path().join("same"), &piece).unwrap()),
        ("a folder", &|| fs::create_dir(&piece).unwrap()),
        ("huge", &|| fs::File::create(&piece).unwrap().set_len(40 << 30).unwrap()),
    ];
    for (name, place) in tries {
        fs::remove_file(&piece).or_else(|_| fs::remove_dir(&piece)).unwrap();
        place();
        let refused = home.run(&["restore", copy.to_str().unwrap(), "--check", "--json"]);
        assert_eq!(
            (refused.code, &refused.error()["code"]),
            (65, &json!("backup_damaged")),
            "{name}"
        );
    }
}
