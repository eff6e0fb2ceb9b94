//! A file of another kind than its format says: nothing is made of it, and the name stays free.

use serde_json::json;

use crate::program::Home;

const TABLE: &str = "id,title,name,date\n1,Dune,Herbert,2026-01-05\n2,Emma,Austen,2026-01-06\n\
    3,Ulysses,Joyce,2026-01-07\n4,Persuasion,Austen,2026-01-08\n5,Solaris,Lem,2026-01-09\n";
const PICTURE: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
/// Members that many sources have, and not one that tells which it is.
const OTHER_LIST: &str =
    r#"[{"id":"b1","title":"Dune","name":"Herbert","created_at":"2026-01-05T10:00:00Z"}]"#;
const OTHER_OBJECT: &str = r#"{"version":3,"books":{"b1":"Dune"}}"#;
const WORDS: &str = "# Notes\n\nNothing in here: no letter, no chat.\n";

const FILES: [(&str, &[u8]); 6] = [
    ("books.csv", TABLE.as_bytes()),
    ("picture.png", PICTURE),
    ("empty", b""),
    ("list.json", OTHER_LIST.as_bytes()),
    ("object.json", OTHER_OBJECT.as_bytes()),
    ("notes.md", WORDS.as_bytes()),
];
const FORMATS: [&str; 13] = [
    "mbox", "eml", "maildir", "chatgpt", "claude", "slack", "whatsapp", "ics", "vcf", "spotify",
    "csv", "json", "singer",
];

/// Lists of objects are what `json` is for, whatever they hold, and any text is a table.
fn is_foreign(format: &str, file: &str) -> bool {
    match format {
        "csv" => ["picture.png", "empty"].contains(&file),
        _ => !file.ends_with(&format!(".{format}")),
    }
}

#[test]
fn a_file_of_another_kind_makes_nothing() {
    let home = Home::new();
    for (name, content) in FILES {
        std::fs::write(home.path().join(name), content).unwrap();
    }
    let mut wrong = Vec::new();
    for format in FORMATS {
        for (file, _) in FILES.into_iter().filter(|(file, _)| is_foreign(format, file)) {
            let name = format!("{format}-{}", file.replace('.', "-"));
            let answer = home.run(&["import", format, file, "--connection", &name]);
            if answer.code != 65 || answer.stderr.contains("saved") {
                wrong.push(format!("{name}: {} {}{}", answer.code, answer.stdout, answer.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(home.json(&["connection", "list", "--json"]), json!({"connections": []}));
}

#[test]
fn a_name_that_a_foreign_file_was_given_stays_free() {
    let home = Home::new();
    let table = home.file("books.csv", TABLE);
    assert_eq!(home.run(&["import", "whatsapp", &table, "--connection", "w"]).code, 65);
    assert_eq!(home.json(&["import", "csv", &table, "--connection", "w", "--json"])["added"], 5);
}

#[test]
fn an_empty_export_leaves_a_connection_as_it_is() {
    let home = Home::new();
    let table = home.file("books.csv", TABLE);
    home.json(&["import", "csv", &table, "--connection", "books", "--json"]);
    let before = home.json(&["connection", "show", "books", "--json"]);
    let empty = home.file("books.csv", "id,title,name\n");
    assert_eq!(home.run(&["import", "csv", &empty, "--connection", "books"]).code, 65);
    assert_eq!(home.json(&["connection", "show", "books", "--json"]), before);
}
