//! The words of the help: every command is there, and nothing that is not finished.

use crate::program::Home;

#[test]
fn the_front_page_names_the_commands_in_order() {
    let answer = Home::new().run(&["--help"]);
    assert_eq!(answer.code, 0);
    let commands = answer.stdout.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        names,
        [
            "demo",
            "serve",
            "mcp",
            "connect",
            "setup",
            "doctor",
            "import",
            "account",
            "search",
            "show",
            "export",
            "connection",
            "grant",
            "owner",
            "audit",
            "verify",
            "backup",
            "restore",
            "migrate-store",
            "history",
            "compact",
            "bench"
        ]
    );
}

/// The commands for the owner's own data, with their first lines.
const DATA_PAGES: &[(&[&str], &str)] = &[
    (&["account"], "Add live accounts, which keep themselves current, and look after them"),
    (&["owner", "key"], "Manage the key that passwords of live accounts are sealed under"),
    (&["search"], "Search all accounts, ranked as for agents"),
    (&["show"], "Show a record, and which agents can see it"),
    (&["export"], "Export an account, or all of them, into a new directory"),
];

#[test]
fn every_command_explains_itself_in_its_first_line() {
    let home = Home::new();
    let pages: &[(&[&str], &str)] = &[
        (&[], "A personal data server for AI agents"),
        (&["demo"], "Try everything with sample data"),
        (&["serve"], "Start the server"),
        (&["connect"], "Sign in to a PDPP server, for agents on this machine"),
        (&["setup"], "Set up a client on this machine"),
        (&["doctor"], "Find out why an agent cannot connect or read, and how to fix it"),
        (&["import"], "Import everything that is found in files, folders and archives"),
        (&["import", "jsonl"], "Read records, one JSON object per line"),
        (&["connection"], "List, show, rename or remove accounts"),
        (&["connection", "list"], "List all accounts"),
        (&["connection", "show"], "Show an account with its streams and fields"),
        (&["connection", "rename"], "Change the display name of an account"),
        (&["connection", "remove"], "Erase an account with all its records and the grants for it"),
        (&["grant"], "Give agents access, list it and revoke it"),
        (&["grant", "create"], "Give an agent access to exactly what you name"),
        (&["grant", "list"], "List the access of all agents"),
        (&["grant", "show"], "Show what an agent can read, field by field"),
        (&["grant", "revoke"], "Revoke the access of an agent, from its next call on"),
        (&["owner"], "Manage the owner's password, tokens, clock and keys"),
        (&["owner", "token"], "Manage tokens for the owner's own programs, never for agents"),
        (&["owner", "token", "create"], "Create a token for everything, or for the metrics only"),
        (&["owner", "token", "list"], "List the owner's tokens"),
        (&["owner", "token", "revoke"], "Revoke a token, from its next call on"),
        (&["audit"], "Show what agents and you did, and verify the audit log"),
        (&["audit", "list"], "List events, newest first (the default)"),
        (&["audit", "verify"], "Verify the hash chain of the audit log"),
        (
            &["verify"],
            "Check the whole store: records, search index, texts, files, changes, grants and audit log",
        ),
        (&["backup"], "Back up the whole store into a directory"),
        (&["restore"], "Restore a backup into an empty store"),
        (&["migrate-store"], "Move a whole store between SQLite and Postgres"),
        (&["history"], "Show or set how long past changes and audit events are kept"),
        (
            &["history", "show"],
            "Show what is kept of the audit log and of past changes (the default)",
        ),
        (
            &["history", "keep"],
            "Set how long audit events and old record versions are kept: a number of days, or forever",
        ),
        (&["history", "prune"], "Remove old versions and audit events now"),
        (&["compact"], "Return unused space of the store to the disk"),
        (
            &["owner", "clock"],
            "Show or reset the clock of the store, which never goes back by itself",
        ),
        (&["bench"], "Measure performance on this machine"),
        (&["bench", "quality"], "Measure search quality on a set of judged records"),
    ];
    for (command, first) in pages.iter().chain(DATA_PAGES) {
        let short = home.run(&[command, &["-h"][..]].concat());
        assert_eq!(short.code, 0, "{command:?}");
        assert_eq!(short.stdout.lines().next(), Some(*first), "{command:?}");
        assert_eq!(home.run(&[command, &["--help"][..]].concat()).code, 0, "{command:?}");
    }
}

#[test]
fn completions_and_manual_pages_come_from_the_same_words() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.run(&["completions", shell]);
        assert_eq!(script.code, 0);
        assert!(script.stdout.contains("connection"), "{shell}");
    }
    let page = home.run(&["man", "grant", "create"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains("allow"), "{}", page.stdout);
    assert_eq!(home.run(&["man", "nothing"]).code, 64);
    let pages = home.path().join("share/man1");
    assert_eq!(home.run(&["man", "--directory", pages.to_str().unwrap()]).code, 0);
    for page in ["pdpp.1", "pdpp-serve.1", "pdpp-grant-create.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
    assert!(!pages.join("pdpp-bench-child.1").exists(), "what is hidden has no page");
    assert!(!home.data_dir().exists(), "describing the program makes no store");
}
