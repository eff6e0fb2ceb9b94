//! Who may: packages and grants, tokens, the owner, the authorization server, the audit log, rate limits.

pub mod audit;
pub mod grants;
pub mod oauth;
pub mod owner;
pub mod rate_limit;
pub mod sessions;
pub mod tokens;
