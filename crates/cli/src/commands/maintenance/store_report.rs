//! What a check of a store found, as three commands tell it.

use pdpp_store::maintenance::VerifyReport;
use serde_json::{Value, json};

use crate::output::table::counted;

/// What was counted, as a document with what a command adds of its own.
pub fn document<const N: usize>(report: &VerifyReport, own: [(&str, Value); N]) -> Value {
    let counted = json!({
        "connections": report.connections,
        "records": report.records,
        "versions": report.versions,
        "texts": report.texts,
        "blobs": report.blobs,
        "faults": report.faults,
    });
    let counted = counted.as_object().into_iter().flatten();
    let counted = counted.map(|(name, value)| (name.clone(), value.clone()));
    counted.chain(own.map(|(name, value)| (name.to_owned(), value))).collect()
}

/// What a store holds, in words.
pub fn contents(report: &VerifyReport) -> String {
    let counts = [
        counted(report.connections, "account", "accounts"),
        counted(report.records, "record", "records"),
        counted(report.texts, "long text", "long texts"),
        counted(report.blobs, "file", "files"),
    ];
    counts.join(", ")
}
