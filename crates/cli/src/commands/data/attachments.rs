//! The files that a record refers to.

use pdpp_contract::blob::BlobId;
use pdpp_contract::{Json, JsonObject};
use serde_json::{Value, json};

use crate::output::without_nulls;

/// A file that a field of a record refers to.
pub struct Attachment {
    /// The field.
    pub field: String,
    /// The file.
    pub blob_id: BlobId,
    /// Its name, as the record says it.
    pub filename: Option<String>,
    /// Its media type, as the record says it.
    pub mime_type: Option<String>,
    /// Its size, as the record says it.
    pub size_bytes: Option<u64>,
}

impl Attachment {
    /// The file for scripts.
    pub fn document(&self) -> Value {
        without_nulls(json!({
            "field": self.field,
            "blob_id": self.blob_id,
            "filename": self.filename,
            "mime_type": self.mime_type,
            "size_bytes": self.size_bytes,
        }))
    }
}

/// Every file that the record's fields refer to, in the order of the fields.
pub fn attachments(data: &JsonObject) -> Vec<Attachment> {
    let mut found = Vec::new();
    for (field, value) in data {
        collect(field, value, &mut found);
    }
    found
}

fn collect(field: &str, value: &Json, found: &mut Vec<Attachment>) {
    match value {
        Json::Array(items) => {
            for item in items.iter().filter(|item| matches!(item, Json::Object(_))) {
                collect(field, item, found);
            }
        }
        Json::Object(members) => {
            let text = |name: &str| members.get(name).and_then(Json::as_str).map(str::to_owned);
            let number = |name: &str| match members.get(name) {
                Some(Json::Number(number)) => number.parse().ok(),
                _ => None,
            };
            found.extend(BlobId::named_by(value).into_iter().map(|blob_id| Attachment {
                field: field.to_owned(),
                blob_id,
                filename: text("filename").or_else(|| text("name")),
                mime_type: text("mime_type"),
                size_bytes: number("size_bytes"),
            }));
        }
        _ => {}
    }
}
