//! A newer version changes the tables under an open store: the old one stops and says so.

use super::backend::errors::from_driver;
use super::backend::testing::{NEWER_SCHEMA, another, fresh};
use crate::StoreError;
use crate::access::audit::AuditStore;
use crate::maintenance::Maintenance;
use pdpp_contract::access::AuditEvent;

#[tokio::test]
async fn an_open_store_stops_when_a_newer_version_has_changed_its_tables() {
    let Some((store, guard)) = fresh().await else { return };
    let event = || vec![AuditEvent::by_owner(jiff::Timestamp::UNIX_EPOCH, "search")];
    store.append_audit(event()).await.unwrap();
    store.check().await.unwrap();
    let newer = another(&guard).await.unwrap();
    newer.with_writer(|db| db.execute_batch(NEWER_SCHEMA).map_err(from_driver)).await.unwrap();
    let refused = store.append_audit(event()).await;
    assert!(matches!(refused, Err(StoreError::TooNew { .. })), "{refused:?}");
    // A reader looks once a second; it must not take longer.
    let began = std::time::Instant::now();
    loop {
        match store.check().await {
            Err(StoreError::TooNew { .. }) => break,
            Err(other) => panic!("{other:?}"),
            Ok(()) => tokio::task::yield_now().await,
        }
        assert!(began.elapsed().as_secs() < 5, "reads go on");
    }
    assert!(store.check_writing().await.is_err() || store.check().await.is_err());
}
