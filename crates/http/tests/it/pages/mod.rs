//! Pages as a browser meets them, and as somebody who tries to misuse them does.

mod activity;
pub mod browser;
mod choosing;
mod commands;
mod consent;
mod entering;
mod looking;
mod misuse;
mod ports;
mod taken_port;
