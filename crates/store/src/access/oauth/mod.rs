//! The authorization server's memory: clients, requests, families of tokens, fetched documents.

mod clients;
mod documents;
mod families;
mod requests;

pub use clients::{ClientKind, NewClient, OauthClientStore, StoredClient};
pub use documents::{FetchedDocument, OauthDocumentStore};
pub use families::{
    NewFamily, NewRefresh, OauthFamilyStore, Rotation, StoredFamily, StoredRefresh, TokenIssue,
};
pub use requests::{
    Approval, NewCode, NewRequest, OauthRequestStore, RequestKey, RequestStatus, StoredRequest,
};
