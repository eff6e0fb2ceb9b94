//! Wrong usage and its exit codes; words that scripts rely on.

use crate::program::Home;

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
        &["connection", "show", "Not A Name"],
        &["connection", "show"],
        &["grant", "create", "--client", "a"],
        &["grant", "create", "--client", "a", "--allow", "Work Mail"],
        &["grant", "create", "--client", "a", "--allow", "mail@yesterday"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--expires", "soon"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--access", "always"],
        &["grant", "create", "--client", "a", "--allow", "mail", "--leave-out", "spam"],
        &["grant", "create", "--client", "a", "--allow", "unknown"],
        &["audit", "--since", "yesterday"],
        &["audit", "verify", "--client", "a"],
        &["audit", "--client", "a", "verify"],
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
    let error = home.run(&["grant", "create", "--client", "a", "--allow", "x", "--json"]).error();
    assert_eq!(error["exit_code"], 64);
}

#[test]
fn what_is_not_there_exits_with_1() {
    let home = Home::new();
    let lines: &[&[&str]] = &[
        &["connection", "show", "nobody"],
        &["connection", "remove", "nobody", "--yes"],
        &["connection", "rename", "nobody", "New name"],
        &["grant", "show", "nobody"],
        &["grant", "revoke", "nobody"],
        &["owner", "token", "revoke", "nobody"],
    ];
    for line in lines {
        let answer = home.run(line);
        assert_eq!(answer.code, 1, "{line:?}: {}", answer.stderr);
        assert_eq!(answer.stderr.lines().count(), 1, "{line:?}: {}", answer.stderr);
    }
    assert_eq!(Home::new().run(&["verify"]).code, 1, "there is nothing to verify");
}

#[test]
fn global_options_stand_before_or_after_the_command() {
    let home = Home::new();
    let elsewhere = home.path().join("elsewhere");
    let elsewhere = elsewhere.to_str().unwrap();
    let before = home.json(&["--json", "--data-dir", elsewhere, "connection", "list"]);
    let after = home.json(&["connection", "list", "--data-dir", elsewhere, "--json"]);
    let between = home.json(&["connection", "--json", "list", "--data-dir", elsewhere]);
    assert_eq!(before, serde_json::json!({"connections": []}));
    assert_eq!((&before, &before), (&after, &between));
    assert!(!home.data_dir().exists(), "the option wins over the variable");
}

#[test]
fn a_database_url_is_refused_by_a_build_that_cannot_serve_it() {
    let home = Home::new();
    let url = "postgres://person:password@localhost/db";
    let answer = home.run(&["connection", "list", "--database-url", url]);
    assert_eq!(answer.code, 1);
    assert!(!answer.stderr.contains("password"), "{}", answer.stderr);
    let mut command = home.command(&["connection", "list"]);
    let output = command.env("PDPP_DATABASE_URL", url).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!home.data_dir().exists());
}

#[test]
fn a_broken_log_filter_is_wrong_usage() {
    let home = Home::new();
    let mut command = home.command(&["connection", "list"]);
    let output = command.env("PDPP_LOG", "pdpp=shouting").output().unwrap();
    assert_eq!(output.status.code(), Some(64));
}
