//! Ways to find the items of a file. Each holds one item at a time and rejects what it cannot read.

pub mod catch_panic;
pub mod components;
pub mod file_name;
pub mod json_document;
pub mod json_lines;
pub mod json_list;
pub mod lines;
pub mod readable;
