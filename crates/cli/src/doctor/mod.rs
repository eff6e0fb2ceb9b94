//! Looks for what keeps agents from reading, and says how to mend it. One file per check.
//!
//! Everything is looked at from outside: files as they lie, the server as a client meets it. Nothing
//! is changed, apart from a client that registers at the server and is forgotten again.

mod client_advice;
mod clients;
pub mod clock;
mod credentials;
mod data_dir;
mod disk;
mod environment;
mod finding;
mod listener;
mod password;
mod provider_credentials;
mod remote;
mod serve_lock;
mod store;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::data_dir::DataDir;
use crate::setup::ClientPaths;

pub use disk::{DiskSpace, SystemDisk};
pub use finding::{Finding, Findings, Severity};
pub use remote::{ClientReach, ReachEnd, ServerAddress};

/// What is looked at.
pub struct DoctorContext {
    pub data_dir: DataDir,
    pub cache_root: PathBuf,
    pub places: ClientPaths,
    pub variables: Vec<(OsString, OsString)>,
    pub now: Timestamp,
    /// Where a server would listen.
    pub listen: SocketAddr,
    /// The server to visit; without one, the one that runs on this store.
    pub address: Option<ServerAddress>,
}

/// What was found.
pub struct DoctorReport {
    pub findings: Findings,
    /// How far each client gets; nothing when no server was visited.
    pub clients_reach: Vec<ClientReach>,
}

/// Looks at this machine, then at the server.
pub async fn run_checks(context: &DoctorContext) -> DoctorReport {
    let mut findings = Findings::default();
    environment::check(context, &mut findings);
    let mut has_password = None;
    // One that belongs to somebody else is one fault, not one for each thing in it.
    if data_dir::check(context, &mut findings) {
        disk::check(context, &disk::SystemDisk, &mut findings);
        let app = store::check(context, &mut findings).await;
        if let Some(app) = &app {
            clock::check(context, app, &mut findings).await;
            has_password = password::is_set(app).await;
        }
        credentials::check(context, app.as_ref(), &mut findings).await;
    }
    provider_credentials::check(context, &mut findings);
    clients::check(context, &mut findings).await;
    let running = serve_lock::check(context, &mut findings);
    let own = listener::check(context, running.as_ref(), &mut findings).await;
    let address = context.address.clone().or(own);
    let clients_reach = match address {
        Some(address) => remote::visit(context, &address, &mut findings).await,
        None => Vec::new(),
    };
    // Agents on this machine need none; whoever comes to a server does.
    if let Some(is_set) = has_password.filter(|_| !clients_reach.is_empty()) {
        password::tell(context, is_set, &mut findings);
    }
    DoctorReport { findings, clients_reach }
}
