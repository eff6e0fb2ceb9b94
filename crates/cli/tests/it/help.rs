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

#[test]
fn every_command_explains_itself_in_its_first_line() {
    let home = Home::new();
    let pages: &[(&[&str], &str)] = &[
        (&[], "A personal data server for AI agents"),
        (&["demo"], "Try everything with invented data"),
        (&["serve"], "Start the server"),
        (&["connect"], "Sign in at a PDPP server and keep a credential for agents on this machine"),
        (&["setup"], "Let a client on this machine read within its grant"),
        (&["doctor"], "Find out why an agent cannot connect or read, and how to mend it"),
        (&["import"], "Read an export into a connection; the same export twice changes nothing"),
        (&["import", "jsonl"], "Read records, one JSON object per line"),
        (&["connection"], "See what is stored, account by account; rename or remove it"),
        (&["connection", "list"], "List every connection"),
        (&["connection", "show"], "Show one connection, stream by stream"),
        (&["connection", "rename"], "Change the display name of a connection"),
        (
            &["connection", "remove"],
            "Erase a connection with all its records and the grants that open it",
        ),
        (&["grant"], "Let an agent read something, see who may, and end it"),
        (&["grant", "create"], "Let an agent read exactly what you name"),
        (&["grant", "list"], "List what agents may read"),
        (&["grant", "show"], "Show what an agent may read, field by field"),
        (&["grant", "revoke"], "End what an agent may read; takes effect on its next call"),
        (&["owner"], "Credentials of the owner"),
        (&["owner", "token"], "Tokens for the owner's own programs; agents never get one"),
        (&["owner", "token", "create"], "Make a token that opens everything"),
        (&["owner", "token", "list"], "List the owner's tokens"),
        (&["owner", "token", "revoke"], "End a token; takes effect on its next call"),
        (&["audit"], "See who read what, and check that the log is as it was written"),
        (&["audit", "list"], "List events, the newest first (also without the word `list`)"),
        (&["audit", "verify"], "Walk the chain of hashes from the first event that is kept"),
        (
            &["verify"],
            "Check the whole store: records, search index, texts, files, changes, grants, audit log",
        ),
        (&["backup"], "Copy the whole store into a directory, as it is at one moment"),
        (&["restore"], "Put a backup into an empty store"),
        (&["migrate-store"], "Move a whole store between SQLite and Postgres"),
        (&["history"], "See how much of the past is kept, and change it"),
        (
            &["history", "show"],
            "Show how far back the audit log and the changes reach (also without the word `show`)",
        ),
        (
            &["history", "keep"],
            "Set how long audit events and replaced versions are kept: 400d each unless set, or forever",
        ),
        (&["history", "prune"], "Remove what is older than the settings keep, now"),
        (&["compact"], "Give unused room of the store back to the disk"),
        (&["owner", "clock"], "The time of the store, which never goes back by itself"),
        (&["bench"], "Measure this program on this machine"),
        (&["bench", "quality"], "Measure how well search ranks a set of judged documents"),
    ];
    for (command, first) in pages {
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
