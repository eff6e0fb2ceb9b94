//! Throwaway: search quality on a set.
use pdpp_auth::{Auth, Caller, PackageRequest};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::*;
use pdpp_engine::Engine;
use pdpp_engine::import::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
#[tokio::main]
async fn main() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(pdpp_testkit::FixedClock::at("2026-11-15T12:00:00Z"));
    let entropy = Arc::new(pdpp_testkit::SeededEntropy::new(1));
    let store = pdpp_store::open(pdpp_store::StoreOptions::new(
        dir.path().join("s.sqlite"),
        entropy.clone(),
    ))
    .await
    .unwrap();
    let engine = Engine::new(store.clone(), clock.clone());
    let auth = Auth::new(store, clock, entropy);
    let decl = json!({"protocol_version":"0.1.0","source":{"kind":"connector","id":"https://x.dev/connectors/docs"},"declaration_version":"1","publisher":{"id":"https://x.dev"},"display":{"name":"d"},
      "streams":[{"name":"docs","semantics":"mutable_state","schema":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"text":{"type":"string"}}},"primary_key":["id"],"selection":{"fields":true,"resources":true},"query":{"search":{"lexical_fields":["title","text"]}}}]});
    let base = std::env::args().nth(1).unwrap();
    let read = |n: &str| {
        std::fs::read_to_string(format!("{base}/{n}"))
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap())
            .collect::<Vec<_>>()
    };
    let s = |v: &Value| v.as_str().map(str::to_owned).unwrap_or_else(|| v.to_string());
    let lines: Vec<_> = read("docs.jsonl").iter().zip(1..).map(|(d, p)| {
        let id = s(&d["id"]);
        let line = json!({"type":"RECORD","stream":"docs","key":id,"data":{"id":id,"title":d["title"].as_str().unwrap_or(""),"text":d["text"].as_str().unwrap_or("")},"emitted_at":"2026-01-01T00:00:00Z"}).to_string();
        Ok(ImportLine{source:"d".into(), position:p, bytes: line.into_bytes()})}).collect();
    let owner = auth.local_owner();
    let r = engine
        .import(
            &owner,
            ImportRequest {
                name: ConnectionName::new("docs").unwrap(),
                display_name: None,
                declaration: SourceDeclaration::parse(&decl.to_string()).unwrap(),
                new_id: ConnectionId::new("cin_docs").unwrap(),
                dry_run: false,
            },
            Box::new(lines.into_iter()),
            Box::new(|_| {}),
        )
        .await
        .unwrap();
    eprintln!("added {} rejected {}", r.added, r.rejected);
    let p = auth
        .issue_package(
            &owner,
            PackageRequest {
                client: ClientName::new("a").unwrap(),
                allow: vec!["docs".parse().unwrap()],
                expires_in: None,
                access_mode: AccessMode::Continuous,
                leave_out_codes: false,
            },
        )
        .await
        .unwrap();
    let Caller::Agent(a) = auth.verify(p.access_token.reveal()).await.unwrap() else { panic!() };
    let reader = engine.reader(a);
    let mut rels: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for q in read("qrels.jsonl") {
        rels.entry(s(&q["query"]))
            .or_default()
            .insert(s(&q["doc"]), q["grade"].as_f64().unwrap_or(1.0));
    }
    let (mut ndcg, mut rec10, mut mrr, mut n) = (0.0, 0.0, 0.0, 0.0);
    let t = std::time::Instant::now();
    for q in read("queries.jsonl") {
        let id = s(&q["id"]);
        let Some(rel) = rels.get(&id) else { continue };
        let page = reader
            .search(SearchRequest {
                q: s(&q["text"]),
                streams: vec![],
                connection_id: None,
                limit: Some(20),
                cursor: None,
                filter: vec![],
            })
            .await
            .unwrap();
        let gains: Vec<f64> = page
            .data
            .iter()
            .map(|h| rel.get(h.record_key.as_str()).copied().unwrap_or(0.0).max(0.0))
            .collect();
        let dcg = |g: &[f64]| {
            g.iter()
                .take(10)
                .enumerate()
                .map(|(i, g)| (2f64.powf(*g) - 1.0) / ((i as f64) + 2.0).log2())
                .sum::<f64>()
        };
        let mut ideal: Vec<f64> = rel.values().copied().collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        if dcg(&ideal) > 0.0 {
            ndcg += dcg(&gains) / dcg(&ideal);
        }
        let pos = rel.values().filter(|g| **g > 0.0).count() as f64;
        rec10 += gains.iter().take(10).filter(|g| **g > 0.0).count() as f64 / pos.max(1.0);
        mrr += gains.iter().position(|g| *g > 0.0).map_or(0.0, |i| 1.0 / (i as f64 + 1.0));
        n += 1.0;
    }
    println!(
        "queries {n} nDCG@10 {:.4} recall@10 {:.4} MRR {:.4} in {:?}",
        ndcg / n,
        rec10 / n,
        mrr / n,
        t.elapsed()
    );
}
