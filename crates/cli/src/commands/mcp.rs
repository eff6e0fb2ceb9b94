//! `pdpp mcp`: the MCP adapter on standard input and output.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pdpp_contract::ClientName;
use pdpp_contract::ports::Clock;
use pdpp_mcp::CallSource;
use pdpp_mcp::remote::{ProviderUrl, RemoteCalls, RemoteProvider, Timeouts};
use pdpp_mcp::serve::serve_stdio;

use crate::agents::{LocalCalls, ProviderCache, SERVER_NAME, local_token};
use crate::app::clock::SystemClock;
use crate::cli::CACHE_HELP;
use crate::config::{AgentSettings, Environment};
use crate::connect::CachedTokens;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::platform::entropy::SystemEntropy;
use crate::platform::signals::StopSignals;

const PROVIDER_HELP: &str =
    "Read from this PDPP server instead of the store on this machine [env: PDPP_PROVIDER_URL]";
const NAME_HELP: &str = "Name of this MCP server [default: pdpp] [env: PDPP_MCP_SERVER_NAME]";

/// How long a provider may take to show that nobody is there.
const PROBE: Duration = Duration::from_secs(5);

/// Serve one agent on this machine over MCP
///
/// Speaks MCP on standard input and output. Clients start it themselves; see `pdpp setup`.
#[derive(Debug, Args)]
pub struct McpArgs {
    #[arg(long, value_name = "URL", help = PROVIDER_HELP)]
    provider_url: Option<String>,
    #[arg(long, value_name = "DIR", help = CACHE_HELP)]
    cache_root: Option<PathBuf>,
    /// The agent whose access to use: the name given to `pdpp grant create --client`
    #[arg(long, value_name = "NAME")]
    client: Option<ClientName>,
    #[arg(long, value_name = "NAME", help = NAME_HELP)]
    server_name: Option<String>,
}

/// Serves until the client closes its end. Standard output carries the protocol and nothing else.
pub fn run(args: McpArgs, environment: &Environment, data_dir: DataDir) -> Result<Exit, Failure> {
    let settings = environment.agent_settings();
    let name = args.server_name.clone().or_else(|| settings.server_name.clone());
    let name = name.unwrap_or_else(|| SERVER_NAME.to_owned());
    let served = match provider(&args, &settings)? {
        Some(provider) => {
            let cache = ProviderCache::new(environment.cache_root(args.cache_root, &data_dir));
            let kept = cache.usable(&provider, SystemClock.now())?;
            let key = cache.key(&SystemEntropy)?;
            let clock = Arc::new(SystemClock);
            let tokens = CachedTokens::new(Arc::new(cache), provider.clone(), clock, kept);
            let tokens = Arc::new(tokens);
            let remote = RemoteProvider::with_tokens(provider.clone(), tokens, Timeouts::default());
            let calls = Arc::new(RemoteCalls::new(remote, key));
            run_to_end(serve_provider(calls, &name, &provider))
        }
        None => {
            // The address goes with the grant; that it was revoked says more than that a file is gone.
            let token = local_token(args.client.as_ref(), &data_dir)?;
            data_dir.check_database()?;
            run_to_end(serve_local(LocalCalls::new(data_dir, token), &name))
        }
    };
    served.map(|()| Exit::Done)
}

fn provider(args: &McpArgs, settings: &AgentSettings) -> Result<Option<ProviderUrl>, Failure> {
    // A client's name means the local store, whatever the environment says.
    let from_environment = settings.provider_url.as_ref().filter(|_| args.client.is_none());
    let Some(url) = args.provider_url.as_ref().or(from_environment) else {
        return Ok(None);
    };
    if args.client.is_some() {
        return Err(Failure::usage(
            "--client is for the store on this machine; remove it, or remove --provider-url",
        ));
    }
    Ok(Some(url.parse()?))
}

/// One thread: a client asks one thing at a time, and starting more costs more than it gains.
fn run_to_end(serving: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    super::block_on(tokio::runtime::Builder::new_current_thread(), serving)
}

async fn serve_local(calls: LocalCalls, name: &str) -> Result<(), Failure> {
    let calls = Arc::new(calls);
    let stop = StopSignals::listen();
    // Clients end their servers by a signal as often as by closing the pipe; both are a proper end.
    let served = tokio::select! {
        served = serve(calls.clone(), name) => served,
        () = stop.asked() => Ok(()),
    };
    let closed = calls.close().await;
    served.and(closed)
}

/// Serves at once and looks meanwhile whether the provider is there at all.
async fn serve_provider(
    calls: Arc<RemoteCalls>,
    name: &str,
    provider: &ProviderUrl,
) -> Result<(), Failure> {
    let serving = serve(calls, name);
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => return served,
        reachable = provider.answers(PROBE) => if !reachable {
            let url = provider.as_str();
            let message = format!("no answer from {url}; check that the provider is running");
            return Err(Failure::new(Exit::Unreachable, "unavailable", message));
        },
    }
    serving.await
}

async fn serve(calls: Arc<dyn CallSource>, name: &str) -> Result<(), Failure> {
    serve_stdio(calls, name)
        .await
        .map_err(|fault| Failure::new(Exit::Other, "protocol", fault.to_string()))
}
