//! Passwords: told apart from other faults, changed, sealed, and in no file of the store.

use pdpp_testkit::dovecot::{PASSWORD, ToldChanges, USER};

use super::world::{World, message};

#[test]
fn a_wrong_password_a_wrong_server_and_a_strange_certificate_are_told_apart() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    let (home, port) = (&world.home, world.server.port().to_string());
    let certificate = world.server.certificate();
    let certificate = certificate.to_str().unwrap();
    let wrong = home.file("wrong", "open sesame\n");
    let right = home.file("right", &format!("{PASSWORD}\n"));
    let add = |host: &str, port: &str, password: &str, more: &[&str]| {
        let mut line = vec!["account", "add", "imap", "mail", "--json", "--user", USER];
        line.extend(["--host", host, "--port", port, "--password-file", password]);
        line.extend(more);
        let answer = home.run(&line);
        (answer.code, answer.error())
    };
    let trusted = ["--ca-file", certificate];
    let (code, error) = add("localhost", &port, &wrong, &trusted);
    assert_eq!((code, error["code"].as_str()), (77, Some("credential_refused")), "{error}");
    let (code, error) = add("localhost", &port, &right, &[]);
    assert_eq!((code, error["code"].as_str()), (69, Some("source_insecure")), "{error}");
    let (code, error) = add("localhost", "1", &right, &trusted);
    assert_eq!((code, error["code"].as_str()), (69, Some("source_unreachable")), "{error}");
    let (code, error) =
        add("localhost", &port, &right, &["--ca-file", certificate, "--folder", "None"]);
    assert_eq!((code, error["code"].as_str()), (1, Some("no_such_folder")), "{error}");
    let none = home.json(&["connection", "list", "--json"]);
    assert_eq!(none["connections"].as_array().map(Vec::len), Some(0), "nothing was stored: {none}");
}

#[test]
fn a_changed_password_is_named_with_the_command_that_mends_it() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    world.server.deliver("INBOX", &message(1, "boiler"));
    world.add();
    world.sync();
    world.server.set_password("another one");
    world.server.deliver("INBOX", &message(2, "ferry"));
    // The server looks at its file of passwords once a second.
    let sync = || world.home.run(&["account", "sync", "mail", "--quiet"]);
    let refused = (0..100).map(|_| sync()).find(|answer| answer.code != 0).unwrap();
    assert_eq!(refused.code, 77, "{}", refused.stderr);
    let status = world.home.json(&["account", "status", "mail", "--json"]);
    assert_eq!(status["state"], "failing");
    assert_eq!(status["fault"]["next"], "run: pdpp account password mail", "{status}");
    let file = world.home.file("new", "another one\n");
    world.home.json(&["account", "password", "mail", "--password-file", &file, "--json"]);
    world.sync();
    assert_eq!(world.seen().len(), 2);
    let status = world.home.json(&["account", "status", "mail", "--json"]);
    assert_eq!(status["state"], "current", "{status}");
}

#[test]
fn a_password_is_in_no_file_of_the_store_and_its_key_can_be_rotated() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    world.server.deliver("INBOX", &message(1, "boiler"));
    world.add();
    world.sync();
    assert!(!world.home.store_holds(PASSWORD), "in clear");
    let key_file = world.home.data_dir().join("account-keys");
    let key = std::fs::read_to_string(&key_file).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&key_file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let to = world.home.path().join("copy");
    world.home.json(&["backup", to.to_str().unwrap(), "--json"]);
    let mut files = vec![to];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let secret = key.trim().rsplit(':').next().unwrap().as_bytes();
        for secret in [PASSWORD.as_bytes(), secret] {
            let holds = bytes.windows(secret.len()).any(|window| window == secret);
            assert!(!holds, "{}", path.display());
        }
    }
    let rotated = world.home.json(&["owner", "key", "rotate", "--json"]);
    assert_eq!(rotated["sealed"], 1);
    assert_ne!(std::fs::read_to_string(&key_file).unwrap(), key);
    world.sync();
    std::fs::write(&key_file, key).unwrap();
    let refused = world.home.run(&["account", "sync", "mail", "--quiet"]);
    assert_eq!(refused.code, 78, "the old key opens nothing: {}", refused.stderr);
}
