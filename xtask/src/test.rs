//! `cargo xtask test`: every test of the workspace, with what the tests need brought first.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;

use anyhow::{Result, anyhow};

use crate::needs::{self, Need};
use crate::scratch::Scratch;
use crate::{browser, clients, run};

/// Tests read this to know what was left out, and say so.
const WITHOUT: &str = "PDPP_TEST_WITHOUT";

/// The whole workspace at once: a package built alone gets other features of what it depends on, and
/// is built a second time.
const ALL: [&str; 3] = ["test", "--locked", "--workspace"];

/// Where cargo keeps what it would need to build a part again.
const INCREMENTAL: &str = "target/debug/incremental";

/// Journeys of the program that must not depend on where the store is.
const JOURNEYS: &[&str] = &[
    "blobs::",
    "connect::",
    "connections::",
    "crash::",
    "grants::",
    "history::",
    "json_answers::",
    "mcp::",
];

pub fn test(arguments: &[String]) -> Result<()> {
    let left_out = needs::left_out(arguments)?;
    // What is fetched takes the network's time and what is built the processor's.
    std::thread::scope(|scope| {
        let bringing = scope.spawn(|| bring_all_but(&left_out));
        let built = run::step(cargo_on_all().arg("--no-run"));
        bringing.join().map_err(|_| anyhow!("bringing what tests need broke off"))?.and(built)
    })?;
    let names: Vec<&str> = left_out.iter().map(|need| need.name()).collect();
    let scratch = Scratch::new()?;
    let (mut all, mut beside) = (all_tests(&names), beside(&left_out, &names)?);
    for command in beside.iter_mut().chain([&mut all]) {
        scratch.give_to(command);
    }
    let outcome = side_by_side(all, beside);
    // Said again at the end, where it is read.
    for name in names {
        eprintln!("!!! LEFT OUT: every test that needs {name}");
    }
    outcome
}

/// What an incremental build keeps pays for whoever changes something and builds again. A tree where
/// nobody did so is built without it, in less time.
#[expect(clippy::disallowed_methods, reason = "a caller's own choice stays")]
fn cargo_on_all() -> Command {
    let mut command = run::cargo(&ALL);
    if std::env::var_os("CARGO_INCREMENTAL").is_none() && !is_worked_on(Path::new(INCREMENTAL)) {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Whether one of our crates was built incrementally. This program is, by its own alias.
fn is_worked_on(kept: &Path) -> bool {
    let mut entries = std::fs::read_dir(kept).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().starts_with("pdpp"))
}

/// Every test that cargo runs.
fn all_tests(names: &[&str]) -> Command {
    let mut tests = cargo_on_all();
    tests.arg("--no-fail-fast");
    if names.is_empty() {
        // A value left over in the caller's shell must not quietly shrink the run.
        tests.env_remove(WITHOUT);
    } else {
        tests.env(WITHOUT, names.join(","));
    }
    tests
}

/// Clients and browsers, which start the program by themselves, and the journeys again, each with
/// its store in Postgres.
fn beside(left_out: &[Need], names: &[&str]) -> Result<Vec<Command>> {
    let mut commands = Vec::new();
    if !left_out.contains(&Need::Clients) {
        commands.push(clients::all((WITHOUT, &names.join(",")))?);
    }
    if !left_out.contains(&Need::Browser) {
        commands.push(browser::journeys()?);
    }
    if !left_out.contains(&Need::Postgres) {
        commands.push(journeys_on_postgres());
    }
    Ok(commands)
}

/// The journeys with their stores in Postgres, whatever the caller's shell leaves out.
fn journeys_on_postgres() -> Command {
    let mut journeys = cargo_on_all();
    journeys.args(["--test", "it", "--"]).args(JOURNEYS);
    journeys.env("PDPP_TEST_STORE", "postgres").env_remove(WITHOUT);
    journeys
}

/// Other programs often wait: they run beside all tests, and are shown after them.
fn side_by_side(mut all: Command, beside: Vec<Command>) -> Result<()> {
    let (tell, told) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for mut command in beside {
                // Whoever listens lives until the end of this scope.
                let _ = tell.send(run::aside(&mut command));
            }
        });
        let mut outcomes = vec![run::step(&mut all)];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journeys_on_postgres_leave_nothing_out() {
        let journeys = journeys_on_postgres();
        let set: Vec<_> = journeys.get_envs().collect();
        assert!(set.contains(&("PDPP_TEST_STORE".as_ref(), Some("postgres".as_ref()))));
        assert!(set.contains(&(WITHOUT.as_ref(), None)));
    }

    #[test]
    fn a_tree_is_worked_on_once_a_crate_of_ours_was_built_incrementally() {
        let kept = std::env::temp_dir().join(format!("xtask-incremental-{}", std::process::id()));
        assert!(!is_worked_on(&kept));
        std::fs::create_dir_all(kept.join("xtask-1")).unwrap();
        assert!(!is_worked_on(&kept));
        std::fs::create_dir_all(kept.join("pdpp_store-1")).unwrap();
        assert!(is_worked_on(&kept));
        std::fs::remove_dir_all(&kept).unwrap();
    }
}
