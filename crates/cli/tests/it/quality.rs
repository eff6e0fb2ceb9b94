//! Search on a small judged set of mails, notes, chats and orders: good ranking stays good.
//!
//! The floors stand a little below what was measured when they were set. Whoever raises the quality
//! raises them; whoever lowers it argues.

use serde_json::Value;

use crate::program::Home;

const NDCG_AT_10: f64 = 0.90;
const RECALL_AT_5: f64 = 0.90;
const MRR: f64 = 0.90;
/// The share of what is found among the first five hits that the default call lets an agent read, and
/// of the first ten with that limit.
const READABLE_OF_FIVE: f64 = 0.75;
const READABLE_OF_TEN: f64 = 0.85;
/// Bytes of those texts.
const TEXT_BYTES: [f64; 2] = [1_800.0, 3_300.0];

fn measured(name: &str) -> String {
    format!("{}/tests/quality/{name}.jsonl", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn search_ranks_a_small_judged_set_well() {
    let home = Home::new();
    let files = ["docs", "queries", "qrels"].map(measured);
    let arguments = ["bench", "quality", "--json", "--docs", &files[0], "--queries", &files[1]];
    let quality = home.json(&[&arguments[..], &["--qrels", &files[2]]].concat());
    let value = |name: &str| quality[name].as_f64().unwrap();
    assert!(value("ndcg_at_10") >= NDCG_AT_10, "{quality}");
    assert!(value("recall_at_5") >= RECALL_AT_5, "{quality}");
    assert!(value("mrr") >= MRR, "{quality}");
    assert_eq!(quality["gain"], "linear");
    assert_readable(&quality);
}

#[test]
fn what_search_finds_among_a_person_s_accounts_can_be_read() {
    let home = Home::new();
    let set = format!("{}/tests/quality/life", env!("CARGO_MANIFEST_DIR"));
    let questions = format!("{set}/questions-tune.jsonl");
    let all = std::fs::read_to_string(&questions).unwrap();
    // Every sixth question: all of them take a minute.
    let some: Vec<&str> = all.lines().step_by(6).collect();
    let some = home.file("some.jsonl", &some.join("\n"));
    let quality = home.json(&["bench", "quality", "--json", &set, "--questions", &some]);
    assert_readable(&quality);
}

fn assert_readable(quality: &Value) {
    let value = |name: &str| quality[name].as_f64().unwrap();
    let calls = [
        ("default_call", "recall_at_5", READABLE_OF_FIVE),
        ("limit_10", "recall_at_10", READABLE_OF_TEN),
    ];
    for ((call, recall, share), most_bytes) in calls.into_iter().zip(TEXT_BYTES) {
        let shown = |name: &str| quality[call][name].as_f64().unwrap();
        let readable = shown("readable_at_text");
        assert!(readable >= share * value(recall), "{call}: {quality}");
        assert!(shown("most_text_bytes") <= most_bytes, "{call}: {quality}");
        assert!(shown("readable_at_data") >= share * value(recall), "{call}: {quality}");
    }
}

#[test]
fn judgements_that_fit_no_question_are_refused() {
    let home = Home::new();
    let docs = home.file("d.jsonl", "{\"id\":1,\"title\":\"t\",\"text\":\"heron\"}\n");
    let queries = home.file("q.jsonl", "{\"id\":\"a\",\"text\":\"heron\"}\n");
    let qrels = home.file("r.jsonl", "{\"query\":\"b\",\"doc\":\"1\",\"grade\":1}\n");
    let asked = |qrels: &str| {
        home.run(&[
            "bench",
            "quality",
            "--json",
            "--docs",
            &docs,
            "--queries",
            &queries,
            "--qrels",
            qrels,
        ])
    };
    assert_eq!(asked(&qrels).code, 65);
    let fitting = home.file("s.jsonl", "{\"query\":\"a\",\"doc\":1,\"grade\":1}\n");
    let found: Value = asked(&fitting).document();
    assert_eq!(found["ndcg_at_10"], 1.0);
    let broken = home.file("t.jsonl", "{\"query\":\n");
    assert_eq!(asked(&broken).code, 65);
}
