//! Starts the real program and looks at what a person or a script would see.

mod connections;
mod crash;
mod credentials;
mod demo;
mod grants;
mod help;
mod http;
mod imports;
mod json_answers;
mod program;
mod running;
mod sample;
mod serving;
mod store_file;
mod usage;
