//! What a Singer tap wants to be told at its next run: `tap --state FILE`.

use std::io::Write;

use pdpp_contract::ConnectionName;

use crate::data_dir::{DataDir, create_private};
use crate::failure::Failure;
use crate::output::note;

/// Keeps the state of a connection's tap. It appears whole or not at all.
pub fn keep(data_dir: &DataDir, name: &ConnectionName, state: &str) -> Result<(), Failure> {
    let directory = data_dir.path().join("singer");
    let path = directory.join(format!("{name}.state.json"));
    let failed = |error: std::io::Error| Failure::file("write", &path, &error);
    create_private(&directory).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(&directory).map_err(failed)?;
    writeln!(file, "{state}").map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    note(&format!("State for the next run of the tap: --state {}", path.display()));
    Ok(())
}
