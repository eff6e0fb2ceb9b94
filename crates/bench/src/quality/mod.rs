//! Search quality: judged documents go into a store of their own, questions go through the search
//! that agents use, and the rankings are measured.

mod measures;
mod set;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pdpp_auth::{AllowSpec, AuthError, Caller, PackageRequest};
use pdpp_contract::import::ImportItem;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::{
    AccessMode, ClientName, ConnectionName, ErrorCode, ReadApi, SourceDeclaration,
};
use pdpp_engine::GrantedReader;
use pdpp_engine::import::ImportRequest;
use serde_json::{Value, json};

use super::timing::{Timing, micros, spoken};
use super::world::{World, new_connection_id, unexpected};
use crate::error::BenchError;
use crate::host::Host;
use measures::Measures;
use pdpp_contract::grouped::grouped;
use set::{Asked, Document, read, read_grades};

/// Hits that are looked at.
const DEPTH: u32 = 100;
/// Longest question, in characters; the rest of a longer one is left away.
const QUESTION_CHARS: usize = 1_000;
const CONNECTION: &str = "judged";

/// The three files of a judged set.
#[derive(Debug)]
pub struct Files {
    /// Documents, one JSON object per line.
    pub docs: PathBuf,
    /// Questions, one JSON object per line.
    pub queries: PathBuf,
    /// Judgements, one JSON object per line.
    pub qrels: PathBuf,
}

/// What search was worth on a set.
#[derive(Debug)]
pub struct Quality {
    documents: usize,
    questions: usize,
    mean: Measures,
    timing: Timing,
}

/// Measures search on a set.
pub async fn measure(host: &dyn Host, files: &Files) -> Result<Quality, BenchError> {
    let documents: Vec<Document> = read(&files.docs)?;
    let questions: Vec<Asked> = read(&files.queries)?;
    let grades = read_grades(&files.qrels)?;
    let count = documents.len();
    host.progress(&format!("{} documents, {} questions", grouped_usize(count), questions.len()));
    let scratch = tempfile::Builder::new().prefix("pdpp-quality-").tempdir();
    let scratch = scratch.map_err(|error| {
        BenchError::file("create a directory in", &std::env::temp_dir(), &error)
    })?;
    let location = host.locate(scratch.path().join("store"), None);
    let store = World::open(host, &location).await?;
    keep(&store, documents).await?;
    let reader = reader(&store).await?;
    let (mut all, mut lengths) = (Vec::new(), Vec::new());
    for question in &questions {
        let Some(grades) = grades.get(&question.id) else { continue };
        let start = Instant::now();
        let ranking = ask(&reader, &question.text).await?;
        lengths.push(start.elapsed());
        all.extend(Measures::of(&ranking, grades));
    }
    if all.is_empty() {
        let message =
            "no question has a document that answers it; check that the files belong together";
        return Err(BenchError::Input(message.to_owned()));
    }
    let timing = Timing::of(lengths, 0);
    Ok(Quality { documents: count, questions: all.len(), mean: Measures::mean(&all), timing })
}

/// Imports the documents through the door every import goes through.
async fn keep(store: &World, documents: Vec<Document>) -> Result<(), BenchError> {
    let lines = documents.into_iter().zip(1..).map(|(document, position)| {
        let Document { id, title, text } = document;
        let line = json!({
            "type": "RECORD", "stream": "documents", "key": id,
            "emitted_at": "2026-01-01T00:00:00Z",
            "data": { "id": id, "title": title, "text": text },
        });
        Ok(ImportItem::from_line("docs", position, line.to_string().into_bytes()))
    });
    let lines: Vec<_> = lines.collect();
    let request = ImportRequest {
        name: ConnectionName::new(CONNECTION)?,
        display_name: None,
        declaration: SourceDeclaration::parse(include_str!("declaration.json"))
            .map_err(BenchError::declaration)?,
        new_id: new_connection_id(0)?,
        dry_run: false,
    };
    let owner = store.owner();
    let imported =
        store.engine.import(&owner, request, Box::new(lines.into_iter()), Box::new(|_| {}));
    let report = imported.await?;
    match report.rejections.first() {
        None => Ok(()),
        Some(first) => {
            let message = format!("a document was refused: {}", first.message);
            Err(BenchError::Input(message))
        }
    }
}

async fn reader(store: &World) -> Result<GrantedReader, BenchError> {
    let request = PackageRequest {
        client: ClientName::new("bench")?,
        allow: vec![CONNECTION.parse::<AllowSpec>().map_err(AuthError::from)?],
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
async fn ask(reader: &GrantedReader, question: &str) -> Result<Vec<String>, BenchError> {
    let request = SearchRequest {
        q: question.chars().take(QUESTION_CHARS).collect(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(DEPTH),
        cursor: None,
        filter: Vec::new(),
    };
    match reader.search(request).await {
        Ok(page) => Ok(page.data.iter().map(|hit| hit.record_key.to_string()).collect()),
        Err(error) if error.code == ErrorCode::InvalidArgument => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

impl Quality {
    /// One document.
    pub fn to_json(&self) -> Value {
        let [five, ten, twenty] = self.mean.recall;
        json!({
            "documents": self.documents,
            "questions": self.questions,
            "ndcg_at_10": self.mean.ndcg,
            "recall_at_5": five,
            "recall_at_10": ten,
            "recall_at_20": twenty,
            "mrr": self.mean.reciprocal_rank,
            "gain": "linear",
            "p50_us": micros(self.timing.p50),
            "p95_us": micros(self.timing.p95),
        })
    }

    /// A few lines for people.
    pub fn words(&self) -> String {
        let [five, ten, twenty] = self.mean.recall;
        let took = |length: Duration| spoken(length);
        format!(
            "nDCG@10    {:.4}\nrecall@5   {five:.4}\nrecall@10  {ten:.4}\nrecall@20  {twenty:.4}\n\
             MRR        {:.4}\n\n{} documents, {} judged questions; a search took {} at p50, {} at \
             p95.\nnDCG: linear gain, discount log2(rank + 1). Relevant: grade above 0.\n",
            self.mean.ndcg,
            self.mean.reciprocal_rank,
            grouped_usize(self.documents),
            self.questions,
            took(self.timing.p50),
            took(self.timing.p95),
        )
    }
}

fn grouped_usize(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}
