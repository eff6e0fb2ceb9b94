//! `pdpp doctor`: says what is wrong and how to mend it.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use pdpp_contract::ports::Clock as _;
use serde_json::{Value, json};

use crate::app::clock::SystemClock;
use crate::cli::CACHE_HELP;
use crate::config::{self, Environment};
use crate::data_dir::DataDir;
use crate::doctor::{
    ClientReach, DoctorContext, DoctorReport, Finding, ReachEnd, Severity, run_checks,
};
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::words::Words;
use crate::output::{Output, Style, plain};
use crate::server;

/// Find out why an agent cannot connect or read, and how to fix it
///
/// Checks this machine: environment, disk, store, clock, credentials and clients. Then connects to the
/// server as real clients do, from the first call to the login page.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The server to check, by the URL that clients use [default: the one running on this store]
    url: Option<String>,
    /// Address of `pdpp serve`, to check whether it is free
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7667", value_parser = server::address)]
    listen: SocketAddr,
    #[arg(long, value_name = "DIR", help = CACHE_HELP)]
    cache_root: Option<PathBuf>,
}

/// Looks at everything. A fault is an answer, and still not a success.
pub async fn run(
    args: DoctorArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let address = args.url.as_deref().map(str::parse).transpose()?;
    let context = DoctorContext {
        cache_root: environment.cache_root(args.cache_root, &data_dir),
        data_dir,
        places: environment.places().clone(),
        variables: config::variables().collect(),
        now: SystemClock.now(),
        listen: args.listen,
        address,
    };
    let report = run_checks(&context).await;
    let findings: Vec<Value> = report.findings.iter().map(Finding::document).collect();
    let clients: Vec<Value> = report.clients_reach.iter().map(ClientReach::document).collect();
    let faults = report.findings.faults();
    let document = json!({"healthy": faults == 0, "findings": findings, "clients": clients});
    output.answer(&document, || words(&report, output))?;
    Ok(report.findings.exit())
}

fn words(report: &DoctorReport, output: &Output) -> String {
    let widest = report.findings.iter().map(|found| found.check.len()).max().unwrap_or_default();
    let mut words = Words::default();
    for found in report.findings.iter() {
        let style = match found.state {
            Severity::Good => Style::Good,
            Severity::Note => Style::Faint,
            Severity::Fault => Style::Wrong,
        };
        let state = output.styled(style, &format!("{:<5}", found.state.name()));
        let check = found.check.replace('_', " ");
        words.line(format!("{state}  {check:<widest$}  {}", plain(&found.what)));
        if let Some(remedy) = &found.remedy {
            let indent = " ".repeat(7);
            words.line(format!("{indent}{:<widest$}  → {}", "", plain(remedy)));
        }
    }
    if !report.clients_reach.is_empty() {
        words.block(&clients_reach(&report.clients_reach, output));
    }
    let faults = u64::try_from(report.findings.faults()).unwrap_or(u64::MAX);
    words.line(match faults {
        0 => output.styled(Style::Good, "\nNo problems found."),
        _ => output.styled(Style::Wrong, &format!("\n{}.", counted(faults, "problem", "problems"))),
    });
    words.into_text()
}

fn clients_reach(clients_reach: &[ClientReach], output: &Output) -> String {
    let widest = clients_reach
        .iter()
        .map(|client_reach| client_reach.client.len())
        .max()
        .unwrap_or_default();
    let mut words = Words::new("\nHow far clients get without the owner:");
    for client_reach in clients_reach {
        let end = match client_reach.end {
            ReachEnd::Login => output.styled(Style::Good, "reaches the login page"),
            ReachEnd::Stopped(step) => {
                format!("{} {step}", output.styled(Style::Wrong, "stops at"))
            }
            ReachEnd::NotPublic => output.styled(Style::Faint, "needs a public https address"),
        };
        words.line(format!("  {:<widest$}  {end}", client_reach.client));
    }
    words.into_text()
}
