//! Agents and this program: who is let in over MCP, with what, and what is noted about it.

mod client;
mod desk;
mod door;
mod kept;
mod noting;
mod private_file;
mod provider_cache;
mod refused;

pub use client::OauthClient;
pub use desk::{LocalDesk, ProviderDesk};
pub use door::McpDoor;
pub use kept::KeptCredential;
pub use private_file::read_private;
pub use provider_cache::ProviderCache;
pub use refused::{check_credential, check_start, owner_variables};

/// What the server calls itself unless it is told otherwise.
pub const SERVER_NAME: &str = "pdpp";
