//! A store that passes everything on, except where its fault is.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::blob::BlobId;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ClientName, ConnectionId, PackageId, RecordId, StreamName};
use pdpp_store::aggregate::{Aggregate, AggregateQuery, Aggregator};
use pdpp_store::audit::{
    ActiveHour, AuditChain, AuditEvent, AuditQuery, AuditStore, AuditWord, StoredEvent,
};
use pdpp_store::blobs::{Arrivals, BlobRead, BlobStore, BlobUpload};
use pdpp_store::changes::{ChangeLog, Changes, ChangesQuery};
use pdpp_store::connections::{
    Connection, ConnectionRef, ConnectionStore, DeclarationDigest, Erased, NewConnection,
};
use pdpp_store::field_path::FieldPath;
use pdpp_store::grants::{GrantSelector, GrantStore, NewPackage, Revoked, StoredPackage};
use pdpp_store::hashing::HashKey;
use pdpp_store::maintenance::{Maintenance, VerifyReport};
use pdpp_store::moving::{Load, Movable, Told};
use pdpp_store::oauth::{
    Approval, FetchedDocument, Issue, NewClient, NewRequest, OauthClientStore, OauthDocumentStore,
    OauthFamilyStore, OauthRequestStore, RequestKey, Rotation, StoredClient, StoredFamily,
    StoredRefresh, StoredRequest,
};
use pdpp_store::owner::{LoginFailures, NewPassword, OwnerStore};
use pdpp_store::paces::{PaceStore, Taken};
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::records::{
    CollectionQuery, CollectionStats, ListPage, ListQuery, RecordReader, StoredRecord,
};
use pdpp_store::related::{RelatedPage, RelatedQuery};
use pdpp_store::search::{SearchMatches, SearchQuery, Searcher};
use pdpp_store::sessions::{NewSession, SessionStore, StoredSession};
use pdpp_store::text::{TextAnswer, TextRead, TextReader};
use pdpp_store::tokens::{NewToken, StoredAccess, StoredToken, TokenHash, TokenStore};
use pdpp_store::writes::{BatchOutcome, HeldItem, QuarantinedItem, RecordWriter, WriteMode};
use pdpp_store::{ReadScope, Store, StoreResult};

use super::faults::Fault;

/// A store with one fault.
pub struct Broken {
    pub inner: Arc<dyn Store>,
    pub fault: Fault,
}

impl Store for Broken {}

/// Passes a trait's methods on to the store inside.
macro_rules! pass_on {
    ($trait:ident {
        $(async fn $name:ident(&self $(, $arg:ident: $type:ty)* $(,)?) -> $out:ty;)*
        $(; $(fn $plain:ident(&self) -> $plain_out:ty;)*)?
    }) => {
        #[async_trait]
        impl $trait for Broken {
            $(async fn $name(&self $(, $arg: $type)*) -> StoreResult<$out> {
                self.inner.$name($($arg),*).await
            })*
            $($(fn $plain(&self) -> $plain_out {
                self.inner.$plain()
            })*)?
        }
    };
}

pass_on!(ConnectionStore {
    async fn ensure_connection(&self, new: NewConnection) -> Connection;
    async fn find_connection(&self, which: &ConnectionRef) -> Option<Connection>;
    async fn connections(&self, ids: &[ConnectionId]) -> Vec<Connection>;
    async fn list_connections(&self) -> Vec<Connection>;
    async fn declaration(&self, digest: DeclarationDigest) -> Option<String>;
    async fn rename_connection(&self, id: &ConnectionId, label: Option<DisplayName>) -> bool;
    async fn remove_connection(&self, id: &ConnectionId, now: Timestamp) -> Option<Erased>;
});

pass_on!(GrantStore {
    async fn issue_package(&self, package: NewPackage, event: AuditEvent) -> ();
    async fn list_packages(&self) -> Vec<StoredPackage>;
    async fn find_packages(&self, what: &GrantSelector) -> Vec<StoredPackage>;
    async fn revoke_grants(&self, what: &GrantSelector, event: AuditEvent) -> Option<Revoked>;
});

pass_on!(TokenStore {
    async fn find_access(&self, hash: &TokenHash) -> Option<StoredAccess>;
    async fn touch_token(&self, hash: &TokenHash, now: Timestamp) -> ();
    async fn add_owner_token(&self, token: NewToken, event: AuditEvent) -> ();
    async fn owner_tokens(&self) -> Vec<StoredToken>;
    async fn revoke_owner_tokens(&self, what: &str, event: AuditEvent) -> Option<u64>;
});

pass_on!(OauthClientStore {
    async fn add_client(&self, client: NewClient, most_unapproved: u64) -> ();
    async fn find_client(&self, client_id: &str) -> Option<StoredClient>;
    async fn find_client_by_handle(&self, handle: &ClientName) -> Option<StoredClient>;
    async fn update_client(&self, client_id: &str, json: String, hash: [u8; 32]) -> ();
    async fn collect_clients(&self, unapproved: Timestamp, unused: Timestamp) -> u64;
});

pass_on!(OauthRequestStore {
    async fn add_request(&self, request: NewRequest, event: Option<AuditEvent>) -> ();
    async fn find_request(&self, key: RequestKey) -> Option<StoredRequest>;
    async fn save_draft(&self, id: &str, draft_json: String) -> bool;
    async fn save_review(&self, id: &str, digest: [u8; 32], review_json: String) -> bool;
    async fn approve_request(&self, id: &str, approval: Approval, event: AuditEvent) -> bool;
    async fn deny_request(&self, id: &str, session: &str, event: AuditEvent) -> bool;
    async fn note_poll(&self, id: &str, at: Timestamp, poll_interval: i64) -> ();
    async fn redeem_request(&self, id: &str, issue: Issue, event: AuditEvent) -> bool;
    async fn push_request(&self, hash: [u8; 32], id: &str, json: String, end: Timestamp) -> ();
    async fn find_pushed(&self, hash: [u8; 32], now: Timestamp) -> Option<(String, String)>;
});

pass_on!(OauthFamilyStore {
    async fn find_refresh(&self, hash: &TokenHash) -> Option<StoredRefresh>;
    async fn find_family(&self, family_no: i64) -> Option<StoredFamily>;
    async fn family_of_access(&self, hash: &TokenHash) -> Option<StoredFamily>;
    async fn rotate_refresh(&self, hash: &TokenHash, new: Rotation, event: AuditEvent) -> bool;
    async fn reissue_access(&self, hash: &TokenHash, new: NewToken, event: AuditEvent) -> bool;
    async fn revoke_family(&self, family_no: i64, why: AuditWord, event: AuditEvent) -> bool;
    async fn revoke_access(&self, hash: &TokenHash, event: AuditEvent) -> bool;
});

pass_on!(OauthDocumentStore {
    async fn find_document(&self, url: &str) -> Option<FetchedDocument>;
    async fn keep_document(&self, url: &str, document: FetchedDocument) -> ();
    async fn spend_assertion(&self, hash: [u8; 32], expires_at: Timestamp) -> bool;
    async fn sweep_oauth(&self, now: Timestamp, successors_until: Timestamp) -> ();
});

pass_on!(OwnerStore {
    async fn password_hash(&self) -> Option<String>;
    async fn set_password(&self, new: NewPassword, event: AuditEvent) -> bool;
    async fn offer_setup(&self, code: &TokenHash, expires_at: Timestamp) -> bool;
    async fn setup_expires_at(&self, code: &TokenHash) -> Option<Timestamp>;
    async fn login_failures(&self, who: &str) -> Option<LoginFailures>;
    async fn note_login_failure(&self, who: &[&str], event: AuditEvent) -> ();
    async fn settings(&self) -> Vec<(String, String)>;
    async fn set_setting(&self, name: &str, value: &str, event: AuditEvent) -> ();
});

pass_on!(PaceStore {
    async fn add_taken(&self, taken: Vec<Taken>, now: Timestamp) -> Vec<i64>;
    async fn forget_full(&self, now: Timestamp) -> ();
    ;
    fn is_shared(&self) -> bool;
});

pass_on!(SessionStore {
    async fn start_session(&self, new: NewSession, event: AuditEvent) -> ();
    async fn find_session(&self, hash: &TokenHash) -> Option<StoredSession>;
    async fn touch_session(&self, hash: &TokenHash, now: Timestamp) -> ();
    async fn end_session(&self, hash: &TokenHash, event: AuditEvent) -> bool;
    async fn end_other_sessions(&self, keep: &TokenHash, event: AuditEvent) -> u64;
    async fn sessions(&self) -> Vec<StoredSession>;
});

pass_on!(AuditStore {
    async fn append_audit(&self, events: Vec<AuditEvent>) -> ();
    async fn audit_events(&self, query: &AuditQuery) -> Vec<StoredEvent>;
    async fn active_hours(&self, since: Timestamp, package: Option<&PackageId>) -> Vec<ActiveHour>;
    async fn verify_audit(&self) -> AuditChain;
});

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

    async fn records_by_number(
        &self,
        scope: &ReadScope,
        numbers: Vec<i64>,
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

    async fn newest_change(&self) -> StoreResult<i64> {
        self.inner.newest_change().await
    }

    async fn prune_versions(&self, through: i64) -> StoreResult<u64> {
        self.inner.prune_versions(through).await
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

    async fn take(&self, loads: Receiver<Load>, told: Told) -> StoreResult<()> {
        if self.fault == Fault::ForgetsMoves {
            return Ok(());
        }
        self.inner.take(loads, told).await
    }

    async fn finish_move(&self) -> StoreResult<()> {
        self.inner.finish_move().await
    }
}

pass_on!(Maintenance {
    async fn check(&self) -> ();
    async fn check_writing(&self) -> ();
    async fn verify(&self) -> VerifyReport;
    ;
    fn sealing_key(&self) -> [u8; 32];
});

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
        items: Vec<QuarantinedItem>,
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
