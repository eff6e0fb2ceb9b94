//! A store that passes everything on, except where its fault is.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::access::{
    ActiveHour, AuditChain, AuditEvent, AuditQuery, AuditWord, GrantSelector, OwnerTokenKind,
    Revocation, StoredEvent, StoredSession, Taken,
};
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ClientName, ConnectionId, PackageId};
use pdpp_store::audit::AuditStore;
use pdpp_store::classification::{Classified, Classify, RecordClassifier};
use pdpp_store::connections::{
    Connection, ConnectionDirectory, ConnectionRef, ConnectionStore, DeclarationDigest, Erased,
    NewConnection,
};
use pdpp_store::grants::{GrantStore, NewPackage, StoredPackage};
use pdpp_store::maintenance::{Maintenance, VerifyReport};
use pdpp_store::oauth::{
    Approval, FetchedDocument, NewClient, NewRequest, OauthClientStore, OauthDocumentStore,
    OauthFamilyStore, OauthRequestStore, RequestKey, Rotation, StoredClient, StoredFamily,
    StoredRefresh, StoredRequest, TokenIssue,
};
use pdpp_store::owner::{LoginFailures, NewPassword, OwnerStore};
use pdpp_store::rate_limit::RateLimitStore;
use pdpp_store::retention::{Compacting, DatabaseSize, History, RetentionStore, StorageUsage};
use pdpp_store::seen_time::{SeenTime, SeenTimeStore};
use pdpp_store::sessions::{NewSession, SessionStore};
use pdpp_store::tokens::{NewToken, StoredAccess, StoredToken, TokenHash, TokenStore};
use pdpp_store::{AccessStore, ChangeNo, RecordStore, Store, StoreResult};

use super::faults::Fault;

/// A store with one fault.
pub struct Broken {
    pub inner: Arc<dyn Store>,
    pub fault: Fault,
}

impl Store for Broken {}
impl RecordStore for Broken {}
impl AccessStore for Broken {}

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

pub(super) use pass_on;

#[async_trait]
impl ConnectionDirectory for Broken {
    async fn find_connection(&self, which: &ConnectionRef) -> StoreResult<Option<Connection>> {
        self.inner.find_connection(which).await
    }

    async fn declaration(&self, digest: DeclarationDigest) -> StoreResult<Option<String>> {
        self.inner.declaration(digest).await
    }
}

#[async_trait]
impl ConnectionStore for Broken {
    async fn ensure_connection(&self, new: NewConnection) -> StoreResult<Connection> {
        self.inner.ensure_connection(self.fault.declared(new)).await
    }

    async fn connections(&self, ids: &[ConnectionId]) -> StoreResult<Vec<Connection>> {
        self.inner.connections(ids).await
    }

    async fn list_connections(&self) -> StoreResult<Vec<Connection>> {
        self.inner.list_connections().await
    }

    async fn rename_connection(
        &self,
        id: &ConnectionId,
        label: Option<DisplayName>,
    ) -> StoreResult<bool> {
        self.inner.rename_connection(id, label).await
    }

    async fn remove_connection(
        &self,
        id: &ConnectionId,
        now: Timestamp,
    ) -> StoreResult<Option<Erased>> {
        self.inner.remove_connection(id, now).await
    }
}

pass_on!(GrantStore {
    async fn issue_package(&self, package: NewPackage, event: AuditEvent) -> ();
    async fn list_packages(&self) -> Vec<StoredPackage>;
    async fn find_packages(&self, what: &GrantSelector) -> Vec<StoredPackage>;
    async fn revoke_grants(&self, what: &GrantSelector, event: AuditEvent) -> Option<Revocation>;
});

pass_on!(TokenStore {
    async fn find_access(&self, hash: &TokenHash) -> Option<StoredAccess>;
    async fn touch_token(&self, hash: &TokenHash, now: Timestamp) -> ();
    async fn add_owner_token(&self, kind: OwnerTokenKind, token: NewToken, event: AuditEvent) -> ();
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
    async fn redeem_request(&self, id: &str, issue: TokenIssue, event: AuditEvent) -> bool;
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

pass_on!(RateLimitStore {
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
    async fn append_audit_again(&self, events: Vec<AuditEvent>) -> ();
    async fn audit_events(&self, query: &AuditQuery) -> Vec<StoredEvent>;
    async fn active_hours(&self, since: Timestamp, package: Option<&PackageId>) -> Vec<ActiveHour>;
    async fn verify_audit(&self) -> AuditChain;
});

pass_on!(RecordClassifier {
    async fn needs_classification(&self) -> bool;
    async fn request_classification(&self) -> ();
    async fn classify_some(&self, judge: Classify) -> Classified;
});

pass_on!(SeenTimeStore {
    async fn seen_time(&self) -> SeenTime;
    async fn note_time(&self, seen: SeenTime) -> SeenTime;
    async fn reset_time(&self, at: Timestamp, event: AuditEvent) -> Option<Timestamp>;
});

pass_on!(RetentionStore {
    async fn prune_audit(&self, before: Timestamp, now: Timestamp) -> u64;
    async fn change_before(&self, before: Timestamp) -> ChangeNo;
    async fn prune_versions(&self, through: ChangeNo) -> u64;
    async fn day_seen(&self, days: u32) -> Option<Timestamp>;
});

pass_on!(StorageUsage {
    async fn history(&self) -> History;
    async fn room(&self) -> DatabaseSize;
    async fn compact(&self, how: Compacting) -> ();
});

pass_on!(Maintenance {
    async fn check(&self) -> ();
    async fn check_writing(&self) -> ();
    async fn verify(&self) -> VerifyReport;
    ;
    fn sealing_key(&self) -> [u8; 32];
});
