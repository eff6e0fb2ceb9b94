//! Checks a record of an import or ingest call against its stream, and prepares it for the store.

use std::collections::HashMap;

use pdpp_contract::import::{ImportRecord, Rejected};
use pdpp_contract::key::key_part;
use pdpp_contract::limits::{MAX_FIELD_BYTES, MAX_NAME_BYTES};
use pdpp_contract::{
    ApiError, ErrorCode, FieldName, JsonObject, RecordKey, SourceDeclaration, StreamName,
};
use pdpp_store::hashing::HashKey;
use pdpp_store::prepare::{PreparedRecord, RecordWrite, prepare};

use super::schema::CheckedStream;
use crate::classification::classify;

/// Streams named in a rejection.
const NAMED_STREAMS: usize = 10;

/// Checks records against one source's declaration.
pub(crate) struct RecordChecker {
    streams: HashMap<StreamName, CheckedStream>,
    hash_key: HashKey,
}

impl RecordChecker {
    pub(crate) fn new(
        declaration: &SourceDeclaration,
        hash_key: HashKey,
    ) -> Result<Self, ApiError> {
        let mut streams = HashMap::new();
        for stream in &declaration.streams {
            streams.insert(stream.name.clone(), CheckedStream::new(declaration, stream)?);
        }
        Ok(Self { streams, hash_key })
    }

    /// Checks one record against its stream, and prepares it for the store.
    pub(crate) fn check(&self, mut record: ImportRecord) -> Result<PreparedRecord, Rejected> {
        let checked = match self.fits(&mut record) {
            Ok(checked) => checked,
            Err(rejected) => return Err(record.reject(rejected)),
        };
        let ImportRecord { key, id, emitted_at, data, .. } = record;
        let carries = data.as_ref().map(classify).unwrap_or_default();
        let key_order = key.sort_bytes();
        let write = RecordWrite { id, key_order, emitted_at, data, carries };
        Ok(prepare(&checked.shape, &self.hash_key, write))
    }

    fn fits(&self, record: &mut ImportRecord) -> Result<&CheckedStream, Rejected> {
        let Some(checked) = self.streams.get(&record.stream) else {
            return Err(self.unknown_stream());
        };
        if let Some(data) = &mut record.data {
            check_data(checked, &record.key, data)?;
        }
        Ok(checked)
    }

    /// Names what is declared: the slip is usually a letter away.
    fn unknown_stream(&self) -> Rejected {
        let mut names: Vec<&str> = self.streams.keys().map(StreamName::as_str).collect();
        names.sort_unstable();
        let more = names.len().saturating_sub(NAMED_STREAMS);
        names.truncate(NAMED_STREAMS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names.join(", ");
        let message = format!("the declaration has no stream of this name; it has {names}{more}");
        Rejected::because(ErrorCode::InvalidRecord, message)
    }
}

fn check_data(
    checked: &CheckedStream,
    key: &RecordKey,
    data: &mut JsonObject,
) -> Result<(), Rejected> {
    if let Some(name) = data.keys().find(|name| FieldName::new(name.as_str()).is_err()) {
        let long = name.len() > MAX_NAME_BYTES;
        let code = if long { ErrorCode::KeyTooLong } else { ErrorCode::InvalidText };
        return Err(Rejected::because(
            code,
            "a field name is empty, too long or has control characters",
        ));
    }
    if data.values().any(|value| value.as_str().is_some_and(|text| text.len() > MAX_FIELD_BYTES)) {
        return Err(Rejected::because(ErrorCode::FieldTooLarge, "a field is larger than 512 MiB"));
    }
    check_identity(&checked.primary_key, key, data)?;
    match checked.fault(data) {
        None => Ok(()),
        Some(fault) => Err(Rejected::because(ErrorCode::InvalidRecord, fault)),
    }
}

/// The key must say what the key fields say, part by part.
fn check_identity(
    primary_key: &[FieldName],
    key: &RecordKey,
    data: &JsonObject,
) -> Result<(), Rejected> {
    let reject =
        |message: String| Err(Rejected::because(ErrorCode::InvalidRecordIdentity, message));
    if key.parts().len() != primary_key.len() {
        let (wanted, given) = (primary_key.len(), key.parts().len());
        return reject(format!("key has {given} parts, the stream's key has {wanted}"));
    }
    for (field, part) in primary_key.iter().zip(key.parts()) {
        let value = data.get(field.as_str()).and_then(key_part);
        if value.as_deref() != Some(part.as_str()) {
            return reject(format!("key disagrees with the field {field}"));
        }
    }
    Ok(())
}
