//! The adapter: one caller's tools, resources and completions over its reads.

use std::sync::Arc;

use pdpp_contract::{Handles, ReadApi};
use serde_json::{Map, Value};

use crate::answer::ToolAnswer;
use crate::arguments::Arguments;

/// What is known about the client that calls.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whether results may carry `resource_link` blocks.
    pub links: bool,
    /// Where the reads are served over HTTP, for citation addresses; absent on a local store.
    pub base_url: Option<String>,
}

impl Default for Caller {
    fn default() -> Self {
        Self { links: true, base_url: None }
    }
}

/// A tool name that is none of ours: a protocol fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTool(pub String);

/// The tools and resources of one caller. Cheap to make: it holds no data.
pub struct Adapter {
    pub(crate) read: Arc<dyn ReadApi>,
    pub(crate) handles: Arc<dyn Handles>,
    pub(crate) caller: Caller,
}

impl Adapter {
    /// An adapter over one caller's reads.
    pub fn new(read: Arc<dyn ReadApi>, handles: Arc<dyn Handles>, caller: Caller) -> Self {
        Self { read, handles, caller }
    }

    /// Calls a tool. A refused call is an answer too; only an unknown name is an error.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, UnknownTool> {
        if crate::tools().iter().all(|tool| tool.name != name) {
            return Err(UnknownTool(name.to_owned()));
        }
        let arguments = match Arguments::new(name, arguments) {
            Ok(arguments) => arguments,
            Err(refusal) => return Ok(refusal.into()),
        };
        let answered = match name {
            "schema" => self.schema(arguments).await,
            "query_records" => self.query_records(arguments).await,
            "aggregate" => self.aggregate(arguments).await,
            "search" => self.search(arguments).await,
            "fetch" => self.fetch(arguments).await,
            "read_record_field" => self.read_record_field(arguments).await,
            _ => return Err(UnknownTool(name.to_owned())),
        };
        Ok(answered.unwrap_or_else(ToolAnswer::from))
    }
}
