//! A store with a thousand streams: what an agent's client waits for at the start must not show it.

use pdpp_auth::{AuthError, PackageRequest};
use pdpp_contract::{AccessMode, ClientName, ConnectionName, SourceDeclaration};
use pdpp_engine::import::ImportRequest;
use serde_json::json;

use super::agents::{keep_credential, millis, starts};
use crate::bar::Bar;
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::stage::Stage;
use crate::timing::{Timing, ratio};
use crate::world::{World, new_connection_id};

/// Streams of the wide store.
const STREAMS: usize = 1_000;
const NAME: &str = "wide";

/// The start to the list of tools with a thousand streams, against one.
pub(super) async fn start(stage: &Stage) -> Result<ReportLine, BenchError> {
    let wide = started(stage, STREAMS).await?;
    let narrow = started(stage, 1).await?;
    Ok(ReportLine {
        what: format!("agents: start to the list of tools, {STREAMS} streams / 1"),
        value: ratio(wide.p50, narrow.p50),
        unit: Unit::Ratio,
        bar: Bar::at_most(2.0).when_quick(3.0),
        baseline: format!("one stream: {:.1} ms", millis(narrow.p50)),
        details: json!({ "wide": wide.to_json(), "narrow": narrow.to_json() }),
    })
}

async fn started(stage: &Stage, streams: usize) -> Result<Timing, BenchError> {
    let location = stage.scratch(&format!("streams-{streams}"));
    let world = World::open(&*stage.host, &location).await?;
    let owner = world.owner();
    let request = ImportRequest {
        name: ConnectionName::new(NAME)?,
        display_name: None,
        declaration: declaration(streams)?,
        new_id: new_connection_id(0)?,
        dry_run: false,
    };
    let none = Box::new(std::iter::empty());
    world.engine.import(&owner, request, none, Box::new(|_| {})).await?;
    let request = PackageRequest {
        client: ClientName::new("bench")?,
        allow: vec![NAME.parse().map_err(AuthError::from)?],
        expires_in: None,
        access_mode: AccessMode::Continuous,
        leave_out_codes: false,
        leave_out_secrets: false,
    };
    let issued = world.auth.issue_package(&owner, request).await?;
    keep_credential(stage, &world, issued.access_token.reveal())?;
    starts(&location.directory).map(|(timing, _)| timing)
}

fn declaration(streams: usize) -> Result<SourceDeclaration, BenchError> {
    let stream = |number: usize| {
        json!({
            "name": format!("stream_{number:04}"),
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string"}, "title": {"type": "string"}, "text": {"type": "string"}
            }},
            "primary_key": ["id"],
            "selection": {"fields": true, "resources": true},
            "query": {"search": {"lexical_fields": ["title", "text"]}},
        })
    };
    let source = json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://example.org/connectors/wide"},
        "declaration_version": "1",
        "publisher": {"id": "https://example.org/publishers/bench"},
        "display": {"name": "Wide"},
        "streams": (0..streams).map(stream).collect::<Vec<_>>(),
    });
    SourceDeclaration::parse(&source.to_string()).map_err(BenchError::declaration)
}
