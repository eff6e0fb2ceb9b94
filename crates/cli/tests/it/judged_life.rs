//! The judged set of one person's mail, chats, notes, orders and calendar holds together: records
//! import, questions point at records, both halves ask the same kinds of question.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::program::Home;

const LEAST_RECORDS: usize = 3_000;
const LEAST_QUESTIONS: usize = 300;
const LEAST_PER_CLASS_AND_HALF: usize = 10;
const MOST_BYTES: u64 = 3_000_000;
const HALVES: [&str; 2] = ["tune", "held-out"];
const LANGUAGES: [&str; 6] = ["ar", "de", "en", "es", "fr", "ja"];
const CLASSES: [&str; 10] = [
    "date",
    "long",
    "mixed",
    "name",
    "neighbour",
    "none",
    "number",
    "paraphrase",
    "sentence",
    "title",
];
/// Connections and their declarations.
const CONNECTIONS: [(&str, &str); 9] = [
    ("assistant", "assistant"),
    ("calendar", "calendar"),
    ("chat-becca", "chat"),
    ("chat-family", "chat"),
    ("chat-team", "chat"),
    ("mail-home", "mail"),
    ("mail-work", "mail"),
    ("notes", "notes"),
    ("shop", "shop"),
];

#[derive(Deserialize)]
struct Line {
    stream: String,
    key: String,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    class: String,
    language: String,
    text: String,
    relevant: Vec<Judgement>,
}

#[derive(Deserialize)]
struct Judgement {
    record: String,
    grade: u8,
}

fn file(name: &str) -> String {
    format!("{}/tests/quality/life/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let text = std::fs::read_to_string(file(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn questions(half: &str) -> Vec<Question> {
    lines(&format!("questions-{half}.jsonl"))
}

/// Every record as a judgement names it: `connection/stream:key`.
fn records() -> BTreeSet<String> {
    let mut records = BTreeSet::new();
    for (connection, _) in CONNECTIONS {
        for Line { stream, key } in lines(&format!("records/{connection}.jsonl")) {
            let name = format!("{connection}/{stream}:{key}");
            assert!(records.insert(name.clone()), "{name} is there twice");
        }
    }
    records
}

#[test]
fn every_record_of_the_judged_life_is_imported() {
    let home = Home::file_store();
    let (mut total, mut bytes) = (0, 0);
    for (connection, declaration) in CONNECTIONS {
        let declaration = file(&format!("declarations/{declaration}.json"));
        let records = file(&format!("records/{connection}.jsonl"));
        let arguments = ["import", "jsonl", "--json", "--dry-run", "--connection", connection];
        let report =
            home.json(&[&arguments[..], &["--declaration", &declaration, &records]].concat());
        let added = usize::try_from(report["added"].as_u64().unwrap()).unwrap();
        assert_eq!(added, lines::<Line>(&format!("records/{connection}.jsonl")).len(), "{report}");
        total += added;
        bytes += std::fs::metadata(&records).unwrap().len();
    }
    assert_eq!(total, records().len());
    assert!(total >= LEAST_RECORDS, "{total} records");
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}

#[test]
fn every_judgement_of_the_judged_life_names_a_record() {
    let records = records();
    let (mut ids, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for question in HALVES.map(questions).into_iter().flatten() {
        let Question { id, class, language, text, relevant } = question;
        assert!(ids.insert(id.clone()), "{id} is there twice");
        assert!(texts.insert(text), "{id} is asked twice");
        assert!(CLASSES.contains(&class.as_str()), "{id}: {class}");
        assert!(LANGUAGES.contains(&language.as_str()), "{id}: {language}");
        assert_eq!(relevant.is_empty(), class == "none", "{id}");
        let named: BTreeSet<_> = relevant.iter().map(|judgement| &judgement.record).collect();
        assert_eq!(named.len(), relevant.len(), "{id} judges a record twice");
        for Judgement { record, grade } in &relevant {
            assert!(records.contains(record), "{id}: {record} is no record");
            assert!((1..=3).contains(grade), "{id}: {grade}");
        }
    }
    assert!(ids.len() >= LEAST_QUESTIONS, "{} questions", ids.len());
}

#[test]
fn both_halves_of_the_judged_life_ask_alike() {
    let [tune, held_out] = HALVES.map(|half| {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for question in questions(half) {
            *counts.entry((question.class, question.language)).or_default() += 1;
        }
        counts
    });
    for class in CLASSES {
        let of = |half: &BTreeMap<(String, String), usize>| -> usize {
            let asked =
                |language: &str| half.get(&(class.to_owned(), language.to_owned())).copied();
            let counts = LANGUAGES.map(|language| asked(language).unwrap_or_default());
            assert!(!counts.contains(&0), "{class} lacks a language: {counts:?}");
            counts.iter().sum()
        };
        let (tune, held_out) = (of(&tune), of(&held_out));
        assert!(tune.min(held_out) >= LEAST_PER_CLASS_AND_HALF, "{class}: {tune}, {held_out}");
        assert!(tune.abs_diff(held_out) <= 2, "{class}: {tune}, {held_out}");
    }
}

#[test]
fn no_record_answers_questions_of_both_halves() {
    let [tune, held_out] = HALVES.map(|half| {
        let judged = questions(half).into_iter().flat_map(|question| question.relevant);
        judged.map(|judgement| judgement.record).collect::<BTreeSet<_>>()
    });
    let shared: Vec<_> = tune.intersection(&held_out).collect();
    assert_eq!(shared, Vec::<&String>::new());
}
