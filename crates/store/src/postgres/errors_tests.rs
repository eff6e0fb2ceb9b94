//! What the server says on its way out: try again, and over another session.

use super::errors::from_driver;
use super::testing::fresh;
use crate::error::StoreError;

/// A server that became a replica, shuts down, has crashed, starts up, ended the session, lost the way.
const LEAVING: [&str; 9] =
    ["25006", "0A000", "57P01", "57P02", "57P03", "25P03", "08000", "08003", "08006"];

/// Has the server say so.
fn raise(code: &str) -> String {
    format!("DO $$ BEGIN RAISE EXCEPTION 'so it goes' USING ERRCODE = '{code}'; END $$")
}

#[tokio::test]
async fn a_server_that_leaves_is_unavailable_and_its_session_is_not_used_again() {
    let Some((store, _kept)) = fresh().await else { return };
    for code in LEAVING {
        let said = store
            .with_writer(move |db| {
                let said = db.execute_batch(&raise(code)).map_err(from_driver);
                assert!(!db.is_sound(), "{code}");
                said
            })
            .await;
        assert!(matches!(said, Err(StoreError::Unavailable(_))), "{code}: {said:?}");
        store.write(|_| Ok(())).await.expect("another session writes");
    }
}

#[tokio::test]
async fn a_refusal_that_lasts_is_told_apart_and_its_session_is_used_again() {
    let Some((store, _kept)) = fresh().await else { return };
    let said = store
        .with_writer(|db| {
            let said = db.execute_batch(&raise("42501")).map_err(from_driver);
            assert!(db.is_sound());
            said
        })
        .await;
    assert!(matches!(said, Err(StoreError::NotAllowed(_))), "{said:?}");
}
