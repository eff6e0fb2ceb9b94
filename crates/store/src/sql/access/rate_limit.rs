//! Sums of what callers took, over all servers.

use super::backend::driver::{Connection, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::from_driver;
use crate::access::rate_limit::RateLimitStore;
use crate::error::StoreResult;
use pdpp_contract::access::Taken;

const ADD: &str = "
    INSERT INTO paces (pace, caller, full_at)
    VALUES (?1, ?2, ?5)
        ON CONFLICT (pace, caller) DO UPDATE
       SET full_at = CASE WHEN paces.full_at > ?3 THEN paces.full_at ELSE ?3 END + ?4
    RETURNING full_at";

const FORGET: &str = "
    DELETE FROM paces
     WHERE full_at <= ?1";

#[async_trait]
impl RateLimitStore for Backend {
    fn is_shared(&self) -> bool {
        Self::IS_SHARED
    }

    async fn add_taken(&self, taken: Vec<Taken>, now: Timestamp) -> StoreResult<Vec<i64>> {
        let now = now.as_microsecond();
        self.aside(move |db| taken.iter().map(|one| add(db, one, now)).collect()).await
    }

    async fn forget_full(&self, now: Timestamp) -> StoreResult<()> {
        let now = now.as_microsecond();
        self.aside(move |db| db.execute(FORGET, [now]).map_err(from_driver)).await?;
        Ok(())
    }
}

/// Each caller is a statement of its own: two servers never wait for each other's rows.
fn add(db: &Connection, taken: &Taken, now: i64) -> StoreResult<i64> {
    let values = params![taken.limit, taken.caller, now, taken.micros, now + taken.micros];
    let full_at: i64 = db
        .prepare_cached(ADD)
        .and_then(|mut add| add.query_row(values, |row| row.get(0)))
        .map_err(from_driver)?;
    Ok((full_at - now).max(0))
}
