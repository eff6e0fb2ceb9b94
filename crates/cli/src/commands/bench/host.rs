//! This program as the benchmark sees it: opens stores the way every command does.

use std::path::PathBuf;

use async_trait::async_trait;
use pdpp_bench::{BenchError, Host, OpenStore, StoreLocation};
use pdpp_contract::{ClientName, PackageId};
use pdpp_store::Database;

use crate::app::CliApp;
use crate::data_dir::credentials::{Credential, CredentialClient, Credentials, StoredCredential};
use crate::data_dir::database_address::DatabaseAddress;
use crate::data_dir::{DataDir, create_private};
use crate::failure::{Exit, Failure};
use crate::output::note;

/// The program that is measured.
pub struct Program;

#[async_trait]
impl Host for Program {
    fn locate(&self, directory: PathBuf, database: Option<Database>) -> StoreLocation {
        located(&data_dir(directory, database))
    }

    fn create_directory(&self, location: &StoreLocation) -> Result<(), BenchError> {
        let path = &location.directory;
        create_private(path).map_err(|error| BenchError::file("create", path, &error))
    }

    async fn open(&self, location: &StoreLocation) -> Result<OpenStore, BenchError> {
        let StoreLocation { directory, database, .. } = location.clone();
        let app = CliApp::open(data_dir(directory, database)).await.map_err(of_this_program)?;
        Ok(OpenStore { store: app.store, engine: app.engine, auth: app.auth })
    }

    fn keep_credential(
        &self,
        location: &StoreLocation,
        client: &ClientName,
        token: &str,
    ) -> Result<(), BenchError> {
        let kept = StoredCredential {
            credential: Credential {
                access_token: token.to_owned(),
                token_type: "Bearer".to_owned(),
                pdpp_token_kind: "client".to_owned(),
                expires_at: None,
            },
            client: CredentialClient { client_id: client.clone() },
            package_id: PackageId::new("pkg_bench")?,
        };
        let directory = DataDir::new(location.directory.clone()).credentials();
        Credentials::new(directory).keep(&kept).map(drop).map_err(of_this_program)
    }

    fn progress(&self, line: &str) {
        note(line);
    }
}

/// A data directory as the benchmark refers to it.
pub fn located(data_dir: &DataDir) -> StoreLocation {
    StoreLocation {
        directory: data_dir.path().to_owned(),
        store_file: data_dir.store(),
        database: data_dir.database().cloned(),
    }
}

fn data_dir(directory: PathBuf, database: Option<Database>) -> DataDir {
    DataDir::new(directory).with_database(database.map(DatabaseAddress::known))
}

/// A failure of this program on its way through the benchmark.
#[derive(Debug)]
struct OwnFailure(Failure);

impl std::fmt::Display for OwnFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.sentence())
    }
}

impl std::error::Error for OwnFailure {}

fn of_this_program(failure: Failure) -> BenchError {
    BenchError::Host(Box::new(OwnFailure(failure)))
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        let message = error.to_string();
        match error {
            BenchError::Usage(_) => Self::usage(message),
            BenchError::Input(_) => Self::new(Exit::Data, "input", message),
            BenchError::File(_) => Self::new(Exit::Other, "file", message),
            BenchError::Unsupported(_) => Self::new(Exit::Other, "unsupported", message),
            BenchError::Unexpected(_) => Self::new(Exit::Other, "bench", message),
            BenchError::Name(fault) => fault.into(),
            BenchError::Store(error) => error.into(),
            BenchError::Auth(error) => error.into(),
            BenchError::Api(error) => error.into(),
            BenchError::Host(error) => match error.downcast::<OwnFailure>() {
                Ok(own) => own.0,
                Err(_) => Self::new(Exit::Other, "bench", message),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_store_opens_in_a_directory_that_the_benchmark_made_for_it() {
        let scratch = tempfile::tempdir().unwrap();
        let location = Program.locate(scratch.path().join("copy"), None);
        Program.create_directory(&location).unwrap();
        assert!(Program.open(&location).await.is_ok());
    }
}
