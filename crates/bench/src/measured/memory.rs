//! The memory of a real server: idle, and after hundreds of requests of every kind.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::bar::Bar;
use crate::child::{Running, not_started, program};
use crate::data::long::{Letters, NEEDLE};
use crate::data::{Numbers, mail};
use crate::error::BenchError;
use crate::http::Client;
use crate::process::{peak_bytes, resident_bytes};
use crate::report::{ReportLine, Unit, float};
use crate::stage::Stage;
use crate::world::unexpected;

/// Requests made at once.
const CLIENTS: u64 = 8;
/// Requests of each client.
const REQUESTS: u64 = 60;
const MEGABYTE: f64 = 1024.0 * 1024.0;

/// Measures a server on the large store.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let (server, host) = start(stage)?;
    let pid = server.0.id();
    let client = Arc::new(Client { host, token: stage.large.agent.token.clone() });
    let idle = resident_bytes(pid)?;
    let paths = Arc::new(paths(stage));
    let tasks: Vec<_> = (0..CLIENTS)
        .map(|seed| {
            let (client, paths) = (Arc::clone(&client), Arc::clone(&paths));
            tokio::task::spawn_blocking(move || use_it(&client, &paths, seed))
        })
        .collect();
    for task in tasks {
        task.await.map_err(|_| unexpected("a client stopped"))??;
    }
    let in_use = peak_bytes(pid)?;
    // One whole record with its long field, which must pass through without being held.
    let long = stage.sizes.long(Letters::Plain);
    let path = format!("/v1/streams/messages/records/{}", long.id);
    let reading = tokio::task::spawn_blocking(move || client.read(&path));
    let served = reading.await.map_err(|_| unexpected("a client stopped"))??;
    if served < long.body_bytes {
        return Err(unexpected("the long record was not served whole"));
    }
    let with_whole = peak_bytes(pid)?;
    let count = CLIENTS * REQUESTS;
    let details = json!({ "idle": idle, "in_use": in_use, "with_whole_record": with_whole });
    Ok(vec![
        line("memory of an idle server", idle, 40.0, "after its start", &details),
        line(
            "memory of a server in use, large store",
            with_whole,
            150.0,
            &format!("peak of {count} requests, 8 at once, and one whole long record"),
            &details,
        ),
    ])
}

fn line(
    what: &str,
    bytes: u64,
    most_megabytes: f64,
    baseline: &str,
    details: &Value,
) -> ReportLine {
    ReportLine {
        what: what.to_owned(),
        value: float(bytes),
        unit: Unit::Bytes,
        bar: Bar::at_most(most_megabytes * MEGABYTE),
        baseline: baseline.to_owned(),
        details: details.clone(),
    }
}

/// Starts `pdpp serve` on a free port and waits for the line that says where it is.
fn start(stage: &Stage) -> Result<(Running, String), BenchError> {
    let mut command = program()?;
    command.args(["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir"]);
    command.arg(&stage.large.fixture.location.directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    let stdout = child.stdout.take();
    let server = Running(child);
    let mut line = String::new();
    if let Some(stdout) = stdout {
        BufReader::new(stdout).read_line(&mut line).map_err(|error| not_started(&error))?;
    }
    let ready: Value = serde_json::from_str(&line).unwrap_or_default();
    let host = ready.get("base_url").and_then(Value::as_str);
    let host = host.and_then(|url| url.strip_prefix("http://"));
    let host = host.ok_or_else(|| unexpected("the server did not start"))?.to_owned();
    Ok((server, host))
}

/// Requests of every kind that the server answers.
fn paths(stage: &Stage) -> Vec<String> {
    let list = "/v1/streams/messages/records";
    let long = stage.sizes.long(Letters::Plain);
    let needle = NEEDLE.replace(' ', "%20");
    let mut paths = vec![
        "/v1/schema".to_owned(),
        "/v1/streams".to_owned(),
        "/v1/streams/messages".to_owned(),
        format!("{list}?limit=100"),
        format!("{list}?limit=100&sort=-sent_at&preview_chars=200"),
        format!("{list}?filter[folder]=Folder%2007&sort=-sent_at&count=exact"),
        format!("{list}?filter[size][gte]=100000&sort=size&limit=100"),
        format!("{list}/{}/field-window?field=body&q={needle}", long.id),
    ];
    let mut numbers = Numbers::of(1);
    for _ in 0..20 {
        let start = numbers.below(long.body_bytes / 2);
        paths.push(format!("{list}/{}/field-window?field=body&offset_chars={start}", long.id));
        let number = numbers.below(stage.sizes.large_records / 40) * 40 + numbers.below(3);
        paths.push(format!("{list}/{}", mail::id(number)));
    }
    paths
}

fn use_it(client: &Client, paths: &[String], seed: u64) -> Result<(), BenchError> {
    let mut numbers = Numbers::of(seed);
    for _ in 0..REQUESTS {
        let place = numbers.below(u64::try_from(paths.len()).unwrap_or(1));
        if let Some(path) = usize::try_from(place).ok().and_then(|place| paths.get(place)) {
            client.read(path)?;
        }
    }
    Ok(())
}
