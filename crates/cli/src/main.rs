//! The `pdpp` program.
fn main() {}
