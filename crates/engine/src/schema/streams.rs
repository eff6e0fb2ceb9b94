//! The streams in view, one row per connection.

use pdpp_contract::ApiError;
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::links;
use pdpp_contract::query::{
    Freshness, FreshnessStatus, ListTag, StreamList, StreamRow, StreamTag, StreamsRequest,
};

use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};

impl GrantedReader {
    pub(crate) async fn stream_list(
        &self,
        request: StreamsRequest,
    ) -> Result<StreamList, ApiError> {
        let narrow = Narrow { stream: None, connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let stats = self.shared.store.collection_stats(&scope_of(&granted_streams)).await;
        let mut data = Vec::with_capacity(granted_streams.len());
        for stat in stats.map_err(from_store)? {
            let Some(granted) = granted_streams.get(stat.collection) else {
                continue;
            };
            let newest = self.newest_time(granted).await?;
            data.push(StreamRow {
                object: StreamTag::Stream,
                name: granted.scope.stream.clone(),
                record_count: stat.record_count,
                last_updated: newest.clone(),
                freshness: Freshness { captured_at: newest, status: FreshnessStatus::Unknown },
                connection_id: granted.connection.id.clone(),
                display_name: Some(granted.display_name()),
            });
        }
        let this = links::streams(&request).finish();
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
    pub(crate) async fn newest_time(
        &self,
        granted: &GrantedStream,
    ) -> Result<Option<String>, ApiError> {
        self.edge_time(granted, true).await
    }
}
