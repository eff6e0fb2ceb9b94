//! Search does not depend on how a record is stored: its fields may lie in one index row or in many.

use pdpp_contract::ReadApi;
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message};

async fn search(reader: &GrantedReader, q: &str) -> SearchPage {
    let request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    };
    reader.search(request).await.unwrap()
}

async fn ids(reader: &GrantedReader, q: &str) -> Vec<String> {
    let page = search(reader, q).await;
    page.data.iter().map(|hit| hit.record_key.to_string()).collect()
}

fn filler(words: usize) -> String {
    (0..words).map(|number| format!("w{} ", number % 700)).collect()
}

#[tokio::test]
async fn phrases_and_beginnings_are_found_wherever_they_stand() {
    let world = World::new(81).await;
    // Over 8 KiB, so that the text has an index row of its own; the subject answers part of it.
    let long = format!("radiator valve {}", filler(2_500));
    // The words stand scattered near the start, the phrase itself after character 64,000.
    let far = format!("carbide zircon {} zircon carbide {}", filler(16_000), filler(100));
    let lines = [
        message("b", json!({"subject": "Boiler quote", "text": long})),
        message("two", json!({"subject": "Ceramics", "text": far})),
    ];
    world.import("work-mail", &mail(), &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    for q in [
        r#"boiler "radiator valve""#,
        r#""boiler" "radiator""#,
        "boil* radia*",
        r#"quote "radiator valve""#,
    ] {
        assert_eq!(ids(&reader, q).await, ["b"], "{q}");
    }
    assert_eq!(ids(&reader, r#""zircon carbide""#).await, ["two"]);
    assert_eq!(ids(&reader, r#"ceramics "zircon carbide""#).await, ["two"]);
    assert!(ids(&reader, r#""valve radiator""#).await.is_empty());
}

/// Equal inside the grant; the hidden field has this many characters, and decides what is moved out.
async fn answers(hidden_chars: usize) -> Vec<SearchPage> {
    let mut declaration = mail();
    let stream = &mut declaration["streams"][0];
    for name in ["p", "q", "r", "s"] {
        stream["schema"]["properties"][name] = json!({"type": "string"});
    }
    stream["query"]["search"]["lexical_fields"] = json!(["subject", "text", "p", "q"]);
    let world = World::new(82).await;
    let hidden = "hidden words ".repeat(hidden_chars / 13 + 1);
    let mail_of = |id: &str, subject: &str, text: &str| -> Value {
        let text = format!("{text} {}", filler(1_800));
        let mut data = json!({"subject": subject, "text": text, "sent_at": "2026-02-01T00:00:00Z"});
        for name in ["p", "q", "r", "s"] {
            data[name] = json!(hidden);
        }
        message(id, data)
    };
    let lines = [
        mail_of("a", "Boiler quote", "radiator valve for the boiler"),
        mail_of("b", "Radiator", "the boiler has a valve"),
        mail_of("c", "Holiday", "no heating at all"),
    ];
    let report = world.import("work-mail", &declaration, &lines).await;
    assert_eq!(report.added, 3, "{report:?}");
    let reader = world.reader(&["work-mail/messages:subject,text,sent_at"]).await;
    let mut pages = Vec::new();
    for q in ["boiler", "boiler valve radiator", r#""boiler" "radiator""#, "boil* radia*"] {
        let mut page = search(&reader, q).await;
        page.data.iter_mut().for_each(|hit| hit.number = None);
        pages.push(page);
    }
    pages
}

#[tokio::test]
async fn the_size_of_hidden_fields_changes_no_answer() {
    let (small, large) = (answers(10).await, answers(7_900).await);
    assert!(small.iter().all(|page| !page.data.is_empty()));
    assert_eq!(small, large);
}
