//! The owner's own look at the data. Nothing here passes through MCP, and no token is asked for.

mod attachments;
pub mod export;
mod record_id;
pub mod search;
pub mod show;
mod sights;
mod viewpoint;
mod window;

use clap::Args;
use pdpp_contract::access::GrantSelector;

/// Through whose eyes.
#[derive(Debug, Args)]
pub struct AsArgs {
    /// Answer as this agent would be answered: its name, a package id or a grant id
    #[arg(long = "as", value_name = "CLIENT")]
    agent: Option<GrantSelector>,
}
