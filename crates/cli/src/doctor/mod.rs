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
use crate::setup::Places;

pub use disk::{Room as Disk, SystemRoom};
pub use finding::{Finding, Findings, State};
pub use remote::{Address, End, Journey};

/// What is looked at.
pub struct Scene {
    pub data_dir: DataDir,
    pub cache_root: PathBuf,
    pub places: Places,
    pub variables: Vec<(OsString, OsString)>,
    pub now: Timestamp,
    /// Where a server would listen.
    pub listen: SocketAddr,
    /// The server to visit; without one, the one that runs on this store.
    pub address: Option<Address>,
}

/// What was found.
pub struct Report {
    pub findings: Findings,
    /// How far each client gets; nothing when no server was visited.
    pub journeys: Vec<Journey>,
}

/// Looks at this machine, then at the server.
pub async fn examine(scene: &Scene) -> Report {
    let mut findings = Findings::default();
    environment::check(scene, &mut findings);
    let mut has_password = None;
    // One that belongs to somebody else is one fault, not one for each thing in it.
    if data_dir::check(scene, &mut findings) {
        disk::check(scene, &disk::SystemRoom, &mut findings);
        let app = store::check(scene, &mut findings).await;
        if let Some(app) = &app {
            clock::check(scene, app, &mut findings).await;
            has_password = password::is_set(app).await;
        }
        credentials::check(scene, app.as_ref(), &mut findings).await;
    }
    provider_credentials::check(scene, &mut findings);
    clients::check(scene, &mut findings).await;
    let running = serve_lock::check(scene, &mut findings);
    let own = listener::check(scene, running.as_ref(), &mut findings).await;
    let address = scene.address.clone().or(own);
    let journeys = match address {
        Some(address) => remote::visit(scene, &address, &mut findings).await,
        None => Vec::new(),
    };
    // Agents on this machine need none; whoever comes to a server does.
    if let Some(is_set) = has_password.filter(|_| !journeys.is_empty()) {
        password::tell(scene, is_set, &mut findings);
    }
    Report { findings, journeys }
}
