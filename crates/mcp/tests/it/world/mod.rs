//! A provider made of values: it answers like a server and counts what it is asked.

mod provider;
mod reading;
mod sample;
mod windows;

use std::sync::Arc;

use pdpp_mcp::{CallContext, NameHandles, Tool, ToolAnswer};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value};

pub use provider::Provider;
pub use sample::{big, family, record, source};

/// The context of calls and the provider behind it.
pub struct World {
    pub context: CallContext,
    pub provider: Arc<Provider>,
}

impl World {
    pub fn new(provider: Provider) -> Self {
        let mut world = Self::without_links(provider);
        world.context.links = true;
        world.context.base_url = Some("https://data.example".to_owned());
        world
    }

    /// For a client that takes no links, over a store without an address.
    pub fn without_links(provider: Provider) -> Self {
        let provider = Arc::new(provider);
        let handles = Arc::new(NameHandles::new([7; 32]));
        let mut context = CallContext::new(Arc::clone(&provider) as _, handles);
        context.links = false;
        Self { context, provider }
    }

    /// Calls a tool with JSON arguments.
    pub fn call(&self, tool: &str, arguments: Value) -> ToolAnswer {
        let arguments: Map<String, Value> = serde_json::from_value(arguments).unwrap();
        block_on(Tool::named(tool).unwrap().call(&self.context, arguments))
    }

    /// The refusal of a call.
    pub fn refused(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert!(answer.is_error(), "not refused: {}", answer.text);
        assert_eq!(answer.structured, None, "a refusal has no data view");
        let object: Value = serde_json::from_str(&answer.text).unwrap();
        let result = serde_json::to_value(CallToolResult::from(answer)).unwrap();
        assert_eq!(result["isError"], true);
        assert_eq!(result["_meta"]["pdpp/error"], object, "both views carry the same object");
        object
    }
}

/// Runs a future that never waits for anything outside.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Bytes of a result as it goes over the wire.
pub fn wire_bytes(answer: &ToolAnswer) -> usize {
    serde_json::to_string(&CallToolResult::from(answer.clone())).unwrap().len()
}

/// The data view.
pub fn data(answer: &ToolAnswer) -> &Value {
    assert!(!answer.is_error(), "{}", answer.text);
    answer.structured.as_ref().unwrap()
}

/// The value after `name=` in a text, as a reader of text takes it: up to the next space, or a JSON string.
pub fn shown(text: &str, name: &str) -> Option<String> {
    let lead = format!("{name}=");
    let starts = |at: usize| at == 0 || text[..at].ends_with([' ', '\n']);
    let at = text.match_indices(&lead).map(|(at, _)| at).find(|at| starts(*at))?;
    let rest = &text[at + lead.len()..];
    if rest.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        return values.next()?.ok();
    }
    rest.split([' ', '\n']).next().map(str::to_owned)
}

/// Every id that a text shows in its rows.
pub fn shown_ids(text: &str) -> Vec<String> {
    let row = |line: &&str| {
        line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    text.lines().filter(row).filter_map(|line| shown(line, "id")).collect()
}
