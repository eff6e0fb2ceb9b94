//! Folders of Markdown notes.

use pdpp_contract::Json;

use crate::bench::{import, text};
use crate::file_texts::pdf;

const BOILER: &str = "---\ntitle: Boiler service\ntags:\n  - heat\n  - '#house/basement'\naliases: [Heizung]\n\
    created: 2026-02-03 09:30\nupdated: 2026-02-04T10:00:00+01:00\ncost: 120.50\n---\n# Boiler\n\n\
    Call [[People/Ann Lee|Ann]] about #service, see ![[manual.pdf#page=3]] and [the plan](plans/winter%20plan.md).\n\
    Prices: https://example.org/prices.\n\n- [ ] order a valve\n- [x] read the meter\n\n```sh\n# not a heading #notatag\n\
    echo [[nothing]]\n```\nIssue #12 is a number.\n";

#[test]
fn a_vault_gives_notes_with_their_front_matter_links_tags_and_tasks() {
    let manual = pdf("Close the valve");
    let files: [(&str, &[u8]); 7] = [
        ("House/Boiler.md", BOILER.as_bytes()),
        ("Daily/2026-03-01.md", b"Choir at eight #music\n"),
        ("README.md", b"\xef\xbb\xbf# My vault\n"),
        ("House/manual.pdf", &manual),
        (".obsidian/app.json", b"{}"),
        (".obsidian/plugins/x/main.js", b"x"),
        (".trash/Old.md", b"gone"),
    ];
    let outcome = import("markdown", &files);
    assert_eq!(outcome.rejected, []);
    let note = outcome.find("notes", "id", "House/Boiler.md");
    assert_eq!((text(note, "title"), text(note, "folder")), ("Boiler service", "House"));
    assert!(text(note, "text").starts_with("# Boiler\n"), "without the front matter");
    for (field, value) in [
        ("tags", r#"["heat","house/basement","service"]"#),
        ("aliases", r#"["Heizung"]"#),
        ("links", r#"["People/Ann Lee","manual.pdf","plans/winter plan.md"]"#),
        ("urls", r#"["https://example.org/prices"]"#),
        ("properties", r#"{"cost":120.50}"#),
    ] {
        assert_eq!(note[field].to_canonical(), value, "{field}");
    }
    assert_eq!(text(note, "created_at"), "2026-02-03T09:30:00Z");
    assert_eq!(text(note, "updated_at"), "2026-02-04T10:00:00+01:00");
    let count = |field: &str| note[field].clone();
    assert_eq!(count("task_count"), Json::Number("2".to_owned()));
    assert_eq!(count("open_task_count"), Json::Number("1".to_owned()));
    let daily = outcome.find("notes", "folder", "Daily");
    assert_eq!(text(daily, "created_at"), "2026-03-01T00:00:00Z");
    outcome.find("notes", "title", "My vault");
    let manual = outcome.find("files", "folder", "House");
    assert_eq!(text(manual, "mime_type"), "application/pdf");
    assert_eq!(text(manual, "text"), "Close the valve");
    assert_eq!((outcome.stream("notes").len(), outcome.stream("files").len()), (3, 1));
    assert_eq!(
        outcome.notes,
        ["files and folders that begin with a dot belong to programs and are left out: \
          .obsidian (2), .trash (1)"]
    );
}

#[test]
fn front_matter_that_cannot_be_read_stays_in_the_text() {
    for body in ["---\na: [\n---\nHi\n", "---\nHi\n", "---\na: &x [1]\nb: *x\n---\nHi\n"] {
        let outcome = import("markdown", &[("a.md", body.as_bytes())]);
        assert_eq!(text(outcome.find("notes", "id", "a.md"), "text"), body);
    }
}

#[test]
fn a_note_that_is_no_text_is_rejected_with_its_reason() {
    let outcome = import("markdown", &[("a.md", b"\xff\xfe\x00"), ("b.md", b"fine")]);
    assert_eq!((outcome.rejected.len(), outcome.stream("notes").len()), (1, 1));
}

#[test]
fn a_vault_is_one_export_with_the_files_in_it() {
    use pdpp_import::export::Export;
    use pdpp_import::survey::survey;
    let folder = crate::bench::folder(&[
        ("vaults/home/.obsidian/app.json", b"{}"),
        ("vaults/home/a.md", b"one"),
        ("vaults/home/pictures/b.png", b"x"),
        ("elsewhere/c.md", b"two"),
    ]);
    let survey = survey(Export::open(&[folder.path().to_owned()]).unwrap()).unwrap();
    let found: Vec<_> =
        survey.exports.iter().map(|found| (found.place.as_str(), found.files)).collect();
    assert_eq!(found, [("elsewhere/c.md", 1), ("vaults/home", 2)]);
    assert_eq!(survey.left_out.iter().filter(|left| left.is_personal).count(), 0);
}
