//! Search on a small judged set of mails, notes, chats and orders: good ranking stays good.
//!
//! The floors stand a little below what was measured when they were set. Whoever raises the quality
//! raises them; whoever lowers it argues.

use serde_json::Value;

use crate::program::Home;

const NDCG_AT_10: f64 = 0.90;
const RECALL_AT_5: f64 = 0.90;
const MRR: f64 = 0.90;

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
