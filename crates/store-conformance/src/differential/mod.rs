//! Two stores, the same random operations, the same answers in the same order.
//!
//! Numbers of records are each store's own and are left out of the comparison; everything else an
//! answer holds is compared. A seed says exactly what is done.

mod chance;
mod following;
mod limits;
mod numbers;
mod reads;
mod times;
mod windows;
mod writes;

use std::fmt::Debug;
use std::sync::Arc;

use super::sample::{Account, declaration};
use chance::Chance;
use following::Follower;
use pdpp_store::RecordNo;
use pdpp_store::Store;
use pdpp_store::records::StoredRecord;

/// The declaration that both stores begin with.
const DECLARATION: &str = include_str!("declaration.json");
/// The names of the connections.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// The same connections in two stores.
struct Pair {
    left: Side,
    right: Side,
    chance: Chance,
    followers: Vec<Follower>,
    /// What was done, for whoever has to find out why.
    step: usize,
}

/// One store with its connections.
struct Side {
    store: Arc<dyn Store>,
    accounts: Vec<Account>,
}

/// Runs random operations on both stores and compares every answer.
pub async fn compare(seed: u64, steps: usize, left: Arc<dyn Store>, right: Arc<dyn Store>) {
    let mut pair = Pair::open(seed, left, right).await;
    for step in 0..steps {
        pair.step = step;
        pair.act().await;
    }
    pair.settle().await;
}

/// Puts many records into both stores and compares what then takes many steps: searches walk the
/// index, and counts are shared between sessions.
pub async fn compare_many(seed: u64, records: usize, left: Arc<dyn Store>, right: Arc<dyn Store>) {
    let mut pair = Pair::open(seed, left, right).await;
    pair.fill(records).await;
    for step in 0..40 {
        pair.step = step;
        pair.search().await;
        pair.list().await;
        if step % 4 == 0 {
            pair.aggregate().await;
        }
    }
    pair.settle().await;
}

impl Pair {
    async fn open(seed: u64, left: Arc<dyn Store>, right: Arc<dyn Store>) -> Self {
        let left = Side::open(left).await;
        let right = Side::open(right).await;
        Self { left, right, chance: Chance::new(seed), followers: Vec::new(), step: 0 }
    }

    async fn act(&mut self) {
        match self.chance.below(100) {
            0..28 => self.write().await,
            28..34 => self.delete().await,
            34..48 => self.list().await,
            48..52 => self.find().await,
            52..62 => self.window().await,
            62..76 => self.aggregate().await,
            76..84 => self.search().await,
            84..94 => self.changes().await,
            94..96 => self.relate().await,
            96 => self.redeclare().await,
            97 => self.prune().await,
            98 => self.erase().await,
            _ => self.leave().await,
        }
    }

    /// At the end both stores are sound and of the same size.
    async fn settle(&self) {
        let (left, right) = (self.left.store.verify().await, self.right.store.verify().await);
        let (left, right) = (left.unwrap(), right.unwrap());
        assert_eq!(left, right);
        assert_eq!(left.faults, Vec::<String>::new());
    }

    /// Both answered alike.
    fn same<T: Debug>(&self, what: &impl Debug, left: &T, right: &T) {
        let (left, right) = (format!("{left:#?}"), format!("{right:#?}"));
        assert_eq!(left, right, "seed {}, step {}: {what:?}", self.chance.seed(), self.step);
    }
}

impl Side {
    async fn open(store: Arc<dyn Store>) -> Self {
        let mut accounts = Vec::new();
        for name in NAMES {
            accounts.push(Account::declared(&store, name, declaration(DECLARATION)).await);
        }
        Self { store, accounts }
    }
}

/// A record without the number that its store gave it.
fn unnumbered(mut record: StoredRecord) -> StoredRecord {
    record.record_no = RecordNo(0);
    record
}
