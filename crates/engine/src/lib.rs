//! Answers, within a grant: a request meets a grant and becomes a scope; the scope becomes an answer.
//!
//! No HTTP, no MCP, no SQL, no tokens. A reader exists only for a caller that `auth` has verified.

mod aggregate;
mod aggregate_rules;
mod binding;
pub mod blobs;
mod bookmark;
mod changes;
pub mod codes;
mod conditions;
mod declarations;
mod etag;
mod expand;
mod field_window;
mod handles;
mod health;
pub mod import;
pub mod ingest;
pub mod judging;
mod links;
mod list;
pub mod owned;
mod page_cursor;
mod reader;
mod record;
mod refusal;
mod render;
mod schema;
mod schema_fields;
mod seal;
mod search;
pub mod secrets;
mod streams;
mod view;
mod window_cursor;
mod window_request;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pdpp_auth::{GrantAccess, OwnerAccess};
use pdpp_contract::ApiError;
use pdpp_contract::ports::Clock;
use pdpp_store::Store;

use declarations::Declarations;
pub use reader::GrantedReader;
use seal::Sealer;

/// The engine over one store. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// What all readers of one engine share.
struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    sealer: Sealer,
    declarations: Declarations,
    /// Whether every stored record is known to be judged by the rules of this version.
    judged: AtomicBool,
}

impl Engine {
    /// An engine over a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let sealer = Sealer::new(store.sealing_key());
        let declarations = Declarations::new(Arc::clone(&store));
        Self {
            shared: Arc::new(Shared {
                store,
                clock,
                sealer,
                declarations,
                judged: AtomicBool::new(false),
            }),
        }
    }

    /// The reads of one agent.
    pub fn reader(&self, access: &GrantAccess) -> GrantedReader {
        GrantedReader::for_agent(Arc::clone(&self.shared), access)
    }

    /// The reads of the owner: every declared field of every connection, listed one by one.
    pub async fn owner_reader(&self, access: OwnerAccess) -> Result<GrantedReader, ApiError> {
        GrantedReader::for_owner(Arc::clone(&self.shared), access).await
    }
}
