//! A store as a whole, and its two halves: what was collected, and who may see it.

use crate::access::{audit, grants, oauth, owner, rate_limit, sessions, tokens};
use crate::accounts::{self, sync};
use crate::maintenance::{self, retention, seen_time};
use crate::records::{self, connections};
use crate::writes::{self, classification};
use crate::{aggregate, blobs, changes, search, text, transfer};

/// What was collected: connections, records, texts, changes, blobs, and the search over them.
pub trait RecordStore:
    connections::ConnectionDirectory
    + connections::ConnectionStore
    + records::RecordReader
    + changes::ChangeLog
    + aggregate::Aggregator
    + text::TextReader
    + writes::RecordWriter
    + search::Searcher
    + blobs::BlobStore
    + classification::RecordClassifier
    + accounts::AccountStore
    + sync::SyncStore
{
}

/// Who may and who did: packages, grants, tokens, the owner, the authorization server, the audit log.
///
/// Whoever holds this reads no record. Of what was collected it shows what connections declare, and it
/// lets the version log be shortened without showing it.
pub trait AccessStore:
    connections::ConnectionDirectory
    + grants::GrantStore
    + tokens::TokenStore
    + oauth::OauthClientStore
    + oauth::OauthRequestStore
    + oauth::OauthFamilyStore
    + oauth::OauthDocumentStore
    + owner::OwnerStore
    + sessions::SessionStore
    + rate_limit::RateLimitStore
    + audit::AuditStore
    + seen_time::SeenTimeStore
    + retention::RetentionStore
{
}

/// Everything a store promises.
pub trait Store:
    RecordStore + AccessStore + retention::StorageUsage + maintenance::Maintenance + transfer::Movable
{
}
