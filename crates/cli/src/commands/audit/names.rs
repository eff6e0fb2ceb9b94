//! What people call the things that events are about.

use std::collections::HashMap;

use pdpp_contract::access::{AuditActor, AuditEvent};
use pdpp_contract::{ClientName, ConnectionId, ConnectionName, PackageId};

use crate::app::CliApp;
use crate::failure::Failure;

/// Connections named in one cell; the rest is counted.
const SHOWN: usize = 3;

/// Names as they are now. A connection that is gone has only its id left.
pub struct AuditNames {
    connections: HashMap<ConnectionId, ConnectionName>,
    clients: HashMap<PackageId, ClientName>,
}

impl AuditNames {
    /// Reads the names of everything once.
    pub async fn read(app: &CliApp) -> Result<Self, Failure> {
        let connections = app.store.list_connections().await?.into_iter();
        let packages = app.auth.packages(&app.owner()).await?.into_iter();
        Ok(Self {
            connections: connections.map(|one| (one.id, one.name)).collect(),
            clients: packages.map(|one| (one.package_id, one.client)).collect(),
        })
    }

    /// The agent that something the owner did was about.
    pub fn client_of(&self, event: &AuditEvent) -> Option<&ClientName> {
        let package = event.package_id.as_ref().filter(|_| event.actor == AuditActor::Owner);
        package.and_then(|package| self.clients.get(package))
    }

    /// What the event is about, in one cell: that agent, else the connections.
    pub fn about(&self, event: &AuditEvent) -> String {
        if let Some(client) = self.client_of(event) {
            return client.to_string();
        }
        let name = |id: &ConnectionId| {
            self.connections.get(id).map_or_else(|| id.to_string(), ToString::to_string)
        };
        let names: Vec<String> = event.connection_ids.iter().take(SHOWN).map(name).collect();
        let rest = event.connection_ids.len().saturating_sub(SHOWN);
        let names = names.join(", ");
        if rest == 0 { names } else { format!("{names} and {rest} more") }
    }
}
