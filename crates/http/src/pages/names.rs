//! Display names of accounts, streams and agents.

use std::collections::HashMap;

use pdpp_auth::{OwnerAccess, PackageSummary};
use pdpp_contract::{ClientName, ConnectionId, PackageId, StreamName};
use pdpp_engine::owned::{OwnedConnection, OwnedStream};

use super::fault::PageFault;
use super::plain;
use crate::app::App;

/// Longest name on a page.
const NAME_CHARS: usize = 80;

/// The owner's accounts and agents, by name, as they are now.
#[derive(Debug)]
pub struct DisplayNames {
    pub accounts: Vec<OwnedConnection>,
    agents: HashMap<PackageId, ClientName>,
}

impl DisplayNames {
    /// Reads every name once.
    pub async fn of(app: &App, owner: &OwnerAccess) -> Result<Self, PageFault> {
        let accounts = app.services.engine.owned_connections(owner).await?;
        Ok(Self { accounts, agents: HashMap::new() })
    }

    /// Adds the agents behind these packages.
    pub fn with_agents(mut self, packages: &[PackageSummary]) -> Self {
        let known = packages.iter().map(|one| (one.package_id.clone(), one.client.clone()));
        self.agents = known.collect();
        self
    }

    /// The account, if it still exists.
    pub fn account(&self, id: &ConnectionId) -> Option<&OwnedConnection> {
        self.accounts.iter().find(|account| account.id == *id)
    }

    /// What an account is called.
    pub fn account_label(&self, id: &ConnectionId) -> String {
        let account = self.account(id);
        account.map_or_else(|| "a removed account".to_owned(), account_label)
    }

    /// The agent behind a package.
    pub fn agent(&self, package: &PackageId) -> Option<&ClientName> {
        self.agents.get(package)
    }
}

/// What an account is called.
pub fn account_label(account: &OwnedConnection) -> String {
    plain::line(account.label(), NAME_CHARS)
}

/// What a stream is called inside a sentence.
pub fn stream_label(stream: &OwnedStream) -> String {
    let label = stream.label.as_deref().map(|label| plain::line(label, NAME_CHARS));
    label.map_or_else(|| plain::words(stream.name.as_str()), |label| lower_first(&label))
}

/// `Messages` is "messages" in a sentence; `RSS items` stays as it is.
fn lower_first(label: &str) -> String {
    let mut chars = label.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            format!("{}{}", first.to_lowercase(), chars.as_str())
        }
        _ => label.to_owned(),
    }
}

/// What a stream is called: as the account declares it, else by its name.
pub fn stream_label_in(account: Option<&OwnedConnection>, name: &StreamName) -> String {
    let mut streams = account.iter().flat_map(|account| &account.streams);
    let stream = streams.find(|stream| stream.name == *name);
    stream.map_or_else(|| plain::words(name.as_str()), stream_label)
}
