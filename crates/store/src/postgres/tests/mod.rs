//! Tests of this backend against a server.

mod driver;
mod errors;
mod hidden_cost;
mod index_words;
mod migrations;
mod pool;
mod transfer;
mod turns;
mod writer;
