//! Agents and this program: who is let in over MCP, with what, and with which credential.

mod client;
mod kept;
mod local_access;
mod local_calls;
pub mod private_file;
mod provider_cache;
mod refused;

pub use client::OauthClient;
pub use kept::KeptCredential;
pub use local_access::{check_access, grant_command, local_token};
pub use local_calls::LocalCalls;
pub use private_file::{others_can_read, read_private};
pub use provider_cache::ProviderCache;
pub use refused::{check_start, check_text, owner_variables, refuse_owner_credential};

/// What the server calls itself unless it is told otherwise.
pub const SERVER_NAME: &str = "pdpp";
