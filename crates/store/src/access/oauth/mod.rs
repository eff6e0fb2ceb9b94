//! The authorization server's memory: clients, requests, families of tokens, fetched documents.

mod clients;
mod documents;
mod families;
mod requests;

pub use clients::{ClientKind, NewClient, OauthClientStore, StoredClient};
pub use documents::{FetchedDocument, OauthDocumentStore};
pub use families::{
    Issue, NewFamily, NewRefresh, OauthFamilyStore, Rotation, StoredFamily, StoredRefresh,
};
pub use requests::{
    Approval, NewCode, NewRequest, OauthRequestStore, RequestKey, RequestStatus, StoredRequest,
};

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Agents' own protocol.
    Mcp,
    /// The plain interface.
    V1,
}

impl Resource {
    /// As it stands in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::V1 => "v1",
        }
    }
}

impl std::str::FromStr for Resource {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "mcp" => Ok(Self::Mcp),
            "v1" => Ok(Self::V1),
            _ => Err(()),
        }
    }
}
