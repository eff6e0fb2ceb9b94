//! `pdpp connection show`: one connection, stream by stream, with the fields a grant can name.

use clap::Args;
use pdpp_contract::{FieldName, SourceDeclaration, StreamDeclaration, StreamName};
use pdpp_store::connections::{Connection, ConnectionRef};
use serde_json::{Value, json};

use super::{connection_ref, document};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::table::{TextTable, counted, grouped};
use crate::output::words::Words;
use crate::output::{Output, Style, plain};

/// Show an account with its streams and fields
#[derive(Debug, Args)]
pub struct ShowConnectionArgs {
    /// The account: its name or cin_ id
    #[arg(value_parser = connection_ref)]
    connection: ConnectionRef,
}

/// Shows it.
pub async fn run(args: ShowConnectionArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let connection = app.connection(&args.connection).await?;
    let quarantined = app.store.quarantined(&connection.id).await?;
    let text = app.store.declaration(connection.declaration).await?;
    let declaration = text.and_then(|text| SourceDeclaration::parse(&text).ok());
    let fields = |stream: &StreamName| fields(declaration.as_ref(), stream);
    let mut described = document(&connection);
    add_details(&mut described, &connection, quarantined, &fields);
    output.answer(&described, || words(&connection, quarantined, &fields, output))?;
    Ok(Exit::Done)
}

fn fields(declaration: Option<&SourceDeclaration>, stream: &StreamName) -> Vec<FieldName> {
    let declared = declaration.and_then(|declaration| declaration.stream(stream.as_str()));
    declared.map(StreamDeclaration::field_names).unwrap_or_default()
}

fn add_details(
    described: &mut Value,
    connection: &Connection,
    quarantined: u64,
    fields: &dyn Fn(&StreamName) -> Vec<FieldName>,
) {
    let Some(members) = described.as_object_mut() else {
        return;
    };
    let streams = connection.streams.iter().map(|stream| {
        let (name, count) = (&stream.name, stream.record_count);
        json!({"name": name, "record_count": count, "fields": fields(name)})
    });
    members.insert("streams".to_owned(), streams.collect());
    members.insert("quarantined".to_owned(), json!(quarantined));
}

fn words(
    connection: &Connection,
    quarantined: u64,
    fields: &dyn Fn(&StreamName) -> Vec<FieldName>,
    output: &Output,
) -> String {
    let label = connection.display_name.as_ref().map_or("", |label| label.as_str());
    let name = output.styled(Style::Strong, connection.name.as_str());
    let mut words = Words::new(format!("{name}  {}", plain(label)).trim_end());
    words.line(format!("id      {}", connection.id));
    words.line(format!("source  {}", connection.connector_key));
    words.line(format!("added   {:.0}", connection.created_at));
    if quarantined > 0 {
        let items = counted(quarantined, "item", "items");
        words.line(format!("{items} in quarantine: could not be imported"));
    }
    let mut table = TextTable::new(&["stream", "#records", "fields"]);
    for stream in &connection.streams {
        let fields: Vec<String> = fields(&stream.name).into_iter().map(String::from).collect();
        table.row([stream.name.to_string(), grouped(stream.record_count), fields.join(", ")]);
    }
    words.line("");
    words.block(&table.render(output));
    words.into_text()
}
