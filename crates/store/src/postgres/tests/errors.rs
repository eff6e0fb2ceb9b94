//! What the server says on its way out: try again, and over another session.

use crate::error::{StoreError, StoreResult};
use crate::postgres::Backend;
use crate::postgres::errors::from_driver;
use crate::postgres::testing::fresh;

/// A server that became a replica, shuts down, has crashed, starts up, ended the session, lost the way.
const LEAVING: [&str; 9] =
    ["25006", "0A000", "57P01", "57P02", "57P03", "25P03", "08000", "08003", "08006"];

/// Has the server say so.
fn raise(code: &str) -> String {
    format!("DO $$ BEGIN RAISE EXCEPTION 'so it goes' USING ERRCODE = '{code}'; END $$")
}

/// What comes of it, and whether the session is still good.
async fn said_and_sound(store: &Backend, code: &'static str) -> (StoreResult<()>, bool) {
    let raised = store.with_writer(move |db| {
        let said = db.execute_batch(&raise(code)).map_err(from_driver);
        Ok((said, db.is_sound()))
    });
    raised.await.unwrap()
}

#[tokio::test]
async fn a_server_that_leaves_is_unavailable_and_its_session_is_not_used_again() {
    let Some((store, _kept)) = fresh().await else { return };
    for code in LEAVING {
        let (said, is_sound) = said_and_sound(&store, code).await;
        assert!(matches!(said, Err(StoreError::Unavailable(_))), "{code}: {said:?}");
        assert!(!is_sound, "{code}");
        store.write(|_| Ok(())).await.expect("another session writes");
    }
}

#[tokio::test]
async fn a_refusal_that_lasts_is_told_apart_and_its_session_is_used_again() {
    let Some((store, _kept)) = fresh().await else { return };
    let (said, is_sound) = said_and_sound(&store, "42501").await;
    assert!(matches!(said, Err(StoreError::NotAllowed(_))), "{said:?}");
    assert!(is_sound);
}
