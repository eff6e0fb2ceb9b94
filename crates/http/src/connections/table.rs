//! Every open connection: how many there may be, and which one makes room for the next.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::connection::{ConnectionRole, HttpConnection, NoRoom, Rank};
use super::limits::ConnectionLimits;
use crate::guard::TrustedProxy;

/// Connections that are being ended still hold a descriptor; no more than these beyond the total.
const ENDING: usize = 16;

/// Where a connection stands in the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    id: u64,
    /// Absent for addresses that many callers share.
    address: Option<IpAddr>,
}

/// The open connections of one server.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) limits: ConnectionLimits,
    /// Addresses that many callers share.
    proxies: Vec<TrustedProxy>,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    next_id: u64,
    connections: HashMap<u64, Arc<HttpConnection>>,
    by_address: HashMap<IpAddr, usize>,
    agents: usize,
    /// Sockets that are not closed yet, those that were told to end included.
    sockets: usize,
}

impl Table {
    pub(super) fn new(limits: ConnectionLimits, proxies: Vec<TrustedProxy>) -> Arc<Self> {
        Arc::new(Self { limits, proxies, open: Mutex::default(), freed: Notify::new() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection. When there is none, the most dispensable connection ends for it;
    /// `None` when no connection can be spared.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<HttpConnection>> {
        let address = self.counted(peer.to_canonical());
        let mut open = self.open();
        if let Some(address) = address
            && open.by_address.get(&address).copied().unwrap_or_default() >= self.limits.per_address
        {
            open.end_one(|connection| connection.place.address == Some(address))?;
        }
        if open.connections.len() >= self.limits.total {
            open.end_one(|_| true)?;
        }
        open.next_id += 1;
        let place = Place { id: open.next_id, address };
        let connection = Arc::new(HttpConnection::new(place, Arc::downgrade(self)));
        open.connections.insert(place.id, Arc::clone(&connection));
        open.sockets += 1;
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        Some(connection)
    }

    /// A connection is closed.
    pub(super) fn closed(&self, connection: &HttpConnection) {
        let mut open = self.open();
        open.forget(connection);
        open.sockets = open.sockets.saturating_sub(1);
        drop(open);
        self.freed.notify_one();
    }

    /// Waits until one more connection would not use up descriptors that are kept for others.
    pub(super) async fn has_descriptors(&self) {
        while self.open().sockets >= self.limits.total + ENDING {
            self.freed.notified().await;
        }
    }

    /// Ends the most dispensable connection, because the system has no more descriptors.
    pub(super) fn spare_one(&self) {
        let _ = self.open().end_one(|_| true);
    }

    /// Counts a connection on which a credential was verified. Agents cannot take what is kept in
    /// reserve: the one that was quiet longest makes room, or there is none.
    pub(super) fn rise(
        &self,
        connection: &HttpConnection,
        now: ConnectionRole,
    ) -> Result<(), NoRoom> {
        let mut open = self.open();
        let before = connection.role();
        if now <= before {
            return Ok(());
        }
        if !open.connections.contains_key(&connection.place.id) {
            return Err(NoRoom);
        }
        if now == ConnectionRole::Agent {
            if open.agents >= self.limits.for_agents() {
                let quiet = |one: &HttpConnection| matches!(one.rank(), Some(Rank::QuietAgent(_)));
                open.end_one(quiet).ok_or(NoRoom)?;
            }
            open.agents += 1;
        } else if before == ConnectionRole::Agent {
            open.agents = open.agents.saturating_sub(1);
        }
        connection.rise(now);
        Ok(())
    }

    /// What an address is counted by: many callers share a proxy, and everybody on this machine the
    /// loopback; one caller has a whole network of IPv6.
    fn counted(&self, peer: IpAddr) -> Option<IpAddr> {
        if peer.is_loopback() || self.proxies.iter().any(|proxy| proxy.holds(peer)) {
            return None;
        }
        Some(match peer {
            IpAddr::V4(_) => peer,
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        })
    }
}

impl Open {
    fn end_one(&mut self, among: impl Fn(&HttpConnection) -> bool) -> Option<()> {
        let candidates = self.connections.values().filter(|connection| among(connection));
        let ranked = candidates.filter_map(|one| Some((one.rank()?, one)));
        let (_, spared) = ranked.min_by_key(|(rank, _)| *rank)?;
        let spared = Arc::clone(spared);
        self.forget(&spared);
        spared.reset();
        Some(())
    }

    fn forget(&mut self, connection: &HttpConnection) {
        let Place { id, address } = connection.place;
        if self.connections.remove(&id).is_none() {
            return;
        }
        if connection.role() == ConnectionRole::Agent {
            self.agents = self.agents.saturating_sub(1);
        }
        if let Some(address) = address
            && let Some(count) = self.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(total: usize, proxies: &[&str]) -> Arc<Table> {
        let proxies = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        Table::new(ConnectionLimits::of(total), proxies)
    }

    fn from(table: &Arc<Table>, peer: &str) -> Arc<HttpConnection> {
        table.admit(peer.parse().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn one_address_ends_its_own_connections_and_nobody_else_s() {
        let table = table(8, &[]);
        let other = from(&table, "10.0.0.2");
        let many: Vec<_> = (0..8).map(|_| from(&table, "10.0.0.1")).collect();
        assert!(many[..4].iter().all(|connection| connection.is_reset()));
        assert!(!other.is_reset() && many[4..].iter().all(|connection| !connection.is_reset()));
        // A whole network of IPv6 is one caller; a mapped address is the one it maps.
        let many: Vec<_> = (0..8).map(|n| from(&table, &format!("2001:db8::{n}"))).collect();
        assert_eq!(many.iter().filter(|connection| !connection.is_reset()).count(), 4);
        from(&table, "::ffff:10.0.0.1");
        assert!(table.open().by_address.len() <= 3);
    }

    #[tokio::test]
    async fn callers_behind_a_proxy_are_bound_by_the_total_alone() {
        let table = table(8, &["10.0.0.0/8"]);
        for peer in ["10.0.0.1", "127.0.0.1", "::1"] {
            let many: Vec<_> = (0..8).map(|_| from(&table, peer)).collect();
            assert!(many.iter().all(|connection| !connection.is_reset()), "{peer}");
        }
    }

    #[tokio::test]
    async fn whoever_waits_for_an_answer_is_not_ended_once_verified() {
        let table = table(8, &[]);
        let version = axum::http::Version::HTTP_11;
        let busy: Vec<_> = (0..6)
            .map(|n| from(&table, &format!("10.0.0.{n}")))
            .map(|connection| {
                let under_way = connection.begin(version);
                assert_eq!(connection.belongs_to(ConnectionRole::Agent), Ok(()));
                (connection, under_way)
            })
            .collect();
        let owner = from(&table, "10.0.1.1");
        assert_eq!(owner.belongs_to(ConnectionRole::Owner), Ok(()));
        let stranger = from(&table, "10.0.2.1");
        let next = from(&table, "10.0.3.1");
        assert!(stranger.is_reset() && !owner.is_reset() && !next.is_reset());
        assert_eq!(next.belongs_to(ConnectionRole::Agent), Err(NoRoom), "the rest is in reserve");
        assert!(busy.iter().all(|(connection, _)| !connection.is_reset()));
        drop(busy);
        assert_eq!(next.belongs_to(ConnectionRole::Agent), Ok(()), "a quiet one made room");
    }

    #[tokio::test]
    async fn closed_connections_leave_nothing_behind() {
        let table = table(8, &[]);
        for n in 0..40 {
            let connection = from(&table, &format!("10.0.0.{n}"));
            let _ = connection.belongs_to(ConnectionRole::Agent);
            table.closed(&connection);
        }
        let open = table.open();
        assert_eq!((open.connections.len(), open.by_address.len()), (0, 0));
        assert_eq!((open.agents, open.sockets), (0, 0));
    }
}
