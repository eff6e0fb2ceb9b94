//! Whether anybody is there: name, connection, encryption, each told apart.

use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};

use super::steps::{ServerStep, ServerVisit};
use crate::doctor::Findings;

const CHECK: &str = "reach";
const LIMIT: Duration = Duration::from_secs(8);

/// Whether it makes sense to go on.
pub async fn check(steps: &mut ServerVisit, findings: &mut Findings) -> bool {
    match fault(steps).await {
        None => {
            let what = format!("{} responds", steps.address.url());
            steps.good(ServerStep::Reach, CHECK, &what, findings);
            true
        }
        Some(fault) => {
            let (what, remedy) = fault;
            steps.stop(ServerStep::Reach);
            findings.unreachable(CHECK, what, remedy);
            false
        }
    }
}

async fn fault(steps: &ServerVisit) -> Option<(String, String)> {
    let (host, port) = steps.address.host_and_port()?;
    let url = steps.address.url();
    let place = (host.as_str(), port);
    let found = tokio::time::timeout(LIMIT, lookup_host(place)).await;
    if !found.is_ok_and(|found| found.is_ok_and(|mut found| found.next().is_some())) {
        let what = format!("the host name {host} cannot be resolved");
        return Some((what, "check the spelling and the DNS entry".to_owned()));
    }
    let connecting = async { TcpStream::connect(place).await.map(drop) };
    let connected = tokio::time::timeout(LIMIT, connecting).await;
    let trouble = match connected {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("no response within eight seconds".to_owned()),
    };
    if let Some(trouble) = trouble {
        let what = format!("cannot connect to {host} port {port}: {trouble}");
        let remedy = "start pdpp serve there, and open that port in the firewall";
        return Some((what, remedy.to_owned()));
    }
    if steps.get("/healthz").await.is_ok() {
        return None;
    }
    let (what, remedy) = if steps.address.is_https() {
        (
            format!("{url} accepts connections but does not offer trusted https"),
            "install a certificate from a public authority for this name on the proxy",
        )
    } else {
        (
            format!("{url} accepts connections but does not speak HTTP"),
            "another program uses this port; check the address that pdpp serve printed",
        )
    };
    Some((what, remedy.to_owned()))
}
