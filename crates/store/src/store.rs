//! A store as a whole: every promise together.

use crate::access::{audit, grants, oauth, owner, rate_limit, sessions, tokens};
use crate::maintenance::{self, retention, seen_time};
use crate::records::{self, connections};
use crate::writes::{self, classification};
use crate::{aggregate, blobs, changes, search, text, transfer};

/// Everything a store promises.
pub trait Store:
    connections::ConnectionStore
    + records::RecordReader
    + changes::ChangeLog
    + aggregate::Aggregator
    + text::TextReader
    + writes::RecordWriter
    + search::Searcher
    + blobs::BlobStore
    + grants::GrantStore
    + tokens::TokenStore
    + oauth::OauthClientStore
    + oauth::OauthRequestStore
    + oauth::OauthFamilyStore
    + oauth::OauthDocumentStore
    + owner::OwnerStore
    + sessions::SessionStore
    + rate_limit::PaceStore
    + audit::AuditStore
    + classification::RecordJudging
    + seen_time::SeenTimeStore
    + retention::RetentionStore
    + maintenance::Maintenance
    + transfer::Movable
{
}
