//! The texts behind a candidate: the ranges of visible fields that its index row covers.

use pdpp_contract::{ApiError, FieldName, Json, json_pointer};
use pdpp_store::field_path::FieldPath;
use pdpp_store::records::StoredRecord;
use pdpp_store::search::MatchedRow;
use pdpp_store::search::rows::ROW_CHARS;
use pdpp_store::text::{TextAnswer, TextRead};
use pdpp_store::{ReadScope, RecordNo};

use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::GrantedStream;

/// Reads texts inside a scope.
pub(crate) struct Texts<'a> {
    pub reader: &'a GrantedReader,
    pub granted_streams: &'a [GrantedStream],
    pub scope: &'a ReadScope,
}

impl Texts<'_> {
    /// The records with these numbers that the scope shows.
    pub(crate) async fn records(
        &self,
        numbers: Vec<RecordNo>,
    ) -> Result<Vec<StoredRecord>, ApiError> {
        let found = self.reader.shared.store.records_by_number(self.scope, numbers, 0).await;
        found.map_err(from_store)
    }

    /// The range of a field that an index row covers.
    pub(crate) async fn span(
        &self,
        record: &StoredRecord,
        field: &FieldName,
        start_chars: u64,
    ) -> Result<Option<String>, ApiError> {
        if let Some(Json::String(text)) = record.data.get(field.as_str()) {
            return Ok(Some(text.clone()));
        }
        let pointer = format!("/{}", json_pointer::escaped(field.as_str()));
        let (Ok(path), Some(granted)) =
            (FieldPath::parse(&pointer), self.granted_streams.get(record.collection))
        else {
            return Ok(None);
        };
        let scope = ReadScope::new(vec![granted.scope.clone()]);
        let limit = u32::try_from(ROW_CHARS).unwrap_or(u32::MAX);
        let read = TextRead::Range { start: start_chars, limit };
        let answer = self.reader.shared.store.read_text(&scope, &record.id, &path, read).await;
        Ok(match answer.map_err(from_store)? {
            TextAnswer::Text(found) => Some(found.text),
            _ => None,
        })
    }
}

/// The ranges of a row that answer something: field, first character, and how many answers. The
/// one with most answers first; equal ones in the order of their names.
pub(crate) fn answering(row: &MatchedRow) -> Vec<(&FieldName, u64, u32)> {
    let mut fields: Vec<(&FieldName, u64, u32)> = Vec::new();
    for hit in &row.hits {
        match fields
            .iter_mut()
            .find(|(field, start, _)| *field == &hit.field && *start == hit.start_chars)
        {
            Some((_, _, terms)) => *terms += 1,
            None => fields.push((&hit.field, hit.start_chars, 1)),
        }
    }
    fields.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(b.0)).then_with(|| a.1.cmp(&b.1)));
    fields
}
