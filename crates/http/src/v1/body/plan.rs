//! What a record body consists of: text that is ready, and places where a long field goes.

use std::sync::Arc;

use pdpp_contract::json::{JsonObject, write_string};
use pdpp_contract::query::{RecordDetail, RecordPage};
use pdpp_contract::record::{FieldPreview, Record, TextKind};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Length;

/// One range of a body.
#[derive(Debug)]
pub enum Part {
    /// Ready to be sent.
    Text(String),
    /// Read while it is sent.
    Long(LongField),
}

impl Part {
    /// About how many bytes it sends: escapes inside a long field are not known in advance.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Text(text) => u64::try_from(text.len()).unwrap_or(u64::MAX),
            Self::Long(field) => field.preview.size_bytes,
        }
    }
}

/// A field to be sent in full.
#[derive(Debug)]
pub struct LongField {
    /// Where it belongs; holds no data.
    pub record: Arc<Record>,
    /// How long it is, and which version of it.
    pub preview: FieldPreview,
}

/// A body in the making.
pub struct BodyPlan {
    length: Length,
    parts: Vec<Part>,
    text: String,
}

impl BodyPlan {
    /// The body of a list.
    pub fn page(mut page: RecordPage, length: Length) -> Result<Self, serde_json::Error> {
        let mut plan = Self::new(length);
        let records = std::mem::take(&mut page.data);
        plan.object(members(&page)?, |plan| {
            plan.text.push('[');
            for (index, record) in records.into_iter().enumerate() {
                if index > 0 {
                    plan.text.push(',');
                }
                plan.record(record, Map::new())?;
            }
            plan.text.push(']');
            Ok(())
        })?;
        Ok(plan)
    }

    /// The body of one record.
    pub fn detail(detail: RecordDetail, length: Length) -> Result<Self, serde_json::Error> {
        let mut plan = Self::new(length);
        let beside = Map::from_iter([
            ("links".to_owned(), serde_json::to_value(&detail.links)?),
            ("meta".to_owned(), serde_json::to_value(&detail.meta)?),
        ]);
        plan.record(detail.record, beside)?;
        Ok(plan)
    }

    /// The finished parts, in order.
    pub fn into_parts(mut self) -> Vec<Part> {
        self.parts.push(Part::Text(self.text));
        self.parts
    }

    fn new(length: Length) -> Self {
        Self { length, parts: Vec::new(), text: String::new() }
    }

    fn record(
        &mut self,
        mut record: Record,
        beside: Map<String, Value>,
    ) -> Result<(), serde_json::Error> {
        let long = match self.length {
            Length::Whole => std::mem::take(&mut record.previews),
            Length::Preview => Vec::new(),
        };
        // Empty data keeps the member's place. The rest holds no number that could lose its
        // spelling on the way through a generic value.
        let data = record.data.as_mut().map(std::mem::take);
        // Written by its own type, which keeps numbers as they are. Its long fields are beginnings.
        let expanded = std::mem::take(&mut record.expanded);
        let mut outline = members(&record)?;
        outline.extend(beside);
        let record = Arc::new(record);
        self.object(outline, |plan| {
            plan.data(&data.unwrap_or_default(), &long, &record);
            if !expanded.is_empty() {
                plan.text.push_str(",\"expanded\":");
                plan.text.push_str(&serde_json::to_string(&expanded)?);
            }
            Ok(())
        })
    }

    /// Writes an object whose member `data` is written by `data`.
    fn object(
        &mut self,
        members: Map<String, Value>,
        data: impl FnOnce(&mut Self) -> Result<(), serde_json::Error>,
    ) -> Result<(), serde_json::Error> {
        let mut data = Some(data);
        self.text.push('{');
        for (index, (name, value)) in members.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            write_string(&name, &mut self.text);
            self.text.push(':');
            match data.take_if(|_| name == "data") {
                Some(data) => data(self)?,
                None => self.text.push_str(&value.to_string()),
            }
        }
        self.text.push('}');
        Ok(())
    }

    fn data(&mut self, data: &JsonObject, long: &[FieldPreview], record: &Arc<Record>) {
        self.text.push('{');
        for (index, (name, value)) in data.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            write_string(name, &mut self.text);
            self.text.push(':');
            match long.iter().find(|preview| preview.field == *name) {
                Some(preview) => self.long(preview, record),
                None => value.write_canonical(&mut self.text),
            }
        }
        self.text.push('}');
    }

    fn long(&mut self, preview: &FieldPreview, record: &Arc<Record>) {
        let quote = match preview.kind {
            TextKind::String => "\"",
            TextKind::Json => "",
        };
        self.text.push_str(quote);
        self.parts.push(Part::Text(std::mem::take(&mut self.text)));
        let record = Arc::clone(record);
        self.parts.push(Part::Long(LongField { record, preview: preview.clone() }));
        self.text.push_str(quote);
    }
}

/// The members of an answer, in the order of its type.
fn members(answer: &impl Serialize) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::to_value(answer)? {
        Value::Object(members) => Ok(members),
        other => Err(serde::ser::Error::custom(format_args!("{other:?} is not an object"))),
    }
}
