//! Signing in at a provider: finds out where, introduces itself, and gets the owner's word in a
//! browser or with a short code.

mod address;
mod browser;
mod cached;
mod challenge;
mod device;
mod discovery;
mod loopback;
mod pkce;
mod register;
mod sign_in;

pub use browser::Browser;
pub use cached::CachedTokens;
pub use sign_in::{SignIn, sign_in};
