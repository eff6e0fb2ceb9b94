//! Source declarations as the outside sees them: what is read, what is refused, and where.

// Marked so that the lints know its helpers for test code.
#[cfg(test)]
#[path = "declarations/edit.rs"]
mod edit;
#[path = "declarations/mutation.rs"]
mod mutation;
#[path = "declarations/reading.rs"]
mod reading;
#[path = "declarations/rules.rs"]
mod rules;
#[path = "declarations/structure.rs"]
mod structure;
#[cfg(test)]
#[path = "declarations/width.rs"]
mod width;
