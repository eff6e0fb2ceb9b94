//! A judged set: documents, questions, and which document answers which question how well.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::error::BenchError;

/// A document.
#[derive(Debug, Deserialize)]
pub struct Document {
    #[serde(deserialize_with = "name")]
    pub id: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub text: String,
}

/// A question.
#[derive(Debug, Deserialize)]
pub struct Asked {
    #[serde(deserialize_with = "name")]
    pub id: String,
    pub text: String,
}

#[derive(Debug, Deserialize)]
struct Judgement {
    #[serde(deserialize_with = "name")]
    query: String,
    #[serde(deserialize_with = "name")]
    doc: String,
    grade: f64,
}

/// How well documents answer one question, by document.
pub type Grades = HashMap<String, f64>;

/// Reads documents or questions, one JSON object per line.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BenchError> {
    let file = File::open(path).map_err(|error| BenchError::input(path, &error))?;
    let mut all = Vec::new();
    for (line, number) in BufReader::new(file).lines().zip(1..) {
        let line = line.map_err(|error| BenchError::input(path, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        all.push(
            serde_json::from_str(&line).map_err(|error| not_understood(path, number, &error))?,
        );
    }
    Ok(all)
}

/// Reads judgements, by question.
pub fn read_grades(path: &Path) -> Result<HashMap<String, Grades>, BenchError> {
    let mut grades: HashMap<String, Grades> = HashMap::new();
    for judgement in read::<Judgement>(path)? {
        grades.entry(judgement.query).or_default().insert(judgement.doc, judgement.grade);
    }
    Ok(grades)
}

fn not_understood(path: &Path, line: u64, error: &serde_json::Error) -> BenchError {
    let message = format!("{}:{line} is not what it should be: {error}", path.display());
    BenchError::Input(message)
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
