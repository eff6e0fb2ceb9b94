//! Mails as services in many languages send them, and the ordinary mail of the same people.

use pdpp_contract::{Json, JsonObject};

use super::{carries_codes, ordinary, samples};
use crate::withheld::secrets::carries_secrets;

/// 18 phrasings in each of 17 languages.
const PHRASINGS: &str = include_str!("phrasings.txt");
/// Ordinary mails, messages and notes.
const ORDINARY_MAIL: &str = include_str!("ordinary_mail.txt");

const LINKS: [&str; 4] = [
    "https://acme.example.com/m/8f3k2l1a9d7c",
    "https://app.acme.example/a?t=Zx81Qp40q77aaKw3",
    "https://acme.example.com/l/0b7e51c2-9d44-4f0a-8b1e-6c2d9f3a1e57",
    "https://u1234.ct.acme.example/ls/click?upn=u001.9dfa8s7df98as7dfQx",
];
const CODES: [&str; 9] = [
    "482913",
    "*482913*",
    "**482913**",
    "_482913_",
    "#482913",
    "4\t8\t2\t9\t1\t3",
    "482 913",
    "`482913`",
    "<table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td><td>3</td></tr></table>",
];
/// Three fillings of an ordinary mail.
const FILLINGS: [[&str; 8]; 3] = [
    [
        "4471",
        "482913",
        "55201938",
        "9f8e7d6",
        "0b7e51c2-9d44-4f0a-8b1e-6c2d9f3a1e57",
        "https://shop.example.com/o/7d8a9f0c2b",
        "https://click.news.example/ls/c?u=u001.9dfa8s7df98as7df",
        "031-12 34 56",
    ],
    [
        "2290",
        "120455",
        "88219477",
        "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678",
        "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "https://portal.example.org/items/20481?ref=mail",
        "https://email.shop.example/c/eJxVjstqwzAURL9GXgrp6mVrkU0hdNdvKFfSVSxqS0YPUv99nVUJzGJg",
        "+46 70 712 34 56",
    ],
    [
        "1893",
        "730155",
        "10047733",
        "deadbeef",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "https://docs.example.net/d/1kd93jf02ka91/edit",
        "https://links.example.com/u/click?_t=9dfa8s7df98as7df",
        "(555) 010-4477",
    ],
];
const PLACES: [&str; 8] =
    ["{n4}", "{n6}", "{n8}", "{hash}", "{uuid}", "{link}", "{track}", "{phone}"];

fn record(line: &str) -> JsonObject {
    let line = line.replace("\\n", "\n").replace("\\t", "\t");
    let text = |text: &str| Json::String(text.to_owned());
    match line.split_once(" / ") {
        Some((subject, body)) => {
            [("subject".to_owned(), text(subject)), ("body_text".to_owned(), text(body))].into()
        }
        None => [("text".to_owned(), text(&line))].into(),
    }
}

fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| {
        let is_title = line.starts_with('[') && line.ends_with(']');
        !line.is_empty() && !line.starts_with("# ") && !is_title
    })
}

#[test]
fn codes_and_links_are_found_in_every_language_and_setting() {
    let titles = PHRASINGS.lines().filter(|line| line.starts_with('[')).count();
    assert!(
        titles >= 15 && lines(PHRASINGS).count() >= 18 * titles,
        "18 phrasings in each language"
    );
    let filled = lines(PHRASINGS).flat_map(|line| {
        let links =
            LINKS.iter().filter(|_| line.contains("{url}")).map(|link| line.replace("{url}", link));
        let codes = CODES
            .iter()
            .filter(|_| line.contains("{code}"))
            .map(|code| line.replace("{code}", code));
        links.chain(codes).collect::<Vec<_>>()
    });
    let missed: Vec<String> = filled.filter(|line| !carries_codes(&record(line))).collect();
    assert_eq!(missed, Vec::<String>::new(), "missed");
}

#[test]
fn at_most_one_ordinary_mail_in_a_hundred_is_left_out() {
    let fill = |line: &str, filling: &[&str; 8]| {
        PLACES
            .iter()
            .zip(filling)
            .fold(line.to_owned(), |line, (place, with)| line.replace(place, with))
    };
    let corpus: Vec<String> = lines(ORDINARY_MAIL)
        .flat_map(|line| FILLINGS.iter().map(move |filling| fill(line, filling)))
        .chain(
            samples::WITHOUT_CODES
                .iter()
                .chain(ordinary::WITHOUT_CODES)
                .map(|line| (*line).to_owned()),
        )
        .collect();
    assert!(corpus.len() >= 900, "{} mails", corpus.len());
    let is_left_out = |line: &&String| {
        let record = record(line);
        carries_codes(&record) || carries_secrets(&record)
    };
    let wrong: Vec<&String> = corpus.iter().filter(is_left_out).collect();
    // Measured: 6 of 974, newsletters about choosing passwords.
    assert!(wrong.len() * 100 <= corpus.len(), "{} of {}: {wrong:#?}", wrong.len(), corpus.len());
}
