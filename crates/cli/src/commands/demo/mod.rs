//! `pdpp demo`: an invented life in a store of its own, an agent that may read some of it, a server.

mod sample_store;
mod tour;

use std::net::SocketAddr;

use clap::Args;
use serde_json::Value;

use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::data_dir::serve_lock::ServeLock;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note};
use crate::server::{self, Front, Ready};

/// The usual place, when it is free.
const USUAL: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7667);
/// Any free port of this machine.
const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// Try everything with sample data
///
/// Creates a sample store in a separate directory, never mixed with your data, gives an agent access to
/// part of it, starts the server and suggests what to try.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Address to listen on [default: 127.0.0.1:7667, or a free port if that is in use]
    #[arg(long, value_name = "ADDR", value_parser = server::address)]
    listen: Option<SocketAddr>,
    /// Recreate the sample store
    #[arg(long)]
    reset: bool,
}

/// Builds what is missing and serves until it is asked to stop.
pub async fn run(args: DemoArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let data_dir = data_dir.demo();
    let lock = ServeLock::take(&data_dir)?;
    if args.reset {
        sample_store::erase(&data_dir).await?;
    }
    if !output.is_json() {
        note("Preparing the sample store …");
    }
    let mut app = CliApp::open(data_dir).await?;
    // Only now: commands that were shown before must not be led astray by a database that is not there.
    app.data_dir = app.data_dir.clone().with_address_kept()?;
    sample_store::fill(&app).await?;
    let token = sample_store::agent_token(&app).await?;
    let ready = listen(&app, lock, args.listen).await?;
    let mut document = ready.document();
    if let Some(members) = document.as_object_mut() {
        members.insert("access_token".to_owned(), Value::from(token.as_str()));
    }
    if let Some(setup) = ready.setup_url(&app).await? {
        note(&format!("To see the owner pages, set a password:\n  {setup}"));
    }
    let tour = tour::words(&app, ready.base_url(), &token, output).await?;
    output.answer(&document, || tour)?;
    ready.run().await?;
    Ok(Exit::Done)
}

/// A port that was asked for is kept or refused; the usual one gives way to a free one.
async fn listen(
    app: &CliApp,
    lock: ServeLock,
    asked: Option<SocketAddr>,
) -> Result<Ready, Failure> {
    if let Some(address) = asked {
        return server::prepare(app, lock, address, Front::default()).await;
    }
    // The attempt is made before the server exists, because the lock goes with the server.
    let usual_is_free = tokio::net::TcpListener::bind(USUAL).await.is_ok();
    if usual_is_free {
        return server::prepare(app, lock, USUAL, Front::default()).await;
    }
    let ready = server::prepare(app, lock, ANY, Front::default()).await?;
    note(&format!("{USUAL} is in use; using {} instead.", ready.local_addr()));
    Ok(ready)
}
