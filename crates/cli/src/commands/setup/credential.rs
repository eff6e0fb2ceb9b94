//! Whether what a client will start has a credential that opens something.

use pdpp_contract::ClientName;
use pdpp_contract::ports::Clock as _;

use crate::agents::ProviderCache;
use crate::app::App;
use crate::clock::SystemClock;
use crate::commands::mcp::local_token;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::quoted;
use crate::setup::Starting;

/// Refuses to set up what would be refused later.
pub async fn check(starting: &Starting, store: &DataDir) -> Result<(), Failure> {
    match starting {
        Starting::Provider { url, cache_root } => {
            ProviderCache::new(cache_root.clone()).usable(url, SystemClock.now()).map(|_| ())
        }
        Starting::Local { client, .. } => check_local(client, store.clone()).await,
    }
}

async fn check_local(client: &ClientName, data_dir: DataDir) -> Result<(), Failure> {
    let token = local_token(Some(client), &data_dir)?;
    let app = App::open_existing(data_dir).await?;
    let Err(refused) = app.auth.look_at(&token).await else { return Ok(()) };
    if refused.is_internal() {
        return Err(refused.into());
    }
    let create = format!("grant create --client {} --allow …", quoted(client.as_str()));
    let message = format!(
        "the credential of {client} opens nothing any more ({refused}); create a new one with: {}",
        app.data_dir.advice(&create)
    );
    Err(Failure::new(Exit::NoCredential, "not_connected", message))
}
