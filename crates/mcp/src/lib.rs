//! Speaks MCP over [`ReadApi`](pdpp_contract::ReadApi): six read-only tools, resources, completions.
//!
//! Everything between the reads and the protocol lives here: what a tool accepts, what its answer
//! looks like in text and as data, and how a reader goes on from it. Transports are elsewhere.

mod adapter;
mod answer;
mod arguments;
mod asked_fields;
mod blob_chunk;
mod citation;
mod completions;
mod document;
mod examples;
mod explain;
mod field_words;
mod filters;
mod hits;
mod ids;
mod instructions;
mod ladder;
mod left_out;
mod measure;
mod name_handles;
mod numbers;
mod one_line;
mod paging;
mod preview;
mod record_page;
mod refusal;
mod related;
pub mod remote;
mod resources;
mod rows;
mod schema_index;
pub mod serve;
mod source;
mod stream_block;
mod stream_schema;
mod text;
mod titles;
mod tools;
mod unnamed;
mod window_view;

pub use adapter::{Adapter, Caller, UnknownTool};
pub use answer::ToolAnswer;
pub use instructions::INSTRUCTIONS;
pub use name_handles::NameHandles;
pub use refusal::Refusal;
pub use resources::resource_templates;
pub use tools::tools;
