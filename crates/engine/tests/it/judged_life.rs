//! How good search is on the judged set of one person's accounts: recall and rank of each class of
//! question, for the half that ranking was tuned on and for the other one.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ErrorCode, ReadApi};
use pdpp_engine::GrantedReader;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::world::World;

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
/// Least recall@10 of each class: in the half that ranking was tuned on, and in the other one.
const LEAST: [(&str, [f64; 2]); 9] = [
    ("date", [0.52, 0.65]),
    ("long", [0.98, 0.98]),
    ("mixed", [0.88, 0.85]),
    ("name", [0.94, 0.98]),
    ("neighbour", [0.81, 0.78]),
    ("number", [0.71, 0.65]),
    ("paraphrase", [0.29, 0.30]),
    ("sentence", [0.82, 0.90]),
    ("title", [0.98, 0.98]),
];
/// Hits that are looked at.
const DEPTH: u32 = 20;

#[derive(Deserialize)]
struct Question {
    class: String,
    text: String,
    relevant: Vec<Judgement>,
}

#[derive(Deserialize)]
struct Judgement {
    record: String,
    grade: u32,
}

/// What the questions of a class are worth, summed.
#[derive(Default)]
struct Sum {
    questions: f64,
    recall: [f64; 3],
    ndcg: f64,
}

fn file(name: &str) -> String {
    format!("{}/../cli/tests/quality/life/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let text = std::fs::read_to_string(file(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn life() -> (World, GrantedReader) {
    let world = World::new(22).await;
    for (connection, declaration) in CONNECTIONS {
        let declaration = file(&format!("declarations/{declaration}.json"));
        let declaration: Value =
            serde_json::from_str(&std::fs::read_to_string(declaration).unwrap()).unwrap();
        let records: Vec<Value> = lines(&format!("records/{connection}.jsonl"));
        world.import(connection, &declaration, &records).await;
    }
    let reader = world.reader(&CONNECTIONS.map(|(connection, _)| connection)).await;
    (world, reader)
}

/// The records that a question finds, best first, as judgements name them.
async fn found(reader: &GrantedReader, q: &str) -> Vec<String> {
    let request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(DEPTH),
        cursor: None,
        filter: Vec::new(),
    };
    let ids: HashMap<String, &str> =
        CONNECTIONS.iter().map(|(name, _)| (name.replace('-', ""), *name)).collect();
    let page = match reader.search(request).await {
        Ok(page) => page,
        Err(error) if error.code == ErrorCode::InvalidArgument => return Vec::new(),
        Err(error) => panic!("{q}: {error:?}"),
    };
    let named = page.data.iter().map(|hit| {
        let connection = ids[hit.connection_id.as_str().trim_start_matches("cin_")];
        format!("{connection}/{}:{}", hit.stream, hit.record_key)
    });
    named.collect()
}

async fn measured(reader: &GrantedReader, half: &str) -> BTreeMap<String, Sum> {
    let mut classes: BTreeMap<String, Sum> = BTreeMap::new();
    for question in lines::<Question>(&format!("questions-{half}.jsonl")) {
        if question.relevant.is_empty() {
            continue;
        }
        let ranking = found(reader, &question.text).await;
        let sum = classes.entry(question.class).or_default();
        sum.questions += 1.0;
        let grade = |record: &String| {
            let own = question.relevant.iter().find(|judgement| judgement.record == *record);
            own.map_or(0.0, |judgement| f64::from(judgement.grade))
        };
        let all = count(question.relevant.len());
        for (own, depth) in sum.recall.iter_mut().zip([5, 10, 20]) {
            *own += count(ranking.iter().take(depth).filter(|id| grade(id) > 0.0).count()) / all;
        }
        let discounted = |grades: &[f64]| -> f64 {
            let places = grades.iter().take(10).enumerate();
            places.map(|(at, grade)| grade / count(at + 2).log2()).sum()
        };
        let mut best: Vec<f64> =
            question.relevant.iter().map(|judgement| f64::from(judgement.grade)).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        let gains: Vec<f64> = ranking.iter().map(grade).collect();
        sum.ndcg += discounted(&gains) / discounted(&best);
    }
    classes
}

fn count(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn table(half: &str, classes: &BTreeMap<String, Sum>) -> String {
    let mut text = format!("{half}: class, questions, recall@5, @10, @20, nDCG@10\n");
    for (class, sum) in classes {
        let [five, ten, twenty] = sum.recall.map(|own| own / sum.questions);
        let ndcg = sum.ndcg / sum.questions;
        let asked = sum.questions;
        let _ = writeln!(text, "{class:11} {asked:4} {five:.3} {ten:.3} {twenty:.3} {ndcg:.3}");
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_class_of_question_finds_what_it_found_before() {
    let (_world, reader) = life().await;
    for (at, half) in ["tune", "held-out"].into_iter().enumerate() {
        let classes = measured(&reader, half).await;
        let table = table(half, &classes);
        for (class, least) in LEAST {
            let sum = &classes[class];
            assert!(sum.recall[1] / sum.questions >= least[at], "{class} falls:\n{table}");
        }
    }
}
