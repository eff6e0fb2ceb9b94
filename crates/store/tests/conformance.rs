//! Table × backend: every promise of the store as one named test, and the proof that they can fail.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "test code; without the usual harness the lints cannot tell"
)]

mod broken;

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use pdpp_contract::ports::Entropy;
use pdpp_store::conformance::{Case, TABLES, run};
use pdpp_store::{Store, StoreOptions, open};

/// A kind of store to test. Another backend is one more line in [`BACKENDS`].
#[derive(Clone, Copy)]
pub struct Backend {
    name: &'static str,
    /// Opens a fresh store that lives in the directory.
    fresh: fn(&Path) -> Arc<dyn Store>,
}

const BACKENDS: &[Backend] = &[Backend { name: "sqlite", fresh: sqlite }];

fn sqlite(directory: &Path) -> Arc<dyn Store> {
    let options = StoreOptions::new(directory.join("store.db"), Arc::new(Counting));
    block_on(open(options)).expect("a fresh store opens")
}

/// Bytes that are the same on every run.
struct Counting;

impl Entropy for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        for (at, byte) in (1_u8..).zip(bytes) {
            *byte = at.wrapping_mul(37);
        }
    }
}

impl Backend {
    /// Runs a case on a fresh store, which a wrapper may break first.
    fn run(self, case: &Case, wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        runtime().block_on(async {
            let store = tokio::task::block_in_place(|| (self.fresh)(directory.path()));
            run(case, wrap(store)).await;
        });
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Handle::current().block_on(future)
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for &backend in BACKENDS {
        for (table, cases) in TABLES {
            trials.extend(cases.iter().map(|&case| {
                let name = format!("{}::{table}::{}", backend.name, case.name);
                Trial::test(name, move || {
                    backend.run(&case, |store| store);
                    Ok(())
                })
            }));
        }
    }
    trials.extend(broken::trials(BACKENDS[0]));
    libtest_mimic::run(&arguments, trials).exit();
}
