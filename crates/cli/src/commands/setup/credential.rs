//! Whether what a client will start has a credential that opens something.

use pdpp_contract::ports::Clock as _;

use crate::agents::{ProviderCache, check_access};
use crate::app::clock::SystemClock;
use crate::data_dir::DataDir;
use crate::failure::Failure;
use crate::setup::Starting;

/// Refuses to set up what would be refused later.
pub async fn check(starting: &Starting, store: &DataDir) -> Result<(), Failure> {
    match starting {
        Starting::Provider { url, cache_root } => {
            ProviderCache::new(cache_root.clone()).usable(url, SystemClock.now()).map(|_| ())
        }
        Starting::Local { client, .. } => check_access(client, store.clone()).await,
    }
}
