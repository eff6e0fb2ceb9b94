//! `pdpp connection list`: every connection with its size.

use serde_json::{Value, json};

use super::{document, record_count};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::{TextTable, grouped};

/// Lists the connections by name.
pub async fn run(app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let connections = app.store.list_connections().await?;
    let documents: Vec<Value> = connections.iter().map(document).collect();
    output.answer(&json!({ "connections": documents }), || {
        if connections.is_empty() {
            let import = app.data_dir.advice("import --help");
            return format!("No accounts yet. Import one with: {import}\n");
        }
        let mut table =
            TextTable::new(&["name", "display name", "source", "#streams", "#records", "id"]);
        for connection in &connections {
            let label = connection.display_name.as_ref();
            table.row([
                connection.name.to_string(),
                label.map(ToString::to_string).unwrap_or_default(),
                connection.connector_key.to_string(),
                grouped(connection.streams.len() as u64),
                grouped(record_count(connection)),
                connection.id.to_string(),
            ]);
        }
        table.render(output)
    })?;
    Ok(Exit::Done)
}
