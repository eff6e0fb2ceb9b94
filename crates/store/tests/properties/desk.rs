//! Where the cases of a test run: one store, and a runner that draws the same cases every time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pdpp_contract::ports::Entropy;
use pdpp_store::{Store, StoreOptions, open};
use pdpp_store_conformance::sample::Account;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// One store for all cases of a test; each case has connections of its own.
pub struct Desk {
    pub runtime: tokio::runtime::Runtime,
    pub store: Arc<dyn Store>,
    opened: AtomicU32,
    _directory: tempfile::TempDir,
}

struct Ones;

impl Entropy for Ones {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(1);
    }
}

impl Desk {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(Ones));
        let store = runtime.block_on(open(options)).unwrap();
        Self { runtime, store, opened: AtomicU32::new(0), _directory: directory }
    }

    /// A connection that no other case uses. Later ones have greater ids.
    pub async fn account(&self) -> Account {
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        Account::open(&self.store, &format!("p{number:06}")).await
    }

    pub fn is_sound(&self) {
        let report = self.runtime.block_on(self.store.verify()).unwrap();
        assert_eq!(report.faults, Vec::<String>::new());
    }
}

/// A runner that draws the same cases on every run.
pub fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
