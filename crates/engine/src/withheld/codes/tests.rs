//! The detector against lifelike lines; a miss and a false alarm are equally failures.

use pdpp_contract::{Json, JsonObject};

use super::{carries_codes, everyday, ordinary, samples};

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
    assert!(samples::WITH_CODES.len() + everyday::WITH_CODES.len() >= 200);
    assert_eq!(wrong(samples::WITH_CODES, true), Vec::<&str>::new(), "missed");
    assert_eq!(wrong(everyday::WITH_CODES, true), Vec::<&str>::new(), "missed");
}

#[test]
fn other_numbers_codes_and_links_are_left_alone() {
    assert!(samples::WITHOUT_CODES.len() + ordinary::WITHOUT_CODES.len() >= 200);
    assert_eq!(wrong(samples::WITHOUT_CODES, false), Vec::<&str>::new(), "taken for codes");
    assert_eq!(wrong(ordinary::WITHOUT_CODES, false), Vec::<&str>::new(), "taken for codes");
}

fn carries(json: &str) -> bool {
    match Json::parse(json) {
        Ok(Json::Object(data)) => carries_codes(&data),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_is_looked_at_to_the_bottom() {
    let nested = |wrap: &str| carries(&wrap.replace('@', r#""Your one-time code is 730155.""#));
    assert!(nested(r#"{"a":@}"#));
    assert!(nested(r#"{"a":{"b":@}}"#));
    assert!(nested(r#"{"a":[1,@]}"#));
    assert!(nested(r#"{"msgs":[{"text":@}]}"#));
    assert!(nested(r#"{"a":[[[{"b":{"c":[{"d":@}]}}]]]}"#));
    assert!(carries(r#"{"a":[{"login_code":730155}]}"#));
    assert!(!nested(r#"{"a":1,"b":null,"c":[true]}"#));
}

#[test]
fn a_heading_holds_for_its_object_and_what_is_inside() {
    assert!(carries(r#"{"headers":{"subject":"Your login code"},"body":"Hi,\n\n730155\n\nBye"}"#));
    assert!(carries(r#"{"subject":"Your login code","parts":[{"text":"730155"}]}"#));
    assert!(carries(r#"{"mails":[{"subject":"Your login code","body":"730155"}]}"#));
    let apart = r#"{"mails":[{"subject":"Your login code"},{"subject":"Lunch","body":"730155"}]}"#;
    assert!(!carries(apart));
}

#[test]
fn a_long_text_is_looked_at_to_the_end() {
    let after = |chars: usize| format!("{} Your one-time code is 730155.", "é ".repeat(chars));
    // Around the edge of the first window, and far behind them.
    for chars in (10_890..10_930).chain([100_000, 1_000_000]) {
        assert!(carries_codes(&record(&after(chars))), "{chars}");
    }
    assert!(!carries_codes(&record(&"é 48291 ".repeat(100_000))));
}

/// An agent that read one could do what only the owner may.
#[test]
fn t_own_6_an_owner_s_credential_in_a_record_counts_as_a_code() {
    let secret = "a1B".repeat(17);
    let token = format!("pdpp_owner_{}", &secret[..49]);
    assert!(carries(&format!(r#"{{"body":"for the backup script: {token}"}}"#)));
    assert!(carries(&format!(r#"{{"a":[{{"b":["{}{token}"]}}]}}"#, "x ".repeat(40_000))));
    assert!(!carries(&format!(r#"{{"body":"pdpp_client_{secret}"}}"#)), "an agent's own token");
    assert!(!carries(r#"{"body":"pdpp_owner_ is how an owner's token begins"}"#));
}
