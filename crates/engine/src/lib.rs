//! Answers, within a grant: a request meets a grant and becomes a scope; the scope becomes an answer.
//!
//! No HTTP, no MCP, no SQL, no tokens. A reader exists only for a caller that `auth` has verified.

mod aggregate;
pub mod audit;
pub mod import;
pub mod ingest;
pub mod owned;
mod reader;
mod records;
mod refusal;
mod schema;
mod sealed;
mod search;
pub mod synced;
mod view;
mod window;
mod withheld;

pub use records::blobs;
pub use withheld::{classification, codes, secrets};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pdpp_auth::{GrantAccess, OwnerAccess};
use pdpp_contract::ApiError;
use pdpp_contract::ports::Clock;
use pdpp_store::Store;

use owned::OwnerPeriod;
pub use reader::GrantedReader;
use sealed::seal::Sealer;
use view::declarations::Declarations;

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
    /// Whether every stored record is known to be classified by the rules of this version.
    classified: AtomicBool,
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
                classified: AtomicBool::new(false),
            }),
        }
    }

    /// The reads of one agent.
    pub fn reader(&self, access: &GrantAccess) -> GrantedReader {
        GrantedReader::for_agent(Arc::clone(&self.shared), access)
    }

    /// The reads of the owner: every declared field of every connection, listed one by one.
    pub async fn owner_reader(&self, access: OwnerAccess) -> Result<GrantedReader, ApiError> {
        self.owner_reader_within(access, &OwnerPeriod::default()).await
    }

    /// The same, of one period. Streams without a time have no part in it.
    pub async fn owner_reader_within(
        &self,
        access: OwnerAccess,
        period: &OwnerPeriod,
    ) -> Result<GrantedReader, ApiError> {
        GrantedReader::for_owner(Arc::clone(&self.shared), access, period).await
    }
}
