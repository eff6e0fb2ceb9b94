//! What a Singer tap wants to be told at its next run: `tap --state FILE`.

use pdpp_contract::ConnectionName;

use crate::data_dir::{DataDir, write_private};
use crate::failure::Failure;
use crate::output::note;

/// Keeps the state of a connection's tap. It appears whole or not at all.
pub fn keep(data_dir: &DataDir, name: &ConnectionName, state: &str) -> Result<(), Failure> {
    let path = data_dir.path().join("singer").join(format!("{name}.state.json"));
    write_private(&path, format!("{state}\n").as_bytes())
        .map_err(|error| Failure::file("write", &path, &error))?;
    note(&format!("State for the next run of the tap: --state {}", path.display()));
    Ok(())
}
