//! A session beside those of the program under test: it holds a lock or a place, and looks.

use anyhow::Result;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

/// A session that waits for each answer.
#[derive(Debug)]
pub struct Beside {
    client: Client,
    runtime: Runtime,
}

impl Beside {
    /// Opens a session.
    ///
    /// # Errors
    ///
    /// When the server does not take another one.
    pub fn open(url: &str) -> Result<Self> {
        let threads =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = threads?;
        let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
        runtime.spawn(connection);
        Ok(Self { client, runtime })
    }

    /// Runs statements.
    ///
    /// # Errors
    ///
    /// When the server refuses one.
    pub fn run(&self, statements: &str) -> Result<()> {
        Ok(self.runtime.block_on(self.client.batch_execute(statements))?)
    }

    /// Asks for one whole number.
    ///
    /// # Errors
    ///
    /// When the server answers anything else.
    pub fn number(&self, question: &str) -> Result<i64> {
        Ok(self.runtime.block_on(self.client.query_one(question, &[]))?.try_get(0)?)
    }
}
