//! A suite that cannot fail proves nothing: stores broken on purpose, and the cases that catch them.

mod accounts;
mod expectations;
mod faults;
mod faulty;
mod store;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use libtest_mimic::Trial;
use pdpp_store_conformance::{Case, TABLES};

use super::Backend;
use expectations::{EXPECTATIONS, Expectation};
use store::Broken;

/// One test per broken store.
pub fn trials(backend: Backend) -> Vec<Trial> {
    quiet_expected_panics();
    let trial = |expectation: &'static Expectation| {
        Trial::test(format!("broken::{}", expectation.name), move || {
            let must = |case: &Case| expectation.caught_by.contains(&case.name);
            let caught = caught(backend, expectation, must);
            let missed: Vec<_> =
                expectation.caught_by.iter().filter(|name| !caught.contains(name)).collect();
            if missed.is_empty() {
                return Ok(());
            }
            // Who else notices is worth knowing only now: it takes the whole of the parts.
            let others = self::caught(backend, expectation, |case| !must(case));
            Err(format!("not caught by {missed:?}; caught by {caught:?} and {others:?}").into())
        })
    };
    EXPECTATIONS.iter().map(trial).collect()
}

/// Those of the wanted cases that fail on the broken store.
fn caught(
    backend: Backend,
    expectation: &Expectation,
    wanted: impl Fn(&Case) -> bool,
) -> Vec<&'static str> {
    let tables = TABLES.iter().filter(|(name, _)| expectation.tables.contains(name));
    let fails = |case: &&Case| {
        let wrap = |inner| Arc::new(Broken { inner, fault: expectation.fault }) as Arc<_>;
        EXPECTED.set(true);
        let outcome = catch_unwind(AssertUnwindSafe(|| backend.run(case, wrap)));
        EXPECTED.set(false);
        outcome.is_err()
    };
    let cases = tables.flat_map(|(_, cases)| cases.iter()).filter(|case| wanted(case));
    cases.filter(fails).map(|case| case.name).collect()
}

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Dozens of expected panics would bury an unexpected one.
fn quiet_expected_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !EXPECTED.get() {
            usual(panic);
        }
    }));
}
