//! A running server: holds the lock and the address, says where it is, answers until told to stop.

use std::net::SocketAddr;
use std::sync::Arc;

use pdpp_auth::AuditLog;
use pdpp_http::{
    BindError, Bound, CommandOptions, ConnectionLimits, HttpOptions, Server, Services, TrustedProxy,
};
use pdpp_mcp::serve::HttpService;
use pdpp_store::audit::AuditStore;
use serde_json::{Value, json};

use crate::agents::SERVER_NAME;
use crate::app::CliApp;
use crate::app::upkeep;
use crate::data_dir::DataDir;
use crate::data_dir::serve_lock::ServeLock;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::platform::file_limit;
use crate::platform::signals::StopSignals;

/// Reads an address to listen on.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.rsplit(':').next().unwrap_or_default().parse::<u16>();
        let port = port.map_or_else(|_| "8000".to_owned(), |port| port.to_string());
        format!("use an IP address and a port, such as 127.0.0.1:{port}")
    })
}

/// A server that holds its store and its address, and has not answered anything yet.
pub struct Ready {
    bound: Bound,
    stop: StopSignals,
    _lock: ServeLock,
}

/// What stands between this server and the outside world.
#[derive(Debug, Clone, Default)]
pub struct Front {
    pub public_url: Option<String>,
    pub trusted_proxies: Vec<TrustedProxy>,
}

/// Takes the address; whoever calls has the store's lock already.
pub async fn prepare(
    app: &CliApp,
    mut lock: ServeLock,
    listen: SocketAddr,
    front: Front,
) -> Result<Ready, Failure> {
    let audit_store: Arc<dyn AuditStore> = app.store.clone();
    let audit = AuditLog::start(audit_store);
    let services = Services {
        engine: app.engine.clone(),
        auth: Arc::clone(&app.auth),
        audit,
        clock: Arc::clone(&app.clock),
        entropy: Arc::clone(&app.entropy),
        mcp: Some(Arc::new(HttpService::new(SERVER_NAME))),
    };
    let time_zone = jiff::tz::TimeZone::system();
    let Front { public_url, trusted_proxies } = front;
    let options = HttpOptions {
        public_url,
        trusted_proxies,
        time_zone,
        command_options: command_options(&app.data_dir),
        connections: ConnectionLimits::of(file_limit::connections()),
        agent_places: app.agent_places(),
        ..HttpOptions::default()
    };
    let bound = Server::bind(listen, options, services).await.map_err(not_bound)?;
    upkeep::keep_in_order(app);
    lock.announce(bound.local_addr(), bound.base_url().trim_end_matches('/'));
    Ok(Ready { bound, stop: StopSignals::listen(), _lock: lock })
}

/// What pages say about commands: their readers do not sit in our shell.
fn command_options(data_dir: &DataDir) -> CommandOptions {
    let options = data_dir.elsewhere().options();
    let name = |option: &String| option.split(' ').next().unwrap_or_default().to_owned();
    CommandOptions {
        names: options.iter().map(name).collect(),
        typed: options.iter().map(|option| format!(" {option}")).collect(),
    }
}

impl Ready {
    /// Where the server can be reached.
    pub fn base_url(&self) -> &str {
        self.bound.base_url().trim_end_matches('/')
    }

    /// The address it listens on.
    pub fn local_addr(&self) -> SocketAddr {
        self.bound.local_addr()
    }

    /// What a script needs to talk to it and to stop it.
    pub fn document(&self) -> Value {
        let base = self.base_url();
        json!({
            "base_url": base,
            "mcp_url": format!("{base}/mcp"),
            "owner_url": format!("{base}/owner"),
            "pid": std::process::id(),
        })
    }

    /// The link with which the owner sets the first password; `None` when one is set.
    pub async fn setup_url(&self, app: &CliApp) -> Result<Option<String>, Failure> {
        let code = app.auth.offer_setup().await?;
        let base = self.base_url();
        Ok(code.map(|code| format!("{base}/owner/setup?code={}", code.reveal())))
    }

    /// Answers until somebody asks it to stop. Fails when who read what could not all be written down.
    pub async fn run(self) -> Result<(), Failure> {
        match self.bound.run(self.stop.asked()).await {
            0 => Ok(()),
            lost => Err(audit_lost(lost)),
        }
    }
}

/// What is said when a process ends before the audit log could be written.
pub fn audit_lost(events: u64) -> Failure {
    let message = format!(
        "{} could not be written to the audit log and are lost; free some disk space",
        counted(events, "event", "events")
    );
    Failure::new(Exit::Other, "audit_lost", message)
}

fn not_bound(error: BindError) -> Failure {
    match error {
        BindError::Listen { address, source } => {
            let message = format!(
                "cannot listen on {address}: {source}; use another address with --listen, or a free port \
                 with --listen 127.0.0.1:0"
            );
            Failure::new(Exit::Unreachable, "address_unavailable", message)
        }
        BindError::PublicUrl => Failure::usage(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_told_how_to_be_an_address() {
        assert!(address("127.0.0.1:0").is_ok() && address("[::1]:80").is_ok());
        for (text, told) in [("8000", ":8000"), ("localhost:9000", ":9000"), ("here", ":8000")] {
            let words = address(text).unwrap_err();
            assert!(words.ends_with(&format!("127.0.0.1{told}")), "{words}");
        }
    }
}
