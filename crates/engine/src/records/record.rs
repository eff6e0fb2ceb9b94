//! One record by its id.

use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::json::write_object;
use pdpp_contract::links;
use pdpp_contract::query::{RecordDetail, RecordRequest};
use pdpp_contract::record::Record;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode};

use crate::reader::GrantedReader;
use crate::records::etag;
use crate::records::expand::Parent;
use crate::records::list::narrowed;
use crate::records::render;
use crate::refusal::from_store;
use crate::view::{Narrow, ambiguous, resolve, scope_of};

impl GrantedReader {
    pub(crate) async fn one_record(
        &self,
        request: RecordRequest,
    ) -> Result<RecordDetail, ApiError> {
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let expansions = self.expansions(&granted_streams, &request.expand).await?;
        let fields = self.wanted_fields(&granted_streams, request.fields.as_deref())?;
        let preview_chars = render::preview_chars(request.preview_chars)?;
        let scope = scope_of(&granted_streams);
        let found = self.shared.store.find_records(&scope, &request.record_id, preview_chars).await;
        let mut found = found.map_err(from_store)?;
        let stored = match found.len() {
            0 => return Err(no_record()),
            1 => found.remove(0),
            _ => {
                let connections: Vec<ConnectionId> =
                    found.into_iter().map(|record| record.connection).collect();
                return Err(ambiguous(&granted_streams, &connections));
            }
        };
        let granted = granted_streams.get(stored.collection).ok_or_else(no_record)?;
        let mut meta = Meta::default();
        let number = stored.collection;
        let mut parent = [Parent { granted: number, record: render::record(stored, granted) }];
        if let Some(expansions) = &expansions {
            meta.warnings
                .extend(self.expand(expansions, &mut parent, request.preview_chars).await?);
        }
        let [parent] = parent;
        let mut record = narrowed(parent.record, fields.as_deref());
        let etag = etag::of(&record);
        record.connector_key = Some(granted.connection.connector_key.clone());
        record.record_json_bytes = Some(size_bytes(&record));
        let links = Links { this: links::record(&request).finish(), next: None };
        Ok(RecordDetail { record, etag, links, meta })
    }
}

/// The size of the visible data: its short fields as JSON, its long ones as text.
fn size_bytes(record: &Record) -> u64 {
    let mut short = record.data.clone().unwrap_or_default();
    short.retain(|name, _| record.previews.iter().all(|preview| preview.field != *name));
    let mut json = String::new();
    write_object(&short, &mut json);
    let long: u64 = record.previews.iter().map(|preview| preview.size_bytes).sum();
    u64::try_from(json.len()).unwrap_or(u64::MAX).saturating_add(long)
}

/// No such record in view, whether or not one exists.
pub(crate) fn no_record() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "no record with this id in view; check stream and id")
}
