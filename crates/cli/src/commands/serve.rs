//! `pdpp serve`: the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use pdpp_http::TrustedProxy;

use crate::app::{CliApp, syncing};
use crate::commands::account::KEY_FILE_HELP;
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::data_dir::serve_lock::ServeLock;
use crate::doctor::clock;
use crate::failure::{Exit, Failure};
use crate::output::{Output, Style, note};
use crate::platform;
use crate::server::{self, Front};

/// Start the server
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address to listen on; port 0 chooses a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7667", value_parser = server::address)]
    listen: SocketAddr,
    /// The public URL of this server, if it is behind a proxy
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Address or network of a proxy whose X-Forwarded-For is trusted; can be repeated
    #[arg(long, value_name = "ADDR")]
    trusted_proxy: Vec<TrustedProxy>,
    /// Remove versions older than the newest N changes when the server starts [default: keep all]
    #[arg(long, value_name = "N")]
    keep_changes: Option<u32>,
    #[arg(long, value_name = "FILE", help = KEY_FILE_HELP)]
    key_file: Option<PathBuf>,
}

/// A store that has seen a later time judges by that; whoever starts a server must hear of it.
fn warn_of_clock(app: &CliApp) {
    let ahead = app.store_clock.ahead();
    if ahead > clock::TOLERATED {
        note(&format!(
            "warning: the store clock is {} ahead of the system clock, and access expires by it; set the \
             system clock, or if the store clock is wrong: {}",
            clock::apart(ahead),
            app.data_dir.advice("owner clock reset")
        ));
    }
}

/// Serves until it is asked to stop.
pub async fn run(
    args: ServeArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    platform::forbid_core_dumps();
    let keys = environment.key_file(args.key_file, &data_dir);
    let lock = ServeLock::take(&data_dir)?;
    let app = CliApp::open(data_dir).await?;
    app.collect_blobs().await?;
    if let Some(kept) = args.keep_changes {
        let newest = app.store.newest_change().await?;
        app.store.prune_versions(newest.back(kept)).await?;
    }
    warn_of_clock(&app);
    let open_to_others = !args.listen.ip().is_loopback() && args.public_url.is_none();
    // Without it everybody behind the proxy is one caller, with one caller's limits.
    let callers_are_one = args.public_url.is_some() && args.trusted_proxy.is_empty();
    let front = Front { public_url: args.public_url, trusted_proxies: args.trusted_proxy };
    let ready = server::prepare(&app, lock, args.listen, front).await?;
    if callers_are_one {
        note(
            "note: behind a proxy all callers share one rate limit for signing in; name the proxy with \
             --trusted-proxy, such as --trusted-proxy 127.0.0.1",
        );
    }
    if open_to_others {
        note(
            "warning: other machines can reach this address without encryption; put an https proxy in \
             front and set its URL with --public-url",
        );
    }
    let setup = ready.setup_url(&app).await?;
    if let Some(setup) = &setup {
        note(&format!(
            "Set the owner password within 30 minutes (this link works once):\n  {setup}"
        ));
    }
    output.answer(&ready.document(), || {
        let base = ready.base_url();
        let strong = |url: &str| output.styled(Style::Strong, url);
        let agents = format!("{base}/mcp");
        let owner = format!("{base}/owner");
        format!(
            "Serving at {}\n  agents (MCP)  {}\n  owner pages   {}\nStop with Ctrl-C.\n",
            strong(base),
            strong(&agents),
            strong(&owner)
        )
    })?;
    syncing::keep_current(&app, keys);
    ready.run().await?;
    Ok(Exit::Done)
}
