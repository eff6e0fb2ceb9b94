//! A Postgres for tests: the server named in `PDPP_TEST_DATABASE_URL`, else a private one.
//!
//! The private server is started once per test process, in a temporary directory, and goes away
//! with the process, however that ends. A missing Postgres is a failure and never a silent pass;
//! only `PDPP_TEST_WITHOUT=postgres` leaves these tests out, and each of them then says so.

#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "for tests: a missing server is a red test, and the environment chooses the server"
)]

mod beside;
mod cluster;
mod template;
mod waiting;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};

pub use beside::Beside;
pub use cluster::Cluster;
pub use template::{Sorting, Template};
pub use waiting::{plain, until_waiting};

const TABLES: &str = "
    SELECT CAST(CAST(oid AS regclass) AS text)
      FROM pg_class
     WHERE relkind = 'r' AND relnamespace = CAST('public' AS regnamespace)";

/// An empty database of one test; it is dropped with this value.
#[derive(Debug)]
pub struct FreshDatabase {
    name: String,
    url: String,
}

/// The URL of a server that tests may create databases on, or `None` when Postgres is left out.
///
/// # Panics
///
/// When no server is given and none can be started.
pub fn database_url() -> Option<String> {
    if is_left_out() {
        eprintln!("LEFT OUT: Postgres (PDPP_TEST_WITHOUT)");
        return None;
    }
    Some(server_url())
}

/// Creates an empty database that no other test sees, or `None` when Postgres is left out.
///
/// # Panics
///
/// When no server is given and none can be started, or when it refuses the database.
pub async fn fresh_database() -> Option<FreshDatabase> {
    create_database("").await
}

async fn create_database(how: &str) -> Option<FreshDatabase> {
    let server = database_url()?;
    let name = unique_name();
    run(&server, &format!("CREATE DATABASE {name} {how}")).await;
    let url = with_database(&server, &name);
    Some(FreshDatabase { name, url })
}

impl FreshDatabase {
    /// The URL of this database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether any row of any table holds this text of plain letters, as text or as bytes.
    ///
    /// # Panics
    ///
    /// When the server does not answer.
    pub async fn holds(&self, text: &str) -> bool {
        let client = connect(&self.url).await;
        let bytes = pdpp_contract::hex(text.as_bytes());
        for table in answer(&client, TABLES, &[]).await {
            let table: String = table.get(0);
            let sql = format!(
                "SELECT FROM {table} AS t WHERE strpos(t::text, $1) + strpos(t::text, $2) > 0"
            );
            if !answer(&client, &sql, &[&text, &bytes]).await.is_empty() {
                return true;
            }
        }
        false
    }
}

impl FreshDatabase {
    /// Runs statements, such as a dump.
    ///
    /// # Panics
    ///
    /// When the server refuses one.
    pub async fn load(&self, statements: &str) {
        run(&self.url, statements).await;
    }

    fn drop_now(&self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // A thread of its own, because the test's runtime cannot wait inside a drop.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map(|runtime| runtime.block_on(run(&server_url(), &statement)))
        });
        if dropping.join().is_err() {
            eprintln!("test database {} was not dropped", self.name);
        }
    }
}

impl Drop for FreshDatabase {
    /// A suite of a thousand cases must not leave a thousand databases behind.
    fn drop(&mut self) {
        self.drop_now();
    }
}

/// Whether tests that need Postgres are left out of this run.
pub fn is_left_out() -> bool {
    let left_out = std::env::var("PDPP_TEST_WITHOUT").unwrap_or_default();
    left_out.split(',').any(|name| name.trim() == "postgres")
}

fn server_url() -> String {
    static PRIVATE: OnceLock<Cluster> = OnceLock::new();
    match std::env::var("PDPP_TEST_DATABASE_URL") {
        Ok(url) if !url.is_empty() => url,
        _ => PRIVATE.get_or_init(start).url(),
    }
}

fn start() -> Cluster {
    Cluster::start().unwrap_or_else(|error| {
        panic!(
            "these tests need Postgres: {error:#}. Install the Debian package `postgresql`, or set \
             PDPP_TEST_DATABASE_URL, or leave them out with `cargo xtask test --without postgres`"
        )
    })
}

/// Unique on a server that several processes use at the same time, today and tomorrow.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = jiff::Timestamp::now().as_nanosecond();
    format!("pdpp_test_{}_{now}_{count}", std::process::id())
}

/// The same server, another database: the path of the URL changes, its options stay.
fn with_database(server: &str, name: &str) -> String {
    let (address, options) = match server.split_once('?') {
        Some((address, options)) => (address, format!("?{options}")),
        None => (server, String::new()),
    };
    let authority_starts = address.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = address.split_at(authority_starts);
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}{authority}/{name}{options}")
}

async fn run(url: &str, statement: &str) {
    let client = connect(url).await;
    if let Err(error) = client.batch_execute(statement).await {
        panic!("`{statement}` failed: {error:?}");
    }
}

async fn answer(client: &Client, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Vec<Row> {
    match client.query(sql, values).await {
        Ok(rows) => rows,
        Err(error) => panic!("`{sql}` failed: {error:?}"),
    }
}

async fn connect(url: &str) -> Client {
    match tokio_postgres::connect(url, NoTls).await {
        Ok((client, connection)) => {
            tokio::spawn(connection);
            client
        }
        Err(error) => panic!("no connection to the test server {url}: {error:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn one_text(url: &str, query: &str) -> String {
        let row = connect(url).await.query_one(query, &[]).await.unwrap();
        row.get(0)
    }

    #[test]
    fn only_the_database_of_a_url_changes() {
        let cases = [
            ("postgres://u@h:5432/postgres", "postgres://u@h:5432/new"),
            ("postgres://u:p@h", "postgres://u:p@h/new"),
            ("postgresql://h/a?sslmode=disable", "postgresql://h/new?sslmode=disable"),
        ];
        for (server, expected) in cases {
            assert_eq!(with_database(server, "new"), expected);
        }
    }

    #[tokio::test]
    async fn each_test_has_an_empty_database_of_its_own() {
        let (Some(one), Some(two)) = (fresh_database().await, fresh_database().await) else {
            return;
        };
        assert_ne!(one.url(), two.url());
        let client = connect(one.url()).await;
        client.batch_execute("CREATE TABLE mine (n int)").await.unwrap();
        let seen = "SELECT count(*)::text FROM pg_tables WHERE tablename = 'mine'";
        assert_eq!(one_text(one.url(), seen).await, "1");
        assert_eq!(one_text(two.url(), seen).await, "0");
    }

    #[tokio::test]
    async fn a_database_goes_away_with_its_test() {
        let (Some(server), Some(database)) = (database_url(), fresh_database().await) else {
            return;
        };
        let left_open = connect(database.url()).await;
        let name = database.name.clone();
        drop(database);
        let seen = format!("SELECT count(*)::text FROM pg_database WHERE datname = '{name}'");
        assert_eq!(one_text(&server, &seen).await, "0");
        drop(left_open);
    }
}
