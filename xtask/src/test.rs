//! `cargo xtask test`: every test of the workspace, with what the tests need brought first.

use anyhow::{Result, anyhow};

use crate::needs::{self, Need};
use crate::{browser, clients, run};

/// Tests read this to know what was left out, and say so.
const WITHOUT: &str = "PDPP_TEST_WITHOUT";

/// The whole workspace at once: a package built alone gets other features of what it depends on, and
/// is built a second time.
const ALL: [&str; 3] = ["test", "--locked", "--workspace"];

/// Journeys of the program that must not depend on where the store is.
const JOURNEYS: &[&str] =
    &["blobs::", "connections::", "grants::", "history::", "json_answers::", "mcp::"];

/// The journeys again, each with its store in Postgres.
fn on_postgres() -> Result<()> {
    let mut tests = run::cargo(&ALL);
    tests.args(["--test", "it", "--"]);
    run::step(tests.args(JOURNEYS).env("PDPP_TEST_STORE", "postgres"))
}

pub fn test(arguments: &[String]) -> Result<()> {
    let left_out = needs::left_out(arguments)?;
    // What is fetched takes the network's time and what is built the processor's.
    std::thread::scope(|scope| {
        let bringing = scope.spawn(|| bring_all_but(&left_out));
        let built = run::step(run::cargo(&ALL).arg("--no-run"));
        bringing.join().map_err(|_| anyhow!("bringing what tests need broke off"))?.and(built)
    })?;
    let names: Vec<&str> = left_out.iter().map(|need| need.name()).collect();
    let mut tests = run::cargo(&ALL);
    tests.arg("--no-fail-fast");
    if names.is_empty() {
        // A value left over in the caller's shell must not quietly shrink the run.
        tests.env_remove(WITHOUT);
    } else {
        tests.env(WITHOUT, names.join(","));
    }
    let mut outcome = run::step(&mut tests);
    if !left_out.contains(&Need::Postgres) {
        outcome = outcome.and(on_postgres());
    }
    if !left_out.contains(&Need::Clients) {
        let clients = clients::run((WITHOUT, &names.join(",")));
        outcome = outcome.and(clients);
    }
    if !left_out.contains(&Need::Browser) {
        let journeys = browser::run();
        outcome = outcome.and(journeys);
    }
    // Said again at the end, where it is read.
    for name in names {
        eprintln!("!!! LEFT OUT: every test that needs {name}");
    }
    outcome
}

fn bring_all_but(left_out: &[Need]) -> Result<()> {
    for need in Need::ALL {
        if left_out.contains(&need) {
            eprintln!("!!! LEFT OUT: every test that needs {}", need.name());
        } else {
            need.bring()?;
        }
    }
    Ok(())
}
