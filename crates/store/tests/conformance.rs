//! Table × backend: every promise of the store as one named test, and the proof that they can fail.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "test code; without the usual harness the lints cannot tell"
)]

mod broken;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use pdpp_contract::ports::Entropy;
use pdpp_store::{Database, Store, StoreOptions, open};
use pdpp_store_conformance::differential::{compare, compare_many};
use pdpp_store_conformance::{Case, TABLES, run};
use pdpp_testkit::postgres::{FreshDatabase, Sorting, Template};

/// How long a read may take: the machine may be busy, and these programs are not optimised.
const PATIENCE: Duration = Duration::from_secs(200);
/// Seeds of the differential that are run every time. One that showed a difference is added and stays.
/// The first meets a time on the border between two sessions' parts of a count, the second a text that
/// equals the bound of a range.
const KEPT: &[u64] = &[1, 2];
/// Seeds that are run at full size only.
const MORE: &[u64] = &[3, 4, 5, 6];

/// A kind of store to test. Another backend is one more line in [`BACKENDS`].
#[derive(Clone, Copy)]
pub struct Backend {
    name: &'static str,
    /// Opens a fresh store that lives in the directory, and what it needs to live; nothing when the
    /// backend is left out.
    fresh: fn(&Path) -> Option<Fresh>,
}

/// A store, and the database that goes with it.
type Fresh = (Arc<dyn Store>, Option<FreshDatabase>);

/// Postgres twice: a database that sorts by a language, and one that sorts by bytes.
const BACKENDS: &[Backend] = &[
    Backend { name: "sqlite", fresh: |at| Some(sqlite(at)) },
    Backend { name: "postgres", fresh: |at| postgres(at, &BY_LANGUAGE) },
    Backend { name: "postgres_c", fresh: |at| postgres(at, &BY_BYTES) },
];

fn sqlite(directory: &Path) -> Fresh {
    (block_on(open(options(directory))).expect("a fresh store opens"), None)
}

fn options(directory: &Path) -> StoreOptions {
    let mut options = StoreOptions::new(directory.join("store.db"), Arc::new(Counting));
    options.read_deadline = PATIENCE;
    options
}

/// Each case has a database of its own, which is a copy of an empty store.
static BY_LANGUAGE: Template = Template::new(Sorting::Language);
static BY_BYTES: Template = Template::new(Sorting::Bytes);

fn postgres(directory: &Path, template: &Template) -> Option<Fresh> {
    let open_at = async |url: &str| {
        let options = options(directory).on_postgres(Database::new(url));
        open(options).await.expect("a fresh store opens")
    };
    let database = block_on(template.copy(async |url| drop(open_at(url).await)))?;
    Some((block_on(open_at(database.url())), Some(database)))
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
            let fresh = tokio::task::block_in_place(|| (self.fresh)(directory.path()));
            if let Some((store, _database)) = fresh {
                run(case, wrap(store)).await;
            }
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

/// SQLite and Postgres side by side, or with `PDPP_HEAVY` more seeds and ten thousand steps of each.
fn differential() -> Vec<Trial> {
    let (steps, more) = if is_heavy() { (10_000, MORE) } else { (150, [].as_slice()) };
    let mut trials: Vec<Trial> = KEPT
        .iter()
        .chain(more)
        .map(|&seed| {
            Trial::test(format!("differential::seed_{seed}"), move || {
                side_by_side(async |left, right| compare(seed, steps, left, right).await);
                Ok(())
            })
        })
        .collect();
    trials.push(Trial::test("differential::many_records", || {
        side_by_side(async |left, right| compare_many(3, 3_500, left, right).await);
        Ok(())
    }));
    trials
}

fn side_by_side(compare: impl AsyncFnOnce(Arc<dyn Store>, Arc<dyn Store>)) {
    let (one, other) = (tempfile::tempdir(), tempfile::tempdir());
    let (one, other) = (one.expect("a directory"), other.expect("a directory"));
    runtime().block_on(async {
        let open =
            |backend: Backend, at: &Path| tokio::task::block_in_place(|| (backend.fresh)(at));
        let (Some((left, _)), Some((right, _database))) =
            (open(BACKENDS[0], one.path()), open(BACKENDS[1], other.path()))
        else {
            return;
        };
        compare(left, right).await;
    });
}

#[expect(clippy::disallowed_methods, reason = "a test chooses its size by the environment")]
fn is_heavy() -> bool {
    std::env::var_os("PDPP_HEAVY").is_some()
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
    trials.extend(differential());
    let conclusion = libtest_mimic::run(&arguments, trials);
    BY_LANGUAGE.end();
    BY_BYTES.end();
    conclusion.exit();
}
