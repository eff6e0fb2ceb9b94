//! Signing in, over a real socket: what clients send, what attackers send, what comes back.

mod assertions;
mod clients;
mod codes;
mod details;
mod devices;
mod documents;
mod fetching;
mod flow;
mod garbage;
mod owner_places;
mod races;
mod redirects;
mod refreshing;
mod revoking;
pub mod signing_in;
mod threats;
