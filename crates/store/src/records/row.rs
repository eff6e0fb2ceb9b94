//! A record's row with its data parsed, and whether a scope shows it; the same for every backend.

use pdpp_contract::{Instant, Json, JsonObject, RecordId};

use crate::error::{StoreError, StoreResult};
use crate::numbers::RecordNo;
use crate::records::scope::CollectionScope;

/// A live record's row.
pub(crate) struct RecordRow {
    pub record_no: RecordNo,
    pub flags: i64,
    pub emitted_at: String,
    pub id: RecordId,
    pub data: JsonObject,
}

impl RecordRow {
    /// Reads the columns of a row.
    pub(crate) fn parse(
        record_no: RecordNo,
        flags: i64,
        emitted_at: String,
        key_order: &[u8],
        json: &str,
    ) -> StoreResult<Self> {
        let corrupt = |table, column| StoreError::Corrupt { table, column, row: record_no.0 };
        let id = RecordId::from_sort_bytes(key_order)
            .ok_or_else(|| corrupt("record_keys", "key_order"))?;
        let Ok(Json::Object(data)) = Json::parse(json) else {
            return Err(corrupt("records", "json"));
        };
        Ok(Self { record_no, flags, emitted_at, id, data })
    }

    /// Whether a scope shows this record of its collection.
    pub(crate) fn is_shown_by(&self, scope: &CollectionScope) -> bool {
        if self.flags & scope.hidden_marks() != 0 {
            return false;
        }
        if scope.records.as_ref().is_some_and(|only| !only.contains(&self.id)) {
            return false;
        }
        scope.time.as_ref().is_none_or(|time| {
            let value = self.data.get(time.field.as_str()).and_then(Json::as_str);
            time.contains(value.and_then(Instant::parse))
        })
    }
}
