//! How many connections there may be, and how long each may keep its place.

use std::time::Duration;

/// Connections that a server holds at once; fewer when the system allows the process fewer files.
pub const MAX_CONNECTIONS: usize = 1_024;
/// How many of them agents cannot take: they are for the owner and for health checks.
const RESERVED_CONNECTIONS: usize = 32;
/// Connections of one address: one IPv4 address, or one /64 of IPv6.
const MAX_CONNECTIONS_PER_ADDRESS: usize = 256;
/// The most of an answer that the system holds for a reader that does not take it.
pub const SEND_BUFFER_BYTES: usize = 256 * 1024;
/// The most of an answer that is handed on before its authority is looked at again.
pub const ANSWER_BYTES_BETWEEN_CHECKS: usize = 256 * 1024;

/// The limits of one server.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Connections at once.
    pub total: usize,
    /// Connections of one address: one IPv4 address, or one /64 of IPv6.
    pub per_address: usize,
    /// How many of the total agents cannot take: they are for the owner and for health checks.
    pub reserved: usize,
    /// From the beginning of a connection, or from the first byte of a later request, to the end of its head.
    pub head_timeout: Duration,
    /// Between two requests.
    pub idle_timeout: Duration,
    /// While an answer waits for its reader to take anything at all.
    pub stalled_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self::of(MAX_CONNECTIONS)
    }
}

impl ConnectionLimits {
    /// The shares of a total. A small total keeps a quarter in reserve and gives half to one address.
    pub fn of(total: usize) -> Self {
        let total = total.clamp(4, MAX_CONNECTIONS);
        Self {
            total,
            per_address: MAX_CONNECTIONS_PER_ADDRESS.min(total / 2),
            reserved: RESERVED_CONNECTIONS.min(total / 4),
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_mins(1),
            stalled_timeout: Duration::from_mins(1),
        }
    }

    /// How many connections agents may hold.
    pub fn for_agents(&self) -> usize {
        self.total - self.reserved
    }
}
