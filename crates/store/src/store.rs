//! A store as a whole: every promise together.

use crate::{
    aggregate, audit, blobs, changes, connections, grants, judging, maintenance, moving, oauth,
    owner, paces, records, retention, search, seen_time, sessions, text, tokens, writes,
};

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
    + paces::PaceStore
    + audit::AuditStore
    + judging::RecordJudging
    + seen_time::SeenTimeStore
    + retention::RetentionStore
    + maintenance::Maintenance
    + moving::Movable
{
}
