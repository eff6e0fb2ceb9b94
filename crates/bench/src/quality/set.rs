//! A judged set: records, questions, and which record answers which question how well.
//!
//! Two forms are read: documents (`docs.jsonl`, `queries.jsonl`, `qrels.jsonl`), and the accounts of a
//! person (`records/NAME.jsonl`, `declarations/KIND.json`, `questions*.jsonl`).

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use pdpp_contract::record::RecordLine;
use pdpp_contract::roles::Roles;
use pdpp_contract::{Json, JsonObject, SourceDeclaration};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::error::BenchError;

/// The connection and stream of a set of documents.
const CONNECTION: &str = "judged";
const STREAM: &str = "documents";

/// Where a judged set is.
#[derive(Debug)]
pub enum SetFiles {
    /// A directory in either form.
    Directory {
        /// The directory.
        path: PathBuf,
        /// The questions, when they are not all of those beside the records.
        questions: Option<PathBuf>,
    },
    /// The three files of a set of documents.
    Documents {
        /// Documents, one JSON object per line.
        docs: PathBuf,
        /// Questions, one JSON object per line.
        queries: PathBuf,
        /// Judgements, one JSON object per line.
        qrels: PathBuf,
    },
}

/// A set as it was read.
pub struct JudgedSet {
    pub accounts: Vec<JudgedAccount>,
    /// What each record says, by `connection/stream:key`.
    pub texts: HashMap<String, JudgedText>,
    pub questions: Vec<JudgedQuestion>,
}

/// The records of one connection.
pub struct JudgedAccount {
    pub name: String,
    pub declaration: SourceDeclaration,
    pub lines: Vec<Vec<u8>>,
}

/// What a record says.
#[derive(Debug, Clone, Default)]
pub struct JudgedText {
    pub title: String,
    pub body: String,
}

/// A question and the records that answer it.
pub struct JudgedQuestion {
    pub text: String,
    pub grades: Grades,
}

/// How well records answer one question, by record.
pub type Grades = HashMap<String, f64>;

#[derive(Debug, Deserialize)]
struct Document {
    #[serde(deserialize_with = "name")]
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    text: String,
}

#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(deserialize_with = "name")]
    id: String,
    text: String,
}

#[derive(Debug, Deserialize)]
struct Judgement {
    #[serde(deserialize_with = "name")]
    query: String,
    #[serde(deserialize_with = "name")]
    doc: String,
    grade: f64,
}

#[derive(Debug, Deserialize)]
struct AskedOfLife {
    text: String,
    relevant: Vec<Answering>,
}

#[derive(Debug, Deserialize)]
struct Answering {
    record: String,
    grade: f64,
}

/// Reads a set.
pub fn read(files: &SetFiles) -> Result<JudgedSet, BenchError> {
    match files {
        SetFiles::Documents { docs, queries, qrels } => documents(docs, queries, qrels),
        SetFiles::Directory { path, questions } if path.join("records").is_dir() => {
            life(path, questions.as_deref())
        }
        SetFiles::Directory { path, .. } => {
            let file = |name: &str| path.join(name);
            documents(&file("docs.jsonl"), &file("queries.jsonl"), &file("qrels.jsonl"))
        }
    }
}

fn documents(docs: &Path, queries: &Path, qrels: &Path) -> Result<JudgedSet, BenchError> {
    let record = |id: &str| format!("{CONNECTION}/{STREAM}:{id}");
    let (mut lines, mut texts) = (Vec::new(), HashMap::new());
    for Document { id, title, text } in read_lines::<Document>(docs)? {
        let line = json!({
            "type": "RECORD", "stream": STREAM, "key": id, "emitted_at": "2026-01-01T00:00:00Z",
            "data": { "id": id, "title": title, "text": text },
        });
        lines.push(line.to_string().into_bytes());
        texts.insert(record(&id), JudgedText { title, body: text });
    }
    let declaration = parsed(include_str!("declaration.json"))?;
    let account = JudgedAccount { name: CONNECTION.to_owned(), declaration, lines };
    let mut grades: HashMap<String, Grades> = HashMap::new();
    for Judgement { query, doc, grade } in read_lines(qrels)? {
        grades.entry(query).or_default().insert(record(&doc), grade);
    }
    let asked = read_lines::<Asked>(queries)?.into_iter().map(|Asked { id, text }| {
        JudgedQuestion { text, grades: grades.remove(&id).unwrap_or_default() }
    });
    Ok(JudgedSet { accounts: vec![account], texts, questions: asked.collect() })
}

fn life(path: &Path, questions: Option<&Path>) -> Result<JudgedSet, BenchError> {
    let mut set = JudgedSet { accounts: Vec::new(), texts: HashMap::new(), questions: Vec::new() };
    for file in listed(&path.join("records"), "")? {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let declaration = declared(path, &name)?;
        let mut lines = Vec::new();
        for line in raw_lines(&file)? {
            let record: RecordLine = serde_json::from_str(&line)
                .map_err(|error| BenchError::Input(format!("{}: {error}", file.display())))?;
            if let Some((key, text)) = told(&declaration, record) {
                set.texts.insert(format!("{name}/{key}"), text);
            }
            lines.push(line.into_bytes());
        }
        set.accounts.push(JudgedAccount { name, declaration, lines });
    }
    let files = match questions {
        Some(file) => vec![file.to_owned()],
        None => listed(path, "questions")?,
    };
    for file in files {
        for AskedOfLife { text, relevant } in read_lines(&file)? {
            let grades = relevant.into_iter().map(|answer| (answer.record, answer.grade)).collect();
            set.questions.push(JudgedQuestion { text, grades });
        }
    }
    Ok(set)
}

/// The declaration of a connection: `chat-family` is declared by `chat-family.json`, else `chat.json`.
fn declared(path: &Path, name: &str) -> Result<SourceDeclaration, BenchError> {
    let file = |kind: &str| path.join("declarations").join(format!("{kind}.json"));
    let whole = file(name);
    let kind = name.rsplit_once('-').map_or(name, |(kind, _)| kind);
    let file = if whole.is_file() { whole } else { file(kind) };
    let text = std::fs::read_to_string(&file).map_err(|error| BenchError::input(&file, &error))?;
    parsed(&text)
}

fn parsed(text: &str) -> Result<SourceDeclaration, BenchError> {
    SourceDeclaration::parse(text).map_err(BenchError::declaration)
}

/// `stream:key` and what the record says.
fn told(declaration: &SourceDeclaration, line: RecordLine) -> Option<(String, JudgedText)> {
    let name = line.stream?;
    let roles = Roles::of_stream(declaration.streams.iter().find(|stream| stream.name == name)?);
    let Some(Json::Object(data)) = line.data else { return None };
    let text = |names: &[String]| first_text(names, &data);
    Some((
        format!("{name}:{}", line.key.as_str()?),
        JudgedText { title: text(&roles.title), body: text(&roles.body) },
    ))
}

fn first_text(names: &[String], data: &JsonObject) -> String {
    let texts = names.iter().filter_map(|name| data.get(name).and_then(Json::as_str));
    texts.filter(|text| !text.trim().is_empty()).map(str::to_owned).next().unwrap_or_default()
}

/// The files of lines in a directory whose names begin so.
fn listed(path: &Path, begins: &str) -> Result<Vec<PathBuf>, BenchError> {
    let is_named = |name: &str| name.starts_with(begins);
    let entries = std::fs::read_dir(path).map_err(|error| BenchError::input(path, &error))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|extension| extension == "jsonl"))
        .filter(|file| file.file_name().and_then(|it| it.to_str()).is_some_and(is_named))
        .collect();
    files.sort();
    if files.is_empty() {
        let message = format!("{} is no judged set: a file is missing", path.display());
        return Err(BenchError::Input(message));
    }
    Ok(files)
}

fn raw_lines(path: &Path) -> Result<Vec<String>, BenchError> {
    let file = File::open(path).map_err(|error| BenchError::input(path, &error))?;
    let lines = BufReader::new(file).lines();
    let lines = lines.map(|line| line.map_err(|error| BenchError::input(path, &error)));
    lines.filter(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty())).collect()
}

fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BenchError> {
    let parse = |(line, number): (String, u64)| {
        serde_json::from_str(&line).map_err(|error| {
            let file = path.display();
            BenchError::Input(format!("{file}:{number} is not what it should be: {error}"))
        })
    };
    raw_lines(path)?.into_iter().zip(1..).map(parse).collect()
}

/// Some sets name things with numbers.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Name {
        Text(String),
        Number(i64),
    }
    Ok(match Name::deserialize(deserializer)? {
        Name::Text(text) => text,
        Name::Number(number) => number.to_string(),
    })
}
