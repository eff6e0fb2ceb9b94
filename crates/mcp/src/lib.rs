//! Speaks MCP over the `ReadApi` trait.

pub mod remote;
