//! Blobs: files that records refer to, named by their content.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hex::{digest_from_hex, hex};
use crate::ids::ConnectionId;
use crate::json::Json;

/// What every id begins with.
const PREFIX: &str = "blob_sha256_";
/// The member of a record's value that names a blob.
pub const BLOB_ID_MEMBER: &str = "blob_id";

/// The SHA-256 of a blob's bytes; on the wire `blob_sha256_` and 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub [u8; 32]);

impl BlobId {
    /// Reads an id. Only small digits are taken, so that equal blobs have equal ids.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_hex(text.strip_prefix(PREFIX)?)
    }

    /// Reads a digest in hexadecimal.
    pub fn from_hex(digits: &str) -> Option<Self> {
        digest_from_hex(digits).map(Self)
    }

    /// The digest in hexadecimal.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// The blobs that a record's value refers to: an object with a `blob_id`, or a list of them.
    pub fn named_by(value: &Json) -> Vec<Self> {
        match value {
            Json::Object(members) => {
                let id = members.get(BLOB_ID_MEMBER).and_then(Json::as_str);
                id.and_then(Self::parse).into_iter().collect()
            }
            Json::Array(items) => items
                .iter()
                .filter(|item| matches!(item, Json::Object(_)))
                .flat_map(Self::named_by)
                .collect(),
            _ => Vec::new(),
        }
    }
}

impl std::fmt::Display for BlobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{PREFIX}{}", self.hex())
    }
}

impl Serialize for BlobId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlobId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a blob id"))
    }
}

impl JsonSchema for BlobId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "BlobId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^blob_sha256_[0-9a-f]{64}$" })
    }
}

/// A range of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobRequest {
    /// The blob.
    pub blob_id: BlobId,
    /// Through the records of one connection; of all in view when absent.
    pub connection_id: Option<ConnectionId>,
    /// The first byte.
    pub offset_bytes: u64,
    /// Most bytes; at most [`crate::limits::BLOB_PIECE_BYTES`].
    pub max_bytes: usize,
}

/// A range of a blob and what a visible record says about the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobPiece {
    /// The blob.
    pub blob_id: BlobId,
    /// Where the record that shows it comes from.
    pub connection_id: ConnectionId,
    /// Bytes of the whole.
    pub size_bytes: u64,
    /// Its media type, as the record says it.
    pub mime_type: Option<String>,
    /// Its name, as the record says it.
    pub filename: Option<String>,
    /// The bytes; none at or after the end.
    pub bytes: Vec<u8>,
}

/// The answer to an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobReceipt {
    /// Always `blob`.
    pub object: BlobTag,
    /// The id that records refer to it by.
    pub blob_id: BlobId,
    /// The digest in hexadecimal.
    pub sha256: String,
    /// Bytes.
    pub size_bytes: u64,
    /// The media type that was sent along.
    pub mime_type: String,
}

/// The constant `blob`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlobTag {
    /// `blob`
    Blob,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_and_nothing_else_reads() {
        let id = BlobId([0xab; 32]);
        assert_eq!(BlobId::parse(&id.to_string()), Some(id));
        let upper = format!("blob_sha256_{}", "AB".repeat(32));
        for other in ["", "blob_sha256_", "blob_sha256_ab", &id.hex(), &upper] {
            assert_eq!(BlobId::parse(other), None, "{other}");
        }
    }

    #[test]
    fn references_stand_alone_or_in_a_list() {
        let id = BlobId([1; 32]);
        let named = |text: &str| BlobId::named_by(&Json::parse(text).unwrap());
        let reference = format!("{{\"blob_id\":\"{id}\"}}");
        assert_eq!(named(&reference), [id]);
        assert_eq!(named(&format!("[{reference},{reference},3]")), [id, id]);
        for none in [format!("\"{id}\""), format!("{{\"a\":{reference}}}"), "{}".to_owned()] {
            assert_eq!(named(&none), [], "{none}");
        }
    }
}
