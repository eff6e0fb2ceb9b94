//! What is not ours stays byte for byte as it was, whatever the file looks like.

use super::*;
use crate::setup::client::KnownClient;
use crate::setup::client::SettingsFormat;
use crate::setup::entry::Entry;

fn entry() -> Entry {
    let arguments = ["mcp", "--client", "codex", "--data-dir", "/home/ada/my data"];
    Entry {
        name: "pdpp".to_owned(),
        command: "/usr/bin/pdpp".to_owned(),
        arguments: arguments.map(str::to_owned).to_vec(),
    }
}

fn moved() -> Entry {
    Entry { command: "/opt/pdpp".to_owned(), ..entry() }
}

fn of(format: SettingsFormat) -> impl Iterator<Item = KnownClient> {
    KnownClient::ALL.into_iter().filter(move |client| client.format() == format)
}

/// Adding and removing gives the same text back, and says what it did.
fn comes_back(client: KnownClient, before: &str) -> String {
    let with = added(client, before, &entry()).unwrap();
    assert_eq!(with.change, SettingsChange::Added, "{before}");
    assert_eq!(entry_of(client, &with.text, "pdpp").unwrap(), Some(entry()), "{}", with.text);
    let again = added(client, &with.text, &entry()).unwrap();
    assert_eq!((again.change, &again.text), (SettingsChange::Unchanged, &with.text));
    let updated = added(client, &with.text, &moved()).unwrap();
    assert_eq!(updated.change, SettingsChange::Updated);
    assert_eq!(entry_of(client, &updated.text, "pdpp").unwrap(), Some(moved()));
    let back = added(client, &updated.text, &entry()).unwrap();
    assert_eq!(back.text, with.text, "an update changes the values and nothing else");
    let without = removed(client, &with.text, "pdpp").unwrap();
    assert_eq!(without.change, SettingsChange::Removed);
    assert_eq!(without.text, before, "{}", client.name());
    let gone = removed(client, &without.text, "pdpp").unwrap();
    assert_eq!((gone.change, gone.text.as_str()), (SettingsChange::Absent, before));
    with.text
}

#[test]
fn json_with_comments_odd_spaces_and_other_servers_comes_back() {
    for client in of(SettingsFormat::Json) {
        let servers = client.container();
        for before in [
            "{}\n".to_owned(),
            "{\n\t// mine\n\t\"theme\": \"dark\",   /* odd */\n\t\"n\": 1.50\n}".to_owned(),
            format!(
                "{{\n  \"{servers}\": {{\n    // one\n    \"other\": {{ \"command\": \"x\", \"env\": {{\"K\": \"s3cret\"}} }}, // two\n    \"last\": {{\"url\": \"https://x\"}}\n  }},\n  \"z\": [1,2 , 3]\n}}\n"
            ),
            format!(
                "{{\r\n  \"a\": 1,\r\n  \"{servers}\": {{\r\n    \"other\": {{}}\r\n  }}\r\n}}\r\n"
            ),
            format!("{{\n    \"{servers}\": {{\n        \"other\": {{}},\n    }},\n}}\n"),
            "\u{feff}{\n  \"a\": \"ü 🎙\"\n}\n".to_owned(),
        ] {
            comes_back(client, &before);
        }
    }
}

#[test]
fn json_in_one_line_is_spread_over_several_and_says_the_same() {
    for client in of(SettingsFormat::Json) {
        let before =
            format!("{{\"a\":[1,2],\"{}\":{{\"other\":{{\"x\":1}}}}}}", client.container());
        let with = added(client, &before, &entry()).unwrap().text;
        let without = removed(client, &with, "pdpp").unwrap().text;
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&without), read(&before), "{without}");
        assert!(with.contains("[1,2]") && with.contains("{\"x\":1}"), "{with}");
    }
}

#[test]
fn what_nobody_touched_since_comes_back_to_the_byte() {
    for client in KnownClient::ALL {
        let servers = client.container();
        let texts = match client.format() {
            SettingsFormat::Json => vec![
                String::new(),
                "{  }".to_owned(),
                "{\"a\":1}".to_owned(),
                format!("{{\"{servers}\": {{}}}}\n"),
                format!("{{\"a\":[1,2],\"{servers}\":{{\"other\":{{\"x\":1}}}}}}"),
            ],
            SettingsFormat::Toml => {
                ["model = 'x'", "mcp_servers = { other = { command = \"x\" } }\n"]
                    .map(str::to_owned)
                    .to_vec()
            }
        };
        for before in texts {
            let with = added(client, &before, &entry()).unwrap().text;
            let copies = ["{\"older\": true}".to_owned(), before.clone()];
            assert_eq!(undone(client, &with, "pdpp", &copies), Some(before.clone()), "{with}");
            let touched = with.replace("/usr/bin/pdpp", "/opt/pdpp") + "\n";
            assert_eq!(undone(client, &touched, "pdpp", &copies), None, "somebody changed it");
            assert_eq!(
                undone(client, &with, "pdpp", std::slice::from_ref(&with)),
                None,
                "it held the entry"
            );
        }
    }
}

#[test]
fn toml_with_comments_and_tables_in_any_order_comes_back() {
    for before in [
        "",
        "model = \"o5\"   # mine\n",
        "# top\nmodel = 'x'\n\n[mcp_servers.other]\ncommand = \"y\"  # keep\n\n[tui]\na = [ 1,2 ]\n# the end\n",
        "[mcp_servers]\n\n[mcp_servers.other]\nurl = \"https://x\"\n[mcp_servers.other.env]\nK = \"s3cret\"\n",
        "model = \"o5\"\r\n\r\n[tui]\r\nb = 2\r\n",
        "[tui]\nb = 2\n\n\n# two empty lines above\n",
    ] {
        comes_back(KnownClient::Codex, before);
    }
}

#[test]
fn toml_servers_in_one_line_are_joined_there() {
    let before = "mcp_servers = { other = { command = \"x\" } }\n";
    let with = added(KnownClient::Codex, before, &entry()).unwrap().text;
    assert_eq!(entry_of(KnownClient::Codex, &with, "pdpp").unwrap(), Some(entry()), "{with}");
    let without = removed(KnownClient::Codex, &with, "pdpp").unwrap().text;
    assert!(without.contains("other") && !without.contains("pdpp"), "{without}");
}

#[test]
fn what_a_person_added_to_our_table_goes_with_it_and_nothing_else_does() {
    let text = "[a]\nx = 1\n\n[mcp_servers.pdpp]\ncommand = \"pdpp\"\nargs = [\n  \"mcp\", # ours\n  \"--client\", \"c\",\n]\n[mcp_servers.pdpp.env]\nK = \"v\"\n# about b\n[b]\ny = 2\n";
    let without = removed(KnownClient::Codex, text, "pdpp").unwrap().text;
    assert_eq!(without, "[a]\nx = 1\n\n# about b\n[b]\ny = 2\n");
}

#[test]
fn what_a_person_added_to_our_entry_stays_when_it_is_updated() {
    let text = "{\"mcp\": {\"pdpp\": {\"type\": \"local\", \"command\": [\"old\", \"mcp\", \"--client\", \"a\"], \"enabled\": false, \"timeout\": 9}}}";
    let edit = added(KnownClient::Opencode, text, &entry()).unwrap();
    assert_eq!(edit.change, SettingsChange::Updated);
    assert!(edit.text.contains("\"enabled\": false, \"timeout\": 9"), "{}", edit.text);
    let text = "[mcp_servers.pdpp]\ncommand = \"old\" # why\nargs = [\"mcp\", \"--client\", \"a\"]\nstartup_timeout_sec = 20\n";
    let edit = added(KnownClient::Codex, text, &entry()).unwrap();
    assert!(edit.text.starts_with("[mcp_servers.pdpp]\ncommand = \"/usr/bin/pdpp\" # why\n"));
    assert!(edit.text.ends_with("startup_timeout_sec = 20\n"), "{}", edit.text);
}

#[test]
fn a_newer_place_for_servers_is_used_where_a_person_uses_it() {
    let text = "{\n  \"mcp\": {\n    \"servers\": {\n      \"other\": {}\n    }\n  }\n}\n";
    let with = comes_back(KnownClient::Opencode, text);
    let read: serde_json::Value = serde_json::from_str(&with).unwrap();
    assert_eq!(read["mcp"]["servers"]["pdpp"]["type"], "local");
}

#[test]
fn every_entry_of_ours_is_found_and_no_other() {
    for client in KnownClient::ALL {
        let second = Entry { name: "second".to_owned(), ..entry() };
        let theirs =
            Entry { name: "theirs".to_owned(), command: "/usr/bin/npx".to_owned(), ..entry() };
        let text = [entry(), second.clone(), theirs]
            .iter()
            .fold(String::new(), |text, entry| added(client, &text, entry).unwrap().text);
        assert_eq!(entries_of(client, &text).unwrap(), [entry(), second], "{text}");
        assert_eq!(entries_of(client, "").unwrap(), []);
        assert!(entries_of(client, "{").is_err());
    }
}

#[test]
fn settings_that_cannot_be_read_are_refused_with_their_place() {
    for client in of(SettingsFormat::Json) {
        let servers = client.container();
        for broken in [
            "{\"a\": }".to_owned(),
            "{\"a\": 1".to_owned(),
            "{'a': 1}".to_owned(),
            "[]".to_owned(),
            "{\"a\": 1} {}".to_owned(),
            format!("{{\"{servers}\": []}}"),
            format!("{{\"{servers}\": {{}}, \"{servers}\": {{}}}}"),
        ] {
            let fault = added(client, &broken, &entry()).unwrap_err();
            assert!(
                matches!(fault, BrokenSettings::Syntax(_) | BrokenSettings::Shape(_)),
                "{broken}: {fault:?}"
            );
            assert!(removed(client, &broken, "pdpp").is_err(), "{broken}");
        }
    }
    for broken in
        ["a = ", "[a\n", "a = 1\na = 2\n", "mcp_servers = 3\n", "[mcp_servers]\npdpp = 1\n"]
    {
        let fault = added(KnownClient::Codex, broken, &entry()).unwrap_err();
        assert!(
            matches!(fault, BrokenSettings::Syntax(_) | BrokenSettings::Shape(_)),
            "{broken}: {fault:?}"
        );
    }
    let secret = added(KnownClient::Codex, "token = sk-123-secret\n", &entry()).unwrap_err();
    assert!(!format!("{secret:?}").contains("secret"), "{secret:?}");
}

#[test]
fn an_entry_of_somebody_else_is_neither_replaced_nor_removed() {
    for client in of(SettingsFormat::Json) {
        let servers = client.container();
        let theirs = format!("{{\"{servers}\": {{\"pdpp\": {{\"url\": \"https://x\"}}}}}}");
        assert_eq!(added(client, &theirs, &entry()), Err(BrokenSettings::NotOurs));
        assert_eq!(removed(client, &theirs, "pdpp"), Err(BrokenSettings::NotOurs));
    }
    let theirs = "[mcp_servers.pdpp]\nurl = \"https://x\"\n";
    assert_eq!(added(KnownClient::Codex, theirs, &entry()), Err(BrokenSettings::NotOurs));
    assert_eq!(removed(KnownClient::Codex, theirs, "pdpp"), Err(BrokenSettings::NotOurs));
}
