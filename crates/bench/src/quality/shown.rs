//! What an agent can read of the records that answer a question, in each view of a `search` result.

use std::collections::HashMap;
use std::sync::Arc;

use pdpp_contract::ConnectionId;
use pdpp_engine::GrantedReader;
use pdpp_mcp::{CallContext, Tool, ToolAnswer};
use serde_json::{Map, Value, json};

use super::readable::is_readable;
use super::set::{Grades, JudgedText};
use crate::error::BenchError;
use crate::world::unexpected;

/// Where the records would be served.
const BASE_URL: &str = "http://127.0.0.1:7667";

/// The tools as an agent calls them.
pub struct Adapter {
    context: CallContext,
    connections: HashMap<ConnectionId, String>,
}

/// What one call shows, or the mean of many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// The share of the records that answer which can be read in the text.
    text: f64,
    /// The same in the data.
    data: f64,
    text_bytes: f64,
    most_text_bytes: f64,
    result_bytes: f64,
}

impl Adapter {
    pub fn new(reader: GrantedReader, connections: HashMap<ConnectionId, String>) -> Self {
        let reader = Arc::new(reader);
        let context = CallContext::new(reader.clone(), reader);
        let context = CallContext { base_url: Some(BASE_URL.to_owned()), ..context };
        Self { context, connections }
    }

    /// Asks a question the way an agent does.
    pub async fn ask(
        &self,
        question: &str,
        limit: Option<u32>,
        grades: &Grades,
        texts: &HashMap<String, JudgedText>,
    ) -> Result<Shown, BenchError> {
        let mut arguments = Map::new();
        arguments.insert("query".to_owned(), json!(question));
        arguments.extend(limit.map(|limit| ("limit".to_owned(), json!(limit))));
        let answer = Tool::Search.call(&self.context, arguments).await;
        let relevant: Vec<&String> =
            grades.iter().filter(|(_, grade)| **grade > 0.0).map(|(record, _)| record).collect();
        let rows = self.rows(&answer)?;
        let mut found = (0_u32, 0_u32);
        for record in &relevant {
            let Some((in_text, in_data)) = rows.get(record.as_str()) else { continue };
            let Some(judged) = texts.get(record.as_str()) else { continue };
            found.0 += u32::from(is_readable(in_text, judged, question));
            found.1 += u32::from(is_readable(in_data, judged, question));
        }
        let count = f64::from(u32::try_from(relevant.len().max(1)).unwrap_or(u32::MAX));
        let text_bytes = number(answer.text.len());
        Ok(Shown {
            text: f64::from(found.0) / count,
            data: f64::from(found.1) / count,
            text_bytes,
            most_text_bytes: text_bytes,
            result_bytes: number(wire_bytes(answer)?),
        })
    }

    /// What each view shows of each record: its line in the text, its members in the data.
    fn rows(&self, answer: &ToolAnswer) -> Result<HashMap<String, (String, String)>, BenchError> {
        let mut rows = HashMap::new();
        let Some(data) = &answer.structured else { return Ok(rows) };
        let results = data.get("results").and_then(Value::as_array).into_iter().flatten();
        let hits = data.pointer("/data/data").and_then(Value::as_array).into_iter().flatten();
        for (result, hit) in results.zip(hits) {
            let text = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
            let connection = ConnectionId::new(text("connection_id"))?;
            let name = self.connections.get(&connection);
            let name = name.ok_or_else(|| unexpected("a hit is of no judged connection"))?;
            let lead = format!(". id={} ", text("id"));
            let line = answer.text.lines().find(|line| format!("{line} ").contains(&lead));
            let members = [result, hit].into_iter().flat_map(strings);
            let members: Vec<&str> = members.collect();
            let record = format!("{name}/{}:{}", text("stream"), text("record_id"));
            rows.insert(record, (line.unwrap_or_default().to_owned(), members.join(" | ")));
        }
        Ok(rows)
    }
}

/// Every text in a value.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// Bytes of the whole result.
fn wire_bytes(answer: ToolAnswer) -> Result<usize, BenchError> {
    let result = answer.into_json();
    let result = result.map_err(|_| unexpected("a result cannot be written"))?;
    Ok(result.to_string().len())
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

impl Shown {
    /// The mean of many calls.
    pub fn mean(all: &[Self]) -> Self {
        let share = 1.0 / number(all.len().max(1));
        let mut mean = Self::default();
        for one in all {
            mean.text += one.text * share;
            mean.data += one.data * share;
            mean.text_bytes += one.text_bytes * share;
            mean.result_bytes += one.result_bytes * share;
            mean.most_text_bytes = mean.most_text_bytes.max(one.most_text_bytes);
        }
        mean
    }

    /// One document.
    pub fn to_json(self) -> Value {
        json!({
            "readable_at_text": self.text,
            "readable_at_data": self.data,
            "text_bytes": self.text_bytes.round(),
            "most_text_bytes": self.most_text_bytes,
            "result_bytes": self.result_bytes.round(),
        })
    }

    /// A line for people.
    pub fn words(self) -> String {
        format!(
            "readable@text {:.4}, readable@data {:.4}; text {:.0} bytes (at most {:.0}), result {:.0}",
            self.text, self.data, self.text_bytes, self.most_text_bytes, self.result_bytes
        )
    }
}
