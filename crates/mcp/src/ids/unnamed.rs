//! The connection of a provider that names none: a word that stands in for it, inside the adapter.
//!
//! It is never sent to a provider and never part of an id. Data views that must hold a
//! `connection_id` hold it, and a reader who gives it back reads without a connection.

use pdpp_contract::ConnectionId;

/// Nothing that a server would call a connection.
const UNNAMED: &str = "(unnamed)";

/// What stands for the connection of a provider that names none.
pub(crate) fn unnamed() -> Option<ConnectionId> {
    ConnectionId::new(UNNAMED).ok()
}

/// Whether a provider named this connection.
pub(crate) fn is_named(id: &ConnectionId) -> bool {
    id.as_str() != UNNAMED
}
