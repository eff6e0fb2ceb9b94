//! What tells values apart whose keys were cut.

use pdpp_contract::Json;

use super::{Part, Read, Spelled};
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::number::Decimal;
use crate::writes::hashing::TextDigest;

/// A longer group key is shown by its beginning.
pub(crate) const MAX_LABEL_CHARS: usize = 1_024;

/// What tells the value of a cut key from others, and how it is shown: the key and a digest of the
/// whole. A text has the same identity inside its record and outside.
pub(crate) fn identity(
    record_no: RecordNo,
    part: Part,
    key: &[u8],
    read: &Read<'_>,
) -> StoreResult<Option<(Vec<u8>, Json)>> {
    let (digest, label) = match read(record_no, part)? {
        Some(Spelled::Here(Json::String(text))) => {
            (TextDigest::of(&text), Json::String(shortened(&text)))
        }
        Some(Spelled::Outside(digest, beginning)) => (digest, Json::String(shortened(&beginning))),
        Some(Spelled::Here(Json::Number(text))) => match Decimal::parse(&text) {
            Some(number) => (TextDigest::of(&number.normal()), Json::Number(text)),
            None => return Ok(None),
        },
        Some(Spelled::Here(_)) | None => return Ok(None),
    };
    let mut identity = key.to_vec();
    identity.extend_from_slice(&digest.0);
    Ok(Some((identity, label)))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LABEL_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
