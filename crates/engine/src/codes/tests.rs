//! The detector against lifelike lines; a miss and a false alarm are equally failures.

use pdpp_contract::{Json, JsonObject};

use super::carries_codes;
use super::samples::{WITH_CODES, WITHOUT_CODES};

fn record(line: &str) -> JsonObject {
    let text = |text: &str| Json::String(text.to_owned());
    match line.split_once(" / ") {
        Some((subject, body)) => {
            [("subject".to_owned(), text(subject)), ("body_text".to_owned(), text(body))].into()
        }
        None => [("text".to_owned(), text(line))].into(),
    }
}

fn wrong(lines: &[&'static str], expected: bool) -> Vec<&'static str> {
    lines.iter().copied().filter(|line| carries_codes(&record(line)) != expected).collect()
}

#[test]
fn codes_resets_and_sign_in_links_are_found() {
    assert!(WITH_CODES.len() >= 60);
    assert_eq!(wrong(WITH_CODES, true), Vec::<&str>::new(), "missed");
}

#[test]
fn other_numbers_codes_and_links_are_left_alone() {
    assert!(WITHOUT_CODES.len() >= 60);
    assert_eq!(wrong(WITHOUT_CODES, false), Vec::<&str>::new(), "taken for codes");
}

#[test]
fn a_record_is_looked_at_one_level_down_and_no_deeper() {
    let nested = |wrap: &str| {
        let line = wrap.replace('@', r#""Your one-time code is 730155.""#);
        match Json::parse(&line) {
            Ok(Json::Object(data)) => carries_codes(&data),
            other => panic!("{other:?}"),
        }
    };
    assert!(nested(r#"{"a":@}"#));
    assert!(nested(r#"{"a":{"b":@}}"#));
    assert!(nested(r#"{"a":[1,@]}"#));
    assert!(!nested(r#"{"a":{"b":[@]}}"#));
    assert!(!nested(r#"{"a":1,"b":null,"c":[true]}"#));
}

#[test]
fn only_the_beginning_of_a_long_text_is_looked_at() {
    let far = format!("{} Your one-time code is 730155.", "é".repeat(16_384));
    let near = format!("{} Your one-time code is 730155.", "é".repeat(16_000));
    assert!(!carries_codes(&record(&far)));
    assert!(carries_codes(&record(&near)));
}
