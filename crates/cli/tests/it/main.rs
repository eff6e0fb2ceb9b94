//! Starts the real program and looks at what a person or a script would see.
//!
//! Modules are marked as tests so that the lints know their helpers for test code.

#[cfg(target_os = "linux")]
#[cfg(test)]
mod accounts;
#[cfg(unix)]
#[cfg(test)]
mod addresses;
#[cfg(test)]
mod backups;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod compacting;
#[cfg(test)]
mod connect;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod credentials;
#[cfg(test)]
mod demo;
#[cfg(unix)]
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod everything;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod file_texts;
#[cfg(test)]
mod foreign_exports;
#[cfg(unix)]
#[cfg(test)]
mod foreign_stores;
#[cfg(test)]
mod front;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod help;
#[cfg(test)]
mod hints;
#[cfg(test)]
mod history;
#[cfg(unix)]
mod hostile_backups;
#[cfg(test)]
mod http;
#[cfg(test)]
mod imported_mail;
mod imports;
#[cfg(test)]
mod instances;
#[cfg(test)]
mod json_answers;
#[cfg(test)]
mod judged_life;
#[cfg(test)]
mod large_exports;
#[cfg(test)]
mod left_out;
#[cfg(test)]
mod mcp;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod memory;
#[cfg(test)]
mod moves;
#[cfg(test)]
mod outages;
#[cfg(test)]
mod owner;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod program;
#[cfg(test)]
mod quality;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod redeclaring;
#[cfg(unix)]
#[cfg(test)]
mod releases;
#[cfg(test)]
mod running;
#[cfg(test)]
mod running_answers;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod serving;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod setup;
#[cfg(test)]
mod singer_tap;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod small_disk;
#[cfg(test)]
mod store_file;
#[cfg(unix)]
#[cfg(test)]
mod store_moved;
#[cfg(test)]
mod store_time;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod watching;
#[cfg(test)]
mod wide;
