//! Search quality: judged records go into a store of their own, questions go through the search and
//! the adapter that agents use, and the rankings and what can be read of them are measured.

mod measures;
mod readable;
mod set;
mod shown;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use pdpp_auth::{AllowSpec, AuthError, Caller, PackageRequest};
use pdpp_contract::grouped::grouped;
use pdpp_contract::import::ImportItem;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, ConnectionName, ErrorCode, ReadApi};
use pdpp_engine::GrantedReader;
use pdpp_engine::import::ImportRequest;
use serde_json::{Value, json};

use super::timing::{Timing, micros, spoken};
use super::world::{World, unexpected};
use crate::error::BenchError;
use crate::host::Host;
use measures::Measures;
pub use set::SetFiles;
use set::{JudgedAccount, JudgedSet};
use shown::{Adapter, Shown};

/// Hits that are looked at.
const DEPTH: u32 = 100;
/// Longest question, in characters; the rest of a longer one is left away.
const QUESTION_CHARS: usize = 1_000;

/// What search was worth on a set.
#[derive(Debug)]
pub struct Quality {
    records: usize,
    questions: usize,
    mean: Measures,
    /// Of the default call, and of one with a limit of ten.
    shown: [Shown; 2],
    timing: Timing,
}

/// Measures search on a set.
pub async fn measure(host: &dyn Host, files: &SetFiles) -> Result<Quality, BenchError> {
    let JudgedSet { accounts, texts, questions } = set::read(files)?;
    let count = accounts.iter().map(|account| account.lines.len()).sum();
    host.progress(&format!("{} records, {} questions", grouped_usize(count), questions.len()));
    let scratch = tempfile::Builder::new().prefix("pdpp-quality-").tempdir();
    let scratch = scratch.map_err(|error| {
        BenchError::file("create a directory in", &std::env::temp_dir(), &error)
    })?;
    let location = host.locate(scratch.path().join("store"), None);
    let store = World::open(host, &location).await?;
    let names: Vec<String> = accounts.iter().map(|account| account.name.clone()).collect();
    let mut connections = HashMap::new();
    for (account, number) in accounts.into_iter().zip(0..) {
        let name = account.name.clone();
        connections.insert(keep(&store, account, number).await?, name);
    }
    let reader = reader(&store, &names).await?;
    let adapter = Adapter::new(reader.clone(), connections.clone());
    let (mut all, mut lengths) = (Vec::new(), Vec::new());
    let mut shown = [Vec::new(), Vec::new()];
    for question in &questions {
        let start = Instant::now();
        let ranking = ask(&reader, &connections, &question.text).await?;
        let took = start.elapsed();
        let Some(measures) = Measures::of(&ranking, &question.grades) else { continue };
        lengths.push(took);
        all.push(measures);
        let text: String = question.text.chars().take(QUESTION_CHARS).collect();
        for (limit, shown) in [None, Some(10)].into_iter().zip(&mut shown) {
            shown.push(adapter.ask(&text, limit, &question.grades, &texts).await?);
        }
    }
    if all.is_empty() {
        let message =
            "no question has a document that answers it; check that the files belong together";
        return Err(BenchError::Input(message.to_owned()));
    }
    let timing = Timing::of(lengths, 0);
    let shown = shown.map(|all| Shown::mean(&all));
    let mean = Measures::mean(&all);
    Ok(Quality { records: count, questions: all.len(), mean, shown, timing })
}

/// Imports the records of a connection through the door every import goes through.
async fn keep(
    store: &World,
    account: JudgedAccount,
    number: u64,
) -> Result<ConnectionId, BenchError> {
    let JudgedAccount { name, declaration, lines } = account;
    let lines = lines.into_iter().zip(1..);
    let lines: Vec<_> =
        lines.map(|(line, at)| Ok(ImportItem::from_line("judged", at, line))).collect();
    // As long as those that the program makes.
    let new_id = ConnectionId::new(format!("cin_jdgd{number:05}"))?;
    let request = ImportRequest {
        name: ConnectionName::new(name)?,
        display_name: None,
        declaration,
        new_id: new_id.clone(),
        dry_run: false,
    };
    let owner = store.owner();
    let imported =
        store.engine.import(&owner, request, Box::new(lines.into_iter()), Box::new(|_| {}));
    let report = imported.await?;
    match report.rejections.first() {
        None => Ok(report.connection_id.unwrap_or(new_id)),
        Some(first) => {
            let message = format!("a record was refused: {}", first.message);
            Err(BenchError::Input(message))
        }
    }
}

async fn reader(store: &World, names: &[String]) -> Result<GrantedReader, BenchError> {
    let allow: Result<Vec<AllowSpec>, _> = names.iter().map(|name| name.parse()).collect();
    let request = PackageRequest {
        client: ClientName::new("bench")?,
        allow: allow.map_err(AuthError::from)?,
        expires_in: None,
        access_mode: AccessMode::Continuous,
        leave_out_codes: false,
        leave_out_secrets: false,
    };
    let issued = store.auth.issue_package(&store.owner(), request).await?;
    match store.auth.verify(issued.access_token.reveal()).await? {
        Caller::Agent(access) => Ok(store.engine.reader(&access)),
        Caller::Owner(_) => Err(unexpected("an agent's token opened an owner's door")),
    }
}

/// The ranking of a question. One without a word that can be looked for finds nothing.
async fn ask(
    reader: &GrantedReader,
    connections: &HashMap<ConnectionId, String>,
    question: &str,
) -> Result<Vec<String>, BenchError> {
    let request = SearchRequest {
        q: question.chars().take(QUESTION_CHARS).collect(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(DEPTH),
        cursor: None,
        filter: Vec::new(),
    };
    let page = match reader.search(request).await {
        Ok(page) => page,
        Err(error) if error.code == ErrorCode::InvalidArgument => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let named = page.data.iter().map(|hit| {
        let connection = connections.get(&hit.connection_id).map(String::as_str);
        format!("{}/{}:{}", connection.unwrap_or_default(), hit.stream, hit.record_key)
    });
    Ok(named.collect())
}

impl Quality {
    /// One document.
    pub fn to_json(&self) -> Value {
        let [five, ten, twenty] = self.mean.recall;
        let [default, with_ten] = self.shown;
        json!({
            "documents": self.records,
            "questions": self.questions,
            "ndcg_at_10": self.mean.ndcg,
            "recall_at_5": five,
            "recall_at_10": ten,
            "recall_at_20": twenty,
            "mrr": self.mean.reciprocal_rank,
            "gain": "linear",
            "default_call": default.to_json(),
            "limit_10": with_ten.to_json(),
            "p50_us": micros(self.timing.p50),
            "p95_us": micros(self.timing.p95),
        })
    }

    /// A few lines for people.
    pub fn words(&self) -> String {
        let [five, ten, twenty] = self.mean.recall;
        let [default, with_ten] = self.shown;
        let took = |length: Duration| spoken(length);
        format!(
            "nDCG@10        {:.4}\nrecall@5       {five:.4}\nrecall@10      {ten:.4}\nrecall@20      \
             {twenty:.4}\nMRR            {:.4}\n\ndefault call   {}\nlimit 10       {}\n\n{} records, {} \
             judged questions; a search took {} at p50, {} at p95.\nnDCG: linear gain, discount \
             log2(rank + 1). Relevant: grade above 0. Readable: the row holds 60% of\nthe words of a \
             record of at most 300 characters; else 160 characters of its text and 60% of\nthe \
             question's words that the record has.\n",
            self.mean.ndcg,
            self.mean.reciprocal_rank,
            default.words(),
            with_ten.words(),
            grouped_usize(self.records),
            self.questions,
            took(self.timing.p50),
            took(self.timing.p95),
        )
    }
}

fn grouped_usize(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}
