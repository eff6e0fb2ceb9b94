//! Two stores, the same random operations, the same answers in the same order.
//!
//! Numbers of records are each store's own and are left out of the comparison; everything else an
//! answer holds is compared. A seed says exactly what is done.

mod chance;
mod reads;
mod writes;

use std::fmt::Debug;
use std::sync::Arc;

use super::sample::{Account, declaration};
use crate::Store;
use crate::records::StoredRecord;
use chance::Chance;

/// The declaration that both stores begin with.
const DECLARATION: &str = include_str!("declaration.json");
/// The names of the connections.
const NAMES: [&str; 2] = ["a", "b"];

/// The same connections in two stores.
struct Pair {
    left: Side,
    right: Side,
    chance: Chance,
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

/// Puts many records into both stores and compares searches, which then walk the index.
pub async fn compare_many(seed: u64, records: usize, left: Arc<dyn Store>, right: Arc<dyn Store>) {
    let mut pair = Pair::open(seed, left, right).await;
    pair.fill(records).await;
    for step in 0..60 {
        pair.step = step;
        pair.search().await;
        pair.list().await;
    }
    pair.settle().await;
}

impl Pair {
    async fn open(seed: u64, left: Arc<dyn Store>, right: Arc<dyn Store>) -> Self {
        let left = Side::open(left).await;
        let right = Side::open(right).await;
        Self { left, right, chance: Chance::new(seed), step: 0 }
    }

    async fn act(&mut self) {
        match self.chance.below(100) {
            0..30 => self.write().await,
            30..38 => self.delete().await,
            38..54 => self.list().await,
            54..60 => self.find().await,
            60..68 => self.window().await,
            68..76 => self.aggregate().await,
            76..86 => self.search().await,
            86..94 => self.changes().await,
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
    record.record_no = 0;
    record
}
