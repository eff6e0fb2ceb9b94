//! The HTTP server as its callers meet it: a real socket, a real store.

mod client;
mod envelope;
mod health;
mod lists;
mod long_fields;
mod openapi;
mod ownership;
mod records;
mod safety;
mod schema;
mod shutdown;
mod windows;
mod world;
mod writes;
