//! Who may: the owner, sessions, tokens, packages and grants, the authorization server, rate limits.

pub(crate) mod grants;
mod oauth;
mod owner;
mod rate_limit;
mod sessions;
mod tokens;

use super::{backend, sql};
