//! Whether what a client will start has a credential that opens something.

use pdpp_contract::ports::Clock as _;

use crate::agents::{ProviderCache, check_access};
use crate::app::clock::SystemClock;
use crate::data_dir::DataDir;
use crate::failure::Failure;
use crate::setup::LaunchSpec;

/// Refuses to set up what would be refused later.
pub async fn check(launch: &LaunchSpec, store: &DataDir) -> Result<(), Failure> {
    match launch {
        LaunchSpec::Provider { url, cache_root } => {
            ProviderCache::new(cache_root.clone()).usable(url, SystemClock.now()).map(|_| ())
        }
        LaunchSpec::Local { client, .. } => check_access(client, store.clone()).await,
    }
}
