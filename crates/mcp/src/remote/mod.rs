//! A remote provider: the reads of the contract over HTTP, against any PDPP resource server.
//!
//! Only GET, one bearer, bounded in time and size. A server that lacks our extras still works: what
//! it leaves out of its answers is filled in where it can be known, and refused where it cannot.

mod address;
mod blobs;
mod calls;
mod get;
mod preview;
mod provider_url;
mod read;
mod tokens;
mod web;
mod wire;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use calls::RemoteCalls;
pub use get::Timeouts;
pub use provider_url::{InvalidProviderUrl, ProviderUrl};
pub use tokens::TokenSource;
pub use web::{Web, WebAnswer, WebFault, encoded};

use get::Getter;

/// What one cached credential can read at one provider. Keeps no data.
#[derive(Debug)]
pub struct RemoteProvider {
    getter: Getter,
    /// The provider refused `preview_chars`: it serves whole values, and they are cut here.
    serves_whole_values: AtomicBool,
    /// The provider refused the compact view: its whole document is narrowed here.
    serves_whole_schema: AtomicBool,
    /// A window was served once, so "not found" is about the record and not about the route.
    has_windows: AtomicBool,
    /// The route of windows was looked for once and is not there.
    lacks_windows: AtomicBool,
}

impl RemoteProvider {
    /// The reads of the holder of this token. Nothing is asked before the first read.
    pub fn new(provider: ProviderUrl, access_token: String, timeouts: Timeouts) -> Self {
        Self::with_tokens(provider, Arc::new(tokens::FixedToken(access_token)), timeouts)
    }

    /// The same with tokens that are renewed.
    pub fn with_tokens(
        provider: ProviderUrl,
        tokens: Arc<dyn TokenSource>,
        timeouts: Timeouts,
    ) -> Self {
        Self {
            getter: Getter::new(provider, tokens, timeouts),
            serves_whole_values: AtomicBool::new(false),
            serves_whole_schema: AtomicBool::new(false),
            has_windows: AtomicBool::new(false),
            lacks_windows: AtomicBool::new(false),
        }
    }

    /// Where citations point to: the provider's own address.
    pub fn base_url(&self) -> &str {
        self.getter.provider().as_str()
    }
}
