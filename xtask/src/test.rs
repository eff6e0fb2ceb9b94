//! `cargo xtask test`: every test of the workspace, with what the tests need brought first.

use anyhow::Result;

use crate::needs::{self, Need};
use crate::{browser, clients, run};

/// Tests read this to know what was left out, and say so.
const WITHOUT: &str = "PDPP_TEST_WITHOUT";

pub fn test(arguments: &[String]) -> Result<()> {
    let left_out = needs::left_out(arguments)?;
    for need in Need::ALL {
        if left_out.contains(&need) {
            eprintln!("!!! LEFT OUT: every test that needs {}", need.name());
        } else {
            need.bring()?;
        }
    }
    let names: Vec<&str> = left_out.iter().map(|need| need.name()).collect();
    let mut tests = run::cargo(&["test", "--locked", "--workspace", "--no-fail-fast"]);
    if names.is_empty() {
        // A value left over in the caller's shell must not quietly shrink the run.
        tests.env_remove(WITHOUT);
    } else {
        tests.env(WITHOUT, names.join(","));
    }
    let mut outcome = run::step(&mut tests);
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
