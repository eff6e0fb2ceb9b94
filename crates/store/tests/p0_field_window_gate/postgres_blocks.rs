//! What a window touches on a Postgres server: blocks of eight kilobytes, cached or not.
//!
//! The server's statistics tell what a whole read has touched, whichever statements it consisted of.

use pdpp_contract::limits::CHUNK_CHARS;
use tokio_postgres::Client;

use crate::costs::{Costs, Measured};
use crate::long_field::LongField;
use crate::postgres::plain;
use crate::probe::{Cost, Kind};

/// For a process that reads twice, with what the planner looks up. An id is found by its neighbour, so
/// that a hidden one costs what an absent one costs: a few blocks of an index more.
const TOUCHED_BLOCKS: u64 = 72;
/// A larger tree may be one block deeper at each of a few lookups, and a chunk may have been moved
/// out of its row.
const GROWTH: u64 = 8;

/// Vacuum would touch the same tables at a time of its own.
const NO_VACUUM: &str = "
    ALTER TABLE text_chunks SET (autovacuum_enabled = false, toast.autovacuum_enabled = false);
    ALTER TABLE records SET (autovacuum_enabled = false, toast.autovacuum_enabled = false);
    ALTER TABLE texts SET (autovacuum_enabled = false);
    ALTER TABLE record_keys SET (autovacuum_enabled = false);
    ALTER TABLE collections SET (autovacuum_enabled = false);
    ALTER TABLE connections SET (autovacuum_enabled = false);";
const OTHERS: &str = "
    SELECT count(*)
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()";
const TOUCHED: &str = "
    SELECT sum(coalesce(heap_blks_hit, 0) + coalesce(heap_blks_read, 0)
             + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)
             + coalesce(toast_blks_hit, 0) + coalesce(toast_blks_read, 0)
             + coalesce(tidx_blks_hit, 0) + coalesce(tidx_blks_read, 0))::bigint
      FROM pg_statio_user_tables";

/// A window touches few blocks, wherever it lies and however long its field is. Says what the
/// reading processes report beside.
pub async fn do_not_grow(measured: &Measured<'_>) -> Costs {
    plain(measured.store).await.batch_execute(NO_VACUUM).await.unwrap();
    // A connection of its own, because one that has touched tables hands that in at any time.
    let client = plain(measured.store).await;
    let mut windows = Vec::new();
    let mut per_size = Vec::new();
    for field in measured.fields {
        let (mut costs, mut most) = (Vec::new(), 0);
        for start in field.starts() {
            let (touched, cost) = touched(&client, measured, field, Kind::Window { start }).await;
            most = most.max(touched);
            costs.push(cost);
        }
        windows.push(costs.try_into().unwrap());
        per_size.push(most);
    }
    assert_bounded(&per_size, TOUCHED_BLOCKS);
    let largest = measured.largest();
    let (seen, whole) = touched(&client, measured, largest, Kind::Whole).await;
    // Compressed, up to eight chunks fit into a block.
    assert!(seen >= largest.chars / CHUNK_CHARS / 8, "the counter sees what is touched: {seen}");
    Costs { windows, whole }
}

fn assert_bounded(per_size: &[u64], limit: u64) {
    println!("blocks per size: {per_size:?}");
    let most = (per_size[0] + GROWTH).min(limit);
    assert!(per_size.iter().all(|blocks| *blocks <= most), "{per_size:?} against {most}");
}

/// What a whole read has touched, by the server's statistics, and what its process reports.
async fn touched(
    client: &Client,
    measured: &Measured<'_>,
    field: &LongField,
    kind: Kind,
) -> (u64, Cost) {
    let before = statistics(client).await;
    let cost = measured.cost(field, kind);
    (statistics(client).await - before, cost)
}

/// Every block any table has been touched in. A connection hands in its numbers when it ends, so
/// the others are waited for.
async fn statistics(client: &Client) -> u64 {
    let mut tries = 0..100_000;
    while client.query_one(OTHERS, &[]).await.unwrap().get::<_, i64>(0) > 0 {
        tries.next().expect("the other connections end");
    }
    let touched: i64 = client.query_one(TOUCHED, &[]).await.unwrap().get(0);
    u64::try_from(touched).unwrap()
}
