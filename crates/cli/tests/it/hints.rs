//! Commands that an answer advises work as they are printed: also with a data directory of one's own.

use crate::program::{Answer, Home};
use crate::sample::{import, letters};

/// A home whose store is where only `--data-dir` finds it.
struct Elsewhere {
    home: Home,
    place: String,
}

impl Elsewhere {
    fn new() -> Self {
        let home = Home::file_store();
        let place = home.path().join("my data").to_str().unwrap().to_owned();
        Self { home, place }
    }

    fn run(&self, line: &[&str]) -> Answer {
        self.home.run(&[line, &["--data-dir", &self.place]].concat())
    }

    /// The command is advised with the directory behind it.
    fn advised(&self, answer: &Answer, command: &str) {
        let wanted = format!("{command} --data-dir '{}'", self.place);
        let said = format!("{}{}", answer.stdout, answer.stderr);
        assert!(said.contains(&wanted), "{wanted}: {said}");
    }
}

#[test]
fn advice_repeats_a_data_directory_that_was_named() {
    let there = Elsewhere::new();
    let imported = import(&there.home, "post", &letters(0..2), &["--data-dir", &there.place]);
    there.advised(&imported, "pdpp connection show post");
    there.advised(&there.run(&["connection", "show", "nobody"]), "pdpp connection list");
    there.advised(&there.run(&["grant", "list"]), "pdpp grant create --help");
    let line = ["grant", "create", "--client", "codex", "--allow", "post"];
    let created = there.run(&line);
    there.advised(&created, "pdpp setup codex");
    there.advised(&created, "pdpp grant revoke codex");
    there.advised(&there.run(&["audit", "--limit", "1"]), "--limit 1 --before 2");
}

#[cfg(target_os = "linux")]
#[test]
fn setup_repeats_a_data_directory_that_was_named() {
    let there = Elsewhere::new();
    import(&there.home, "post", &letters(0..2), &["--data-dir", &there.place]);
    there.run(&["grant", "create", "--client", "codex", "--allow", "post"]);
    std::fs::create_dir(there.home.path().join(".codex")).unwrap();
    let done = there.run(&["setup", "codex"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    there.advised(&done, "pdpp audit");
    there.advised(&done, "pdpp setup codex --remove");
    there.advised(&there.run(&["setup", "codex", "--remove"]), "pdpp grant revoke codex");
}

#[test]
fn advice_names_no_directory_where_the_usual_one_is_meant() {
    let home = Home::file_store();
    let answer = import(&home, "post", &letters(0..1), &[]);
    assert!(answer.stdout.ends_with("pdpp connection show post\n"), "{}", answer.stdout);
    let usual = home.data_dir().to_str().unwrap().to_owned();
    let answer = import(&home, "post", &letters(0..2), &["--data-dir", &usual]);
    assert!(answer.stdout.ends_with("pdpp connection show post\n"), "{}", answer.stdout);
}
