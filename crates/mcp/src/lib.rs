//! Speaks MCP over [`ReadApi`](pdpp_contract::ReadApi): read-only tools, resources, completions.
//!
//! Everything between the reads and the protocol lives here: what a tool accepts, what its answer
//! looks like in text and as data, and how a reader goes on from it. `serve` speaks both transports;
//! who may call is decided elsewhere.

mod answer;
mod arguments;
mod call_context;
mod explain;
mod ids;
mod instructions;
mod refusal;
pub mod remote;
mod render;
mod resources;
mod schema;
pub mod serve;
mod tools;

pub use answer::ToolAnswer;
pub use call_context::{CallContext, CallSource};
pub use ids::name_handles::NameHandles;
pub use instructions::INSTRUCTIONS;
pub use refusal::Refusal;
pub use resources::resource_templates;
pub use tools::{Tool, tools};
