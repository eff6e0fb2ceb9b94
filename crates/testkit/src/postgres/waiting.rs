//! Sessions that wait for each other: a test holds a lock, and looks until somebody waits for it.

use std::time::Duration;

use tokio_postgres::{Client, NoTls};

/// The server pauses before it looks, so that whoever is looked for has the machine meanwhile.
const SESSIONS_THAT_WAIT: &str = "
    SELECT count(*)
      FROM pg_stat_activity
     WHERE (SELECT pg_sleep(0.01)) IS NOT NULL
       AND datname = current_database()
       AND wait_event_type = 'Lock'";
const SOON: Duration = Duration::from_secs(20);

/// A session beside those of the store under test.
///
/// # Panics
///
/// When the server does not take another one.
pub async fn plain(url: &str) -> Client {
    let Ok((client, connection)) = tokio_postgres::connect(url, NoTls).await else {
        panic!("the server takes no other session");
    };
    tokio::spawn(connection);
    client
}

/// Looks until so many sessions wait for a lock.
///
/// # Panics
///
/// When that does not come to pass.
pub async fn until_waiting(looking: &Client, many: i64) {
    let seen = async {
        loop {
            match looking.query_one(SESSIONS_THAT_WAIT, &[]).await.and_then(|row| row.try_get(0)) {
                Ok(waiting) if waiting == many => break,
                Ok::<i64, _>(_) => {}
                Err(error) => panic!("the server does not say who waits: {error}"),
            }
        }
    };
    assert!(tokio::time::timeout(SOON, seen).await.is_ok(), "never {many} that wait");
}
