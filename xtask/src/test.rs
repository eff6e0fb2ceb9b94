//! `cargo xtask test`: every test of the workspace, with what the tests need brought first.

use std::process::Command;
use std::sync::mpsc;

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

pub fn test(arguments: &[String]) -> Result<()> {
    let left_out = needs::left_out(arguments)?;
    // What is fetched takes the network's time and what is built the processor's.
    std::thread::scope(|scope| {
        let bringing = scope.spawn(|| bring_all_but(&left_out));
        let built = run::step(run::cargo(&ALL).arg("--no-run"));
        bringing.join().map_err(|_| anyhow!("bringing what tests need broke off"))?.and(built)
    })?;
    let names: Vec<&str> = left_out.iter().map(|need| need.name()).collect();
    let outcome = side_by_side(our_own(&left_out, &names), others(&left_out, &names)?);
    // Said again at the end, where it is read.
    for name in names {
        eprintln!("!!! LEFT OUT: every test that needs {name}");
    }
    outcome
}

/// Tests that cargo runs: all of them, then the journeys again, each with its store in Postgres.
fn our_own(left_out: &[Need], names: &[&str]) -> Vec<Command> {
    let mut tests = run::cargo(&ALL);
    tests.arg("--no-fail-fast");
    if names.is_empty() {
        // A value left over in the caller's shell must not quietly shrink the run.
        tests.env_remove(WITHOUT);
    } else {
        tests.env(WITHOUT, names.join(","));
    }
    let mut commands = vec![tests];
    if !left_out.contains(&Need::Postgres) {
        let mut journeys = run::cargo(&ALL);
        journeys.args(["--test", "it", "--"]).args(JOURNEYS).env("PDPP_TEST_STORE", "postgres");
        commands.push(journeys);
    }
    commands
}

/// Clients and browsers, which start the program by themselves.
fn others(left_out: &[Need], names: &[&str]) -> Result<Vec<Command>> {
    let mut commands = Vec::new();
    if !left_out.contains(&Need::Clients) {
        commands.push(clients::all((WITHOUT, &names.join(",")))?);
    }
    if !left_out.contains(&Need::Browser) {
        commands.push(browser::journeys()?);
    }
    Ok(commands)
}

/// Other programs often wait: they run beside our own tests, and are shown after them.
fn side_by_side(our_own: Vec<Command>, others: Vec<Command>) -> Result<()> {
    let (tell, told) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for mut command in others {
                // Whoever listens lives until the end of this scope.
                let _ = tell.send(run::aside(&mut command));
            }
        });
        let mut outcomes: Vec<_> =
            our_own.into_iter().map(|mut command| run::step(&mut command)).collect();
        outcomes.extend(told.into_iter().map(run::Said::show));
        run::together(outcomes)
    })
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
