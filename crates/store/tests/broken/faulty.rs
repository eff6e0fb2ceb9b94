//! The traits in which a broken store goes wrong.

use std::sync::mpsc::{Receiver, SyncSender};

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use pdpp_contract::import::RejectedItem;
use pdpp_contract::{ConnectionId, RecordId, StreamName};
use pdpp_store::aggregate::{Aggregate, AggregateQuery, Aggregator};
use pdpp_store::blobs::{Arrivals, BlobRead, BlobStore, BlobUpload};
use pdpp_store::changes::{ChangeLog, Changes, ChangesQuery};
use pdpp_store::field_path::FieldPath;
use pdpp_store::hashing::HashKey;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::records::{
    CollectionQuery, CollectionStats, ListPage, ListQuery, RecordReader, StoredRecord,
};
use pdpp_store::related::{RelatedPage, RelatedQuery};
use pdpp_store::search::{NeighbourQuery, Neighbourhood, SearchMatches, SearchQuery, Searcher};
use pdpp_store::text::{TextAnswer, TextRead, TextReader};
use pdpp_store::transfer::{ContentsDigest, Load, Movable, Told};
use pdpp_store::writes::{BatchOutcome, HeldItem, RecordWriter, WriteMode};
use pdpp_store::{ChangeNo, ReadScope, RecordNo, StoreResult};

use super::faults::Fault;

use super::store::Broken;

#[async_trait]
impl BlobStore for Broken {
    async fn new_blob(&self) -> StoreResult<Box<dyn BlobUpload>> {
        self.inner.new_blob().await
    }

    async fn read_blob(
        &self,
        scope: &ReadScope,
        id: BlobId,
        offset_bytes: u64,
        max_bytes: usize,
    ) -> StoreResult<Option<BlobRead>> {
        let offset_bytes = self.fault.blob_offset(offset_bytes);
        self.inner.read_blob(&self.fault.scope(scope), id, offset_bytes, max_bytes).await
    }

    async fn begin_arrivals(&self) -> StoreResult<Arrivals> {
        self.inner.begin_arrivals().await
    }

    async fn collect_blobs(&self, before: Timestamp) -> StoreResult<u64> {
        self.inner.collect_blobs(before).await
    }
}

#[async_trait]
impl Searcher for Broken {
    async fn search(&self, scope: &ReadScope, query: SearchQuery) -> StoreResult<SearchMatches> {
        let found = self.inner.search(&self.fault.scope(scope), query).await?;
        Ok(self.fault.matches(found))
    }

    async fn neighbours(
        &self,
        scope: &ReadScope,
        query: NeighbourQuery,
    ) -> StoreResult<Neighbourhood> {
        self.inner.neighbours(&self.fault.scope(scope), query).await
    }

    async fn records_by_number(
        &self,
        scope: &ReadScope,
        numbers: Vec<RecordNo>,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>> {
        self.inner.records_by_number(&self.fault.scope(scope), numbers, preview_chars).await
    }

    async fn rebuild_index(&self) -> StoreResult<u64> {
        self.inner.rebuild_index().await
    }
}

#[async_trait]
impl ChangeLog for Broken {
    async fn changes(&self, scope: &ReadScope, query: ChangesQuery) -> StoreResult<Changes> {
        self.inner.changes(&self.fault.scope(scope), query).await
    }

    async fn newest_change(&self) -> StoreResult<ChangeNo> {
        self.inner.newest_change().await
    }
}

#[async_trait]
impl Aggregator for Broken {
    async fn aggregate(&self, scope: &ReadScope, query: AggregateQuery) -> StoreResult<Aggregate> {
        self.inner.aggregate(&self.fault.scope(scope), query).await
    }
}

#[async_trait]
impl Movable for Broken {
    async fn give(&self, out: SyncSender<Load>) -> StoreResult<()> {
        self.inner.give(out).await
    }

    async fn contents(&self) -> StoreResult<ContentsDigest> {
        self.inner.contents().await
    }

    async fn take(&self, loads: Receiver<Load>, told: Told) -> StoreResult<ContentsDigest> {
        if self.fault == Fault::ForgetsMoves {
            return self.inner.contents().await;
        }
        self.inner.take(loads, told).await
    }

    async fn finish_move(&self) -> StoreResult<()> {
        self.inner.finish_move().await
    }
}

#[async_trait]
impl RecordReader for Broken {
    async fn list_records(
        &self,
        scope: &ReadScope,
        query: ListQuery,
    ) -> StoreResult<Option<ListPage>> {
        let page = self.inner.list_records(&self.fault.scope(scope), query.clone()).await?;
        Ok(page.map(|page| self.fault.page(scope, &query, page)))
    }

    async fn find_records(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>> {
        let found = self.inner.find_records(&self.fault.scope(scope), id, preview_chars).await?;
        Ok(self.fault.records(scope, found))
    }

    async fn related_records(
        &self,
        scope: &ReadScope,
        query: RelatedQuery,
    ) -> StoreResult<Vec<RelatedPage>> {
        let pages = self.inner.related_records(&self.fault.scope(scope), query).await?;
        Ok(self.fault.related(pages))
    }

    async fn count_records(
        &self,
        scope: &ReadScope,
        collections: Vec<CollectionQuery>,
        at_most: u64,
    ) -> StoreResult<u64> {
        let collections = self.fault.conditions(collections);
        self.inner.count_records(&self.fault.counted(scope), collections, at_most).await
    }

    async fn collection_stats(&self, scope: &ReadScope) -> StoreResult<Vec<CollectionStats>> {
        self.inner.collection_stats(&self.fault.counted(scope)).await
    }
}

#[async_trait]
impl TextReader for Broken {
    async fn read_text(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        path: &FieldPath,
        read: TextRead,
    ) -> StoreResult<TextAnswer> {
        let asked = self.fault.read(read.clone());
        let answer = self.inner.read_text(&self.fault.scope(scope), id, path, asked).await?;
        Ok(self.fault.answer(&read, answer))
    }
}

#[async_trait]
impl RecordWriter for Broken {
    fn hash_key(&self) -> HashKey {
        self.inner.hash_key()
    }

    async fn write_records(
        &self,
        connection: &ConnectionId,
        batch: Vec<PreparedRecord>,
        mode: WriteMode,
    ) -> StoreResult<Option<BatchOutcome>> {
        let (batch, mode) = self.fault.batch(batch, mode);
        self.inner.write_records(connection, batch, mode).await
    }

    async fn erase_record(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
        now: Timestamp,
    ) -> StoreResult<bool> {
        if self.fault == Fault::ForgetsErasure {
            return Ok(true);
        }
        self.inner.erase_record(connection, stream, id, now).await
    }

    async fn erase_stream(
        &self,
        connection: &ConnectionId,
        stream: &StreamName,
        now: Timestamp,
    ) -> StoreResult<u64> {
        self.inner.erase_stream(connection, stream, now).await
    }

    async fn quarantine(
        &self,
        connection: &ConnectionId,
        items: Vec<RejectedItem>,
        now: Timestamp,
    ) -> StoreResult<()> {
        self.inner.quarantine(connection, items, now).await
    }

    async fn quarantined(&self, connection: &ConnectionId) -> StoreResult<u64> {
        self.inner.quarantined(connection).await
    }

    async fn list_quarantine(
        &self,
        connection: &ConnectionId,
        after: u64,
        limit: u32,
    ) -> StoreResult<Vec<HeldItem>> {
        self.inner.list_quarantine(connection, after, limit).await
    }

    async fn release_quarantine(
        &self,
        connection: &ConnectionId,
        numbers: Vec<u64>,
    ) -> StoreResult<u64> {
        self.inner.release_quarantine(connection, numbers).await
    }
}
