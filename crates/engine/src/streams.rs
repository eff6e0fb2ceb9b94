//! The streams in view, one row per connection.

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::query::{
    Freshness, FreshnessStatus, ListTag, StreamList, StreamRow, StreamTag, StreamsRequest,
};
use pdpp_contract::{ApiError, ConnectionId, Json};
use pdpp_store::ReadScope;
use pdpp_store::records::{CollectionQuery, ListQuery};

use crate::links::Address;
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{Narrow, Shelf, resolve, scope_of};

impl GrantedReader {
    pub(crate) async fn stream_list(
        &self,
        request: StreamsRequest,
    ) -> Result<StreamList, ApiError> {
        let narrow = Narrow { stream: None, connection: request.connection_id.as_ref() };
        let shelves = resolve(&self.shared, &self.authority, narrow).await?;
        let stats = self.shared.store.collection_stats(&scope_of(&shelves)).await;
        let mut data = Vec::with_capacity(shelves.len());
        for stat in stats.map_err(from_store)? {
            let Some(shelf) = shelves.get(stat.collection) else {
                continue;
            };
            let newest = self.newest_time(shelf).await?;
            data.push(StreamRow {
                object: StreamTag::Stream,
                name: shelf.scope.stream.clone(),
                record_count: stat.record_count,
                last_updated: newest.clone(),
                freshness: Freshness { captured_at: newest, status: FreshnessStatus::Unknown },
                connection_id: shelf.connection.id.clone(),
                display_name: shelf.display_name(),
            });
        }
        let this = Address::new("/v1/streams".to_owned())
            .with_option("connection_id", request.connection_id.as_ref().map(ConnectionId::as_str))
            .finish();
        Ok(StreamList {
            object: ListTag::List,
            data,
            has_more: false,
            links: Links { this, next: Some(None) },
            meta: Meta::default(),
        })
    }

    /// The time of the newest visible record, from the stream's own time field when it is granted.
    ///
    /// Not the time of the last import: that would tell about changes the caller cannot see.
    pub(crate) async fn newest_time(&self, shelf: &Shelf) -> Result<Option<String>, ApiError> {
        let Some(field) = shelf.cursor_field().cloned() else {
            return Ok(None);
        };
        let kind = shelf.stream.field_kind(field.as_str());
        if !kind.is_some_and(FieldKind::is_time) {
            return Ok(None);
        }
        let query = ListQuery {
            collections: vec![CollectionQuery {
                order_field: Some(field.clone()),
                conditions: Vec::new(),
            }],
            descending: true,
            after: None,
            limit: 1,
            max_bytes: usize::MAX,
            preview_chars: 0,
            fields: Some(vec![field.clone()]),
        };
        let scope = ReadScope::new(vec![shelf.scope.clone()]);
        let page = self.shared.store.list_records(&scope, query).await.map_err(from_store)?;
        let newest = page.and_then(|page| page.records.into_iter().next());
        let value = newest.and_then(|record| record.data.get(field.as_str()).cloned());
        Ok(value.as_ref().and_then(Json::as_str).map(str::to_owned))
    }
}
