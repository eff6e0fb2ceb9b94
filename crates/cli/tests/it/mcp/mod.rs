//! Agents' clients and the real program: journeys from a question to the evidence, whatever a client
//! shows its model, over every transport and in both eras of the protocol.

mod agent;
mod attachment;
mod bytes;
mod changing;
mod command;
mod ending;
mod envelopes;
mod eras;
mod evidence;
mod hidden_writes;
mod lane;
mod noted;
mod plain_provider;
mod ranking;
mod reading;
mod safety;
mod view;
mod windows_missing;
pub mod wire;
mod world;

pub use world::close_to_others;
