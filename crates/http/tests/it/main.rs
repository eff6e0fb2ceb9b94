//! The HTTP server as its callers meet it: a real socket, a real store.
//!
//! Modules are marked as tests so that the lints know their helpers for test code.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod aggregates;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod client;
#[cfg(test)]
mod closing;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod dashboard;
#[cfg(test)]
mod envelope;
#[cfg(test)]
mod health;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod logs;
#[cfg(test)]
mod long_fields;
#[cfg(test)]
mod oauth;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod ownership;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod records;
#[cfg(test)]
mod rewording;
#[cfg(test)]
mod running_answers;
#[cfg(test)]
mod safety;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod shutdown;
#[cfg(test)]
mod windows;
#[cfg(test)]
mod world;
#[cfg(test)]
mod writes;
