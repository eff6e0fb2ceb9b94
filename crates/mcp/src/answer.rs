//! What a tool answers: text for readers of text, data for readers of data, links to go on from.

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Resource};
use serde_json::Value;

use crate::refusal::Refusal;

/// The answer of one tool call, before it becomes a protocol message.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// The one text block.
    pub text: String,
    /// The data view; absent on refusals.
    pub structured: Option<Value>,
    /// Links that follow the text.
    pub links: Vec<Resource>,
    /// The refusal, when the call was refused.
    pub refusal: Option<Refusal>,
    /// How many records the answer shows something of, for whoever takes note of the call.
    pub records: usize,
}

impl ToolAnswer {
    /// An answer with both views.
    pub fn new(text: String, structured: Value) -> Self {
        Self { text, structured: Some(structured), links: Vec::new(), refusal: None, records: 0 }
    }

    /// The same answer, which shows so many records.
    pub(crate) fn of_records(self, records: usize) -> Self {
        Self { records, ..self }
    }

    /// The result as it goes over the wire.
    pub fn into_json(self) -> serde_json::Result<Value> {
        serde_json::to_value(CallToolResult::from(self))
    }

    /// Whether the call was refused.
    pub fn is_error(&self) -> bool {
        self.refusal.is_some()
    }
}

impl From<Refusal> for ToolAnswer {
    fn from(refusal: Refusal) -> Self {
        let text = refusal.to_json().to_string();
        Self { text, structured: None, links: Vec::new(), refusal: Some(refusal), records: 0 }
    }
}

impl From<ToolAnswer> for CallToolResult {
    fn from(answer: ToolAnswer) -> Self {
        let mut content = vec![ContentBlock::text(answer.text)];
        content.extend(answer.links.into_iter().map(ContentBlock::resource_link));
        match answer.refusal {
            None => {
                let mut result = Self::success(content);
                result.structured_content = answer.structured;
                result
            }
            Some(refusal) => {
                let mut result = Self::error(content);
                let mut meta = serde_json::Map::new();
                meta.insert("pdpp/error".to_owned(), refusal.to_json());
                result.meta = Some(MetaObject(meta));
                result
            }
        }
    }
}
