//! Whoever opens a store while another process brings it up to date.

use pdpp_testkit::RepeatedByte;
use std::sync::Arc;

use crate::postgres::connection::Server;
use crate::postgres::errors::from_driver;
use crate::postgres::migrations;
use crate::postgres::spawn;
use crate::postgres::testing::fresh;
use crate::{Database, StoreOptions};

const HOLD: &str = "BEGIN; SELECT pg_advisory_xact_lock(1885630576, 0)";
/// Longer than it is waited for without a word.
const HAS_WAITED: &str = "
    SELECT count(*)
      FROM pg_stat_activity
     WHERE datname = current_database()
       AND wait_event = 'advisory'
       AND clock_timestamp() - query_start > interval '1500 milliseconds'";

#[tokio::test]
async fn a_migration_under_way_is_waited_for_however_long_it_takes() {
    let Some((_store, kept)) = fresh().await else { return };
    let (beside, connection) =
        tokio_postgres::connect(kept.0.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let (looking, connection) =
        tokio_postgres::connect(kept.0.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    beside.batch_execute(HOLD).await.unwrap();
    let database = Database::new(kept.0.url());
    let options = StoreOptions::new(kept.1.path().join("store.db"), Arc::new(RepeatedByte(7)));
    let opening = tokio::spawn(spawn(move || {
        let mut session = Server::parse(&database)?.connect()?;
        session.execute_batch("SET lock_timeout = '50ms'").map_err(from_driver)?;
        migrations::migrate(&mut session, &options).map(|_| ())
    }));
    loop {
        let waited: i64 = looking.query_one(HAS_WAITED, &[]).await.unwrap().get(0);
        if waited == 1 || opening.is_finished() {
            break;
        }
    }
    beside.batch_execute("ROLLBACK").await.unwrap();
    opening.await.unwrap().unwrap();
}
