//! Errands for a child process: some numbers only a fresh process can tell.

use std::process::{Child, Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::measured::cold;
use super::world::{World, unexpected};
use crate::error::BenchError;
use crate::host::{Host, StoreLocation};

/// What a child is asked to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "errand")]
pub enum Errand {
    /// Read a window of a long field first thing.
    ColdWindow {
        /// The record with the long field.
        id: String,
        /// A record with a short field, to warm up with.
        warm_id: String,
        /// Where the window starts, in characters.
        start: u64,
    },
}

/// In the child: does the errand on a store.
pub async fn run(
    host: &dyn Host,
    errand: Errand,
    location: &StoreLocation,
) -> Result<Value, BenchError> {
    let world = World::open(host, location).await?;
    match errand {
        Errand::ColdWindow { id, warm_id, start } => cold::tell(&world, &id, &warm_id, start).await,
    }
}

/// Sends a child on an errand and waits for what it tells.
pub fn send(errand: &Errand, location: &StoreLocation) -> Result<Value, BenchError> {
    let errand = serde_json::to_string(errand).unwrap_or_default();
    let mut command = program()?;
    command.arg("bench-child").arg(errand).arg("--data-dir").arg(&location.directory).arg("--json");
    let answer = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(&error))?;
    serde_json::from_slice(&answer.stdout)
        .map_err(|_| unexpected("a child process did not finish its errand"))
}

/// This program, to be run once more.
pub fn program() -> Result<Command, BenchError> {
    let path = std::env::current_exe().map_err(|error| not_started(&error))?;
    Ok(Command::new(path))
}

/// A process that ends with its owner.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Why a child could not be started.
pub fn not_started(error: &std::io::Error) -> BenchError {
    unexpected(&format!("a child process cannot be started: {error}"))
}
