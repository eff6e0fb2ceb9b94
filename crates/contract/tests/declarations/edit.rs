//! The two sample documents, and small changes to them.

use pdpp_contract::declaration::{DeclarationFault, SourceDeclaration};
use serde::Deserialize;
use serde_json::Value;

pub const FULL: &str = include_str!("full.json");
pub const MINIMAL: &str = include_str!("minimal.json");

/// A change to the full sample and the fault it must cause.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Where the change is made.
    pub set: String,
    /// What is put there.
    pub value: Value,
    /// The code without its prefix; the structure's code when left out.
    #[serde(default)]
    pub code: String,
    /// Where the fault stands, if elsewhere.
    pub path: Option<String>,
    /// What the fault says.
    #[serde(default)]
    pub reference: String,
}

/// The cases of a table.
pub fn cases(table: &str) -> Vec<Case> {
    serde_json::from_str(table).unwrap()
}

/// The full sample as JSON.
pub fn full() -> Value {
    serde_json::from_str(FULL).unwrap()
}

/// The full sample, read.
pub fn full_declaration() -> SourceDeclaration {
    SourceDeclaration::parse(FULL).unwrap()
}

/// The full sample with `value` at `pointer`: replaced, added to an object, or appended with `-`.
pub fn with(pointer: &str, value: Value) -> Value {
    let mut document = full();
    set(&mut document, pointer, value);
    document
}

/// Puts `value` at `pointer`.
pub fn set(document: &mut Value, pointer: &str, value: Value) {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    let name = last.replace("~1", "/").replace("~0", "~");
    match document.pointer_mut(parent).unwrap() {
        Value::Object(members) => {
            members.insert(name, value);
        }
        Value::Array(items) if name == "-" => items.push(value),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        other => panic!("{parent} holds {other}"),
    }
}

/// The full sample without the member at `pointer`.
pub fn without(pointer: &str) -> Value {
    let mut document = full();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let members = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    members.shift_remove(name).unwrap();
    document
}

/// The faults of a document as `(code without its prefix, path, reference)`.
pub fn faults(text: &str) -> Vec<(String, String, String)> {
    let faults = SourceDeclaration::parse(text).err().unwrap_or_default();
    let parts = |fault: DeclarationFault| {
        let code = fault.code.as_str().strip_prefix("source.declaration.").unwrap();
        (code.to_owned(), fault.path, fault.reference)
    };
    faults.into_iter().map(parts).collect()
}

/// The faults of a document as `(code without its prefix, path)`.
pub fn places(document: &Value) -> Vec<(String, String)> {
    let faults = faults(&document.to_string());
    faults.into_iter().map(|(code, path, _)| (code, path)).collect()
}
