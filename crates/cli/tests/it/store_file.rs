//! Files that are no store of ours: refused, and left exactly as they were.

use crate::program::Home;
use crate::sample::{imported, letters};

#[test]
fn a_file_that_is_something_else_is_refused_and_untouched() {
    let home = Home::new();
    home.make_data_dir();
    let store = home.data_dir().join("pdpp.sqlite");
    let commands =
        [&["connection", "list"][..], &["verify"], &["serve", "--listen", "127.0.0.1:0"]];
    for content in [
        "Dear diary, today I bought a typewriter.\n".repeat(400),
        "P.S.".to_owned(),
        "x".to_owned(),
    ] {
        std::fs::write(&store, &content).unwrap();
        for line in commands {
            let answer = home.run(line);
            assert_eq!(answer.code, 1, "{line:?}: {}", answer.stderr);
            assert!(answer.stderr.contains("not a pdpp store"), "{line:?}: {}", answer.stderr);
        }
        assert_eq!(std::fs::read_to_string(&store).unwrap(), content);
    }
}

#[test]
fn a_sound_store_verifies_and_a_damaged_one_does_not_pass() {
    let home = Home::new();
    imported(&home, "post", &letters(0..20));
    let report = home.json(&["verify", "--json"]);
    assert_eq!((&report["records"], &report["faults"]), (&20.into(), &serde_json::json!([])));
    let store = home.data_dir().join("pdpp.sqlite");
    let mut bytes = std::fs::read(&store).unwrap();
    let needle = b"Dear reader 7";
    let at = bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    bytes[at] = b'T';
    std::fs::write(&store, bytes).unwrap();
    let answer = home.run(&["verify", "--json"]);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(!answer.document()["faults"].as_array().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn a_pipe_a_device_and_a_directory_are_no_store() {
    for kind in ["pipe", "device", "directory"] {
        let home = Home::new();
        home.make_data_dir();
        let store = home.data_dir().join("pdpp.sqlite");
        match kind {
            "pipe" => {
                let made = std::process::Command::new("mkfifo").arg(&store).status().unwrap();
                assert!(made.success());
            }
            "device" => std::os::unix::fs::symlink("/dev/null", &store).unwrap(),
            _ => std::fs::create_dir(&store).unwrap(),
        }
        let answer = home.run(&["connection", "list"]);
        assert_eq!(answer.code, 1, "{kind}: {}", answer.stderr);
        assert!(answer.stderr.contains("not a pdpp store"), "{kind}: {}", answer.stderr);
    }
}

#[test]
fn a_store_that_lost_its_end_is_damaged_not_unreachable() {
    let home = Home::new();
    imported(&home, "post", &letters(0..200));
    let store = home.data_dir().join("pdpp.sqlite");
    let length = std::fs::metadata(&store).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&store).unwrap().set_len(length / 2).unwrap();
    let answer = home.run(&["verify", "--json"]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(!answer.document()["faults"].as_array().unwrap().is_empty());
    let answer = home.run(&["connection", "list", "--json"]);
    assert!(answer.code <= 1, "{}", answer.stderr);
    if answer.code == 1 {
        assert_eq!(answer.error()["code"], "store_damaged");
        assert!(answer.stderr.contains("restore a backup"), "{}", answer.stderr);
    }
}
