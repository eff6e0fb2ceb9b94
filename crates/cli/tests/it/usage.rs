//! Wrong usage and its exit codes; words that scripts rely on.

use crate::program::Home;
use crate::sample::{imported, letters};

#[test]
fn a_wrong_command_line_exits_with_64() {
    let home = Home::new();
    let lines: &[&[&str]] = &[
        &[],
        &["no-such-command"],
        &["serve", "--no-such-flag"],
        &["serve", "--listen", "nowhere"],
        &["import"],
        &["import", "jsonl"],
        &["import", "jsonl", "--declaration", "d.json", "r.jsonl", "--connection", "Not A Name"],
        &["import", "mbox", "m.mbox", "--connection", "mail", "--stream", "x"],
        &["import", "singer", "-", "--connection", "tap", "--stream", "x"],
        &["connect", "nonsense"],
        &["connection", "show", "Not A Name"],
        &["connection", "show"],
        &["grant", "create", "--client", "a"],
        &["grant", "create", "--client", "a", "--allow", "Work Mail"],
        &["grant", "create", "--client", "a", "--allow", "mail@yesterday"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--expires", "soon"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--access", "always"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--leave-out", "spam"],
        &["audit", "--since", "yesterday"],
        &["audit", "verify", "--client", "a"],
        &["audit", "--client", "a", "verify"],
        &["bench", "--only", "import", "--database-url", "postgres://nobody@127.0.0.1:1/x"],
        &["--data-dir"],
    ];
    for line in lines {
        let answer = home.run(line);
        assert_eq!(answer.code, 64, "{line:?}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{line:?}");
        assert!(!answer.stderr.is_empty(), "{line:?}");
    }
}

#[test]
fn with_json_a_wrong_command_line_is_one_object_on_standard_error() {
    let home = Home::new();
    let error = home.run(&["serve", "--no-such-flag", "--json"]).error();
    assert_eq!(error["exit_code"], 64);
    assert!(error["message"].as_str().unwrap().contains("--no-such-flag"), "{error}");
    let error = home.run(&["grant", "create", "--client", "a", "--allow", "X", "--json"]).error();
    assert_eq!(error["exit_code"], 64);
}

#[test]
fn what_is_not_there_exits_with_1_and_the_answer_says_where_to_look() {
    let home = Home::new();
    imported(&home, "post", &letters(0..1));
    let create = ["grant", "create", "--client", "a", "--allow"];
    let lines: &[(&[&str], &str)] = &[
        (&["connection", "show", "nobody"], "pdpp connection list"),
        (&["connection", "remove", "nobody", "--yes"], "pdpp connection list"),
        (&["connection", "rename", "nobody", "New name"], "pdpp connection list"),
        (&["grant", "show", "nobody"], "pdpp grant list"),
        (&["grant", "revoke", "nobody"], "pdpp grant list"),
        (&["owner", "token", "revoke", "nobody"], "pdpp owner token list"),
        (&[&create[..], &["nobody"]].concat(), "pdpp connection list"),
        (&[&create[..], &["post/nothing"]].concat(), "pdpp connection show post"),
        (&[&create[..], &["post/letters:nothing"]].concat(), "pdpp connection show post"),
    ];
    for (line, hint) in lines {
        let answer = home.run(line);
        assert_eq!(answer.code, 1, "{line:?}: {}", answer.stderr);
        assert_eq!(answer.stderr.lines().count(), 1, "{line:?}: {}", answer.stderr);
        assert!(answer.stderr.contains(hint), "{line:?}: {}", answer.stderr);
    }
}

#[test]
fn a_command_that_reads_makes_no_store() {
    let home = Home::new();
    let nowhere = home.data_dir();
    let lines: &[&[&str]] = &[
        &["connection", "list"],
        &["connection", "show", "post"],
        &["connection", "remove", "post", "--yes"],
        &["grant", "create", "--client", "a", "--allow", "post"],
        &["grant", "list"],
        &["grant", "revoke", "a"],
        &["owner", "token", "list"],
        &["owner", "token", "revoke", "a"],
        &["audit"],
        &["audit", "verify"],
        &["verify"],
    ];
    for line in lines {
        let answer = home.run(line);
        assert_eq!((answer.code, answer.stdout.as_str()), (1, ""), "{line:?}");
        let place = format!("no store at {}", nowhere.display());
        assert!(answer.stderr.contains(&place), "{line:?}: {}", answer.stderr);
        assert!(answer.stderr.contains("pdpp import"), "{line:?}: {}", answer.stderr);
        assert!(!nowhere.exists(), "{line:?} made one");
    }
    assert_eq!(home.run(&["audit", "--json"]).error()["code"], "no_store");
    assert_eq!(home.run(&["owner", "token", "create"]).code, 0, "an owner may begin with a token");
    assert_eq!(home.run(&["connection", "list"]).code, 0);
}

#[test]
fn global_options_stand_before_or_after_the_command() {
    let home = Home::new();
    let elsewhere = home.path().join("elsewhere");
    let elsewhere = elsewhere.to_str().unwrap();
    home.json(&["owner", "token", "create", "--json", "--data-dir", elsewhere]);
    let before = home.json(&["--json", "--data-dir", elsewhere, "connection", "list"]);
    let after = home.json(&["connection", "list", "--data-dir", elsewhere, "--json"]);
    let between = home.json(&["connection", "--json", "list", "--data-dir", elsewhere]);
    assert_eq!(before, serde_json::json!({"connections": []}));
    assert_eq!((&before, &before), (&after, &between));
    assert!(!home.data_dir().exists(), "the option wins over the variable");
}

#[test]
fn a_database_that_cannot_be_used_is_named_without_its_password() {
    let home = Home::new();
    // Nobody listens on the port of a socket that is already closed.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://person:password@127.0.0.1:{port}/db");
    for (url, code) in [(url.as_str(), 69), ("mysql://person:password@localhost/db", 64)] {
        let answer = home.run(&["connection", "list", "--database-url", url]);
        assert_eq!(answer.code, code, "{}", answer.stderr);
        assert!(!answer.stderr.contains("password"), "{}", answer.stderr);
        let mut command = home.command(&["connection", "list"]);
        let output = command.env("PDPP_DATABASE_URL", url).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn a_broken_log_filter_is_wrong_usage() {
    let home = Home::new();
    let mut command = home.command(&["connection", "list"]);
    let output = command.env("PDPP_LOG", "pdpp=shouting").output().unwrap();
    assert_eq!(output.status.code(), Some(64));
}
