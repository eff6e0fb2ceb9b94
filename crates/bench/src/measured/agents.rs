//! What an agent's client waits for: the start of `pdpp mcp`, the list of tools, and what a call costs
//! beyond its reads.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use pdpp_contract::query::ListRequest;
use pdpp_contract::{ClientName, ReadApi, StreamName};
use serde_json::{Value, json};

use super::wide;
use crate::bar::Bar;
use crate::child::{Running, not_started, program};
use crate::error::BenchError;
use crate::process::{cpu_nanos_of, resident_bytes};
use crate::report::{ReportLine, Unit, float};
use crate::stage::Stage;
use crate::timing::{Timing, time_both_by};
use crate::world::{World, unexpected};

const STARTS: usize = 20;
/// Lists of tools whose processor time is added up.
const LISTS: u32 = 300;
const CLIENT: &str = "bench";
/// Rows of the page that both sides read.
const ROWS: u32 = 5;

/// Measures start, memory and overhead.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let world = &stage.large.world;
    keep_credential(stage, world, &stage.large.agent.token)?;
    let directory = &stage.large.fixture.location.directory;
    let (timing, memory) = starts(directory)?;
    let mut lines = vec![
        ReportLine {
            what: "agents: start to the list of tools".to_owned(),
            value: millis(timing.p50),
            unit: Unit::Milliseconds,
            bar: Bar::at_most(30.0).when_quick(60.0),
            baseline: format!("least: {:.1} ms", millis(timing.min)),
            details: json!({ "wall": timing.to_json() }),
        },
        ReportLine {
            what: "agents: memory after the list of tools".to_owned(),
            value: float(memory),
            unit: Unit::Bytes,
            bar: Bar::at_most(25.0 * 1024.0 * 1024.0),
            baseline: "the most of all starts".to_owned(),
            details: json!({ "bytes": memory }),
        },
    ];
    lines.push(list_cost(directory)?);
    lines.push(wide::start(stage).await?);
    lines.push(overhead(stage).await?);
    Ok(lines)
}

/// The processor time of one list of tools, in the process that answers.
fn list_cost(directory: &Path) -> Result<ReportLine, BenchError> {
    let mut client = Client::start(directory)?;
    client.ask("tools/list", &json!({}))?;
    let before = cpu_nanos_of(client.process.0.id())?;
    for _ in 0..LISTS {
        client.ask("tools/list", &json!({}))?;
    }
    let spent = cpu_nanos_of(client.process.0.id())?.saturating_sub(before);
    let each = Duration::from_nanos(spent / u64::from(LISTS));
    Ok(ReportLine {
        what: "agents: processor time of a list of tools".to_owned(),
        value: millis(each),
        unit: Unit::Milliseconds,
        bar: Bar::at_most(0.2).when_quick(1.0),
        baseline: format!("mean of {LISTS}"),
        details: json!({ "cpu_us": millis(each) * 1e3, "lists": LISTS }),
    })
}

/// The same page through a client and through the engine.
async fn overhead(stage: &Stage) -> Result<ReportLine, BenchError> {
    let world = &stage.large.world;
    let connection = world.connection_id(0).await?;
    let mut request = ListRequest::new(StreamName::new("messages")?);
    request.connection_id = Some(connection.clone());
    request.limit = Some(ROWS);
    request.preview_chars = Some(240);
    let arguments = json!({"stream": "messages", "connection_id": connection, "limit": ROWS});
    let call = json!({"name": "query_records", "arguments": arguments});
    let client = RefCell::new(Client::start(&stage.large.fixture.location.directory)?);
    let through_engine = async || {
        stage.large.agent.reader.list(request.clone()).await.map(drop).map_err(BenchError::from)
    };
    // What a client does with an answer is its own affair: the lines are looked at afterwards.
    let message = Client::message("tools/call", &call);
    let lines = RefCell::new(Vec::new());
    let through_client = async || {
        let line = client.borrow_mut().exchange(&message)?;
        lines.borrow_mut().push(line);
        Ok(())
    };
    // On a machine with other work the slowest calls tell how long a process waited for its turn.
    let (at, judged): (_, fn(&Timing) -> Duration) = if stage.sizes.pace.forgives_waiting {
        ("p50", |timing| timing.p50)
    } else {
        ("p95", |timing| timing.p95)
    };
    let pace = stage.sizes.pace;
    let (engine, agent) = time_both_by(pace, judged, through_engine, through_client).await?;
    for line in lines.borrow().iter() {
        Client::answer(line)?;
    }
    let (agent_at, engine_at) = (judged(&agent), judged(&engine));
    let over = agent_at.saturating_sub(engine_at);
    Ok(ReportLine {
        what: format!("agents: a call minus its read, {at}"),
        value: millis(over),
        unit: Unit::Milliseconds,
        bar: Bar::at_most(1.0).when_quick(4.0),
        baseline: format!("call {:.2} ms, read {:.2} ms", millis(agent_at), millis(engine_at)),
        details: json!({ "call": agent.to_json(), "read": engine.to_json() }),
    })
}

/// Lets `pdpp mcp` find the token of an agent.
pub(super) fn keep_credential(stage: &Stage, world: &World, token: &str) -> Result<(), BenchError> {
    world.keep_credential(&*stage.host, &ClientName::new(CLIENT)?, token)
}

/// How long it takes from a start to the list of tools, and the most memory of all starts.
pub(super) fn starts(directory: &Path) -> Result<(Timing, u64), BenchError> {
    let (mut lengths, mut memory) = (Vec::new(), 0);
    for _ in 0..STARTS {
        let began = Instant::now();
        let mut client = Client::start(directory)?;
        client.ask("tools/list", &json!({}))?;
        lengths.push(began.elapsed());
        memory = memory.max(resident_bytes(client.process.0.id())?);
    }
    Ok((Timing::of(lengths, 0), memory))
}

/// A client of the protocol's newer era, which needs no handshake.
struct Client {
    process: Running,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    fn start(directory: &Path) -> Result<Self, BenchError> {
        let mut command = program()?;
        command.args(["mcp", "--client", CLIENT, "--data-dir"]).arg(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().map_err(|error| not_started(&error))?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let process = Running(child);
        let (Some(stdin), Some(stdout)) = pipes else {
            return Err(unexpected("a child process has no pipes"));
        };
        Ok(Self { process, stdin, stdout: BufReader::new(stdout) })
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, BenchError> {
        let answer = self.exchange(&Self::message(method, params))?;
        Self::answer(&answer)
    }

    /// A request as a line.
    fn message(method: &str, params: &Value) -> String {
        let mut params = params.clone();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        if let Some(params) = params.as_object_mut() {
            params.insert("_meta".to_owned(), meta);
        }
        format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    }

    /// Sends a line and waits for the whole of the next one.
    fn exchange(&mut self, message: &str) -> Result<String, BenchError> {
        let mut answer = String::new();
        let sent = self.stdin.write_all(message.as_bytes()).and_then(|()| self.stdin.flush());
        sent.and_then(|()| self.stdout.read_line(&mut answer))
            .map_err(|error| not_started(&error))?;
        Ok(answer)
    }

    /// What a line answers, unless it refuses.
    fn answer(line: &str) -> Result<Value, BenchError> {
        let answer: Value = serde_json::from_str(line).unwrap_or_default();
        let refused = answer.pointer("/result/isError") == Some(&Value::Bool(true));
        if refused || answer.get("result").is_none() {
            return Err(unexpected("an agent's call was refused"));
        }
        Ok(answer)
    }
}

pub(super) fn millis(length: Duration) -> f64 {
    length.as_secs_f64() * 1e3
}
