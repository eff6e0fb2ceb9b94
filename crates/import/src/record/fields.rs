//! The data of a record, put together field by field; what is absent is left out.

use pdpp_contract::{Json, JsonObject};

use crate::blobs::KeptBlob;
use crate::texts::reader::FileText;

/// The fields of one record.
#[derive(Debug, Clone, Default)]
pub struct RecordFields(JsonObject);

impl RecordFields {
    /// Fields that are there already.
    pub fn of(members: JsonObject) -> Self {
        Self(members)
    }

    /// A text.
    #[must_use]
    pub fn text(self, name: &str, value: impl Into<String>) -> Self {
        self.json(name, Json::String(value.into()))
    }

    /// A text, when there is one.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// A whole number.
    #[must_use]
    pub fn number(self, name: &str, value: impl Into<i128>) -> Self {
        self.json(name, Json::Number(value.into().to_string()))
    }

    /// A size or count.
    #[must_use]
    pub fn count(self, name: &str, value: usize) -> Self {
        self.json(name, Json::Number(value.to_string()))
    }

    /// Yes or no.
    #[must_use]
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.json(name, Json::Bool(value))
    }

    /// A list of texts.
    #[must_use]
    pub fn texts(self, name: &str, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let values = values.into_iter().map(|value| Json::String(value.into())).collect();
        self.json(name, Json::Array(values))
    }

    /// A reference to a file.
    #[must_use]
    pub fn blob(self, name: &str, kept: &KeptBlob, mime_type: &str, filename: &str) -> Self {
        let reference = Self::default()
            .text("blob_id", kept.id.to_string())
            .text("mime_type", mime_type)
            .text("filename", filename)
            .number("size_bytes", kept.size_bytes)
            .text("sha256", kept.id.hex());
        self.json(name, Json::Object(reference.0))
    }

    /// The text of a file and what came of reading it, where the file's kind has text.
    #[must_use]
    pub fn file_text(self, name: &str, text: Option<&FileText>) -> Self {
        let Some(found) = text else { return self };
        let text = Some(found.text.as_str()).filter(|text| !text.is_empty());
        self.maybe(name, text).text("text_status", found.status.word())
    }

    /// Any value.
    #[must_use]
    pub fn json(mut self, name: &str, value: Json) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    pub(crate) fn into_members(self) -> JsonObject {
        self.0
    }
}
