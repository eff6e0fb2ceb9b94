//! The declaration that an export comes with: the account's own, or what of it an agent may see.

use std::collections::BTreeMap;

use pdpp_contract::schema::{StreamMetadata, StreamRequest};
use pdpp_contract::{ReadApi, SourceDeclaration};
use pdpp_store::connections::Connection;
use serde_json::{Value, json};

use super::super::viewpoint::Viewpoint;
use crate::app::CliApp;
use crate::failure::{Exit, Failure};

/// A declaration as text, and parsed.
pub struct ExportDeclaration {
    /// The text.
    pub text: String,
    /// The same, parsed.
    pub source: SourceDeclaration,
}

impl ExportDeclaration {
    /// The declaration of an account as it is seen from here.
    pub async fn read(
        connection: &Connection,
        viewpoint: &Viewpoint,
        app: &CliApp,
    ) -> Result<Self, Failure> {
        let text = app.store.declaration(connection.declaration).await?;
        let text = text.ok_or_else(unreadable)?;
        let source = SourceDeclaration::parse(&text).map_err(|_| unreadable())?;
        if viewpoint.package.is_none() {
            return Ok(Self { text, source });
        }
        narrowed(&source, connection, viewpoint).await
    }
}

/// Streams and fields outside the grant leave no trace.
async fn narrowed(
    source: &SourceDeclaration,
    connection: &Connection,
    viewpoint: &Viewpoint,
) -> Result<ExportDeclaration, Failure> {
    let mut whole = serde_json::to_value(source).map_err(|_| unreadable())?;
    let mut streams = Vec::new();
    let in_view = viewpoint.reader.sources().await?;
    let of_account = in_view.into_iter().find(|one| one.connection.connection_id == connection.id);
    let names = of_account.map(|one| one.streams).unwrap_or_default();
    for name in names {
        let request =
            StreamRequest { stream: name.clone(), connection_id: Some(connection.id.clone()) };
        let declared = source.stream(name.as_str()).ok_or_else(unreadable)?;
        let seen = viewpoint.reader.stream(request).await?.into_iter().next();
        let seen = seen.ok_or_else(unreadable)?;
        let mut stream = json!({
            "name": name,
            "semantics": declared.semantics,
            "schema": seen.schema,
            "primary_key": seen.primary_key,
            "selection": seen.selection,
            "query": query(&seen),
        });
        let more = [
            ("description", json!(declared.description)),
            ("display", json!(declared.display)),
            ("cursor_field", json!(seen.cursor_field)),
            ("consent_time_field", json!(seen.consent_time_field)),
            ("relationships", json!(seen.relationships)),
        ];
        if let Some(members) = stream.as_object_mut() {
            let said = more.into_iter().filter(|(_, value)| !value.is_null());
            members.extend(said.map(|(name, value)| (name.to_owned(), value)));
        }
        streams.push(stream);
    }
    if let Some(members) = whole.as_object_mut() {
        members.retain(|name, _| {
            let kept =
                ["protocol_version", "source", "declaration_version", "publisher", "display"];
            kept.contains(&name.as_str())
        });
        members.insert("streams".to_owned(), Value::Array(streams));
    }
    let text = whole.to_string();
    let source = SourceDeclaration::parse(&text).map_err(|_| unreadable())?;
    Ok(ExportDeclaration { text, source })
}

fn query(seen: &StreamMetadata) -> Value {
    let fields = &seen.field_capabilities;
    let ranges: BTreeMap<_, _> = fields
        .iter()
        .filter(|(_, can)| !can.range_filter.is_empty())
        .map(|(name, can)| (name, &can.range_filter))
        .collect();
    let searched: Vec<_> =
        fields.iter().filter(|(_, can)| can.lexical_search).map(|(name, _)| name).collect();
    let with = |what: &str| {
        let same = |can: &pdpp_contract::schema::FieldCapabilities| {
            can.aggregation.iter().any(|kind| kind == what)
        };
        fields.iter().filter(|(_, can)| same(can)).map(|(name, _)| name).collect::<Vec<_>>()
    };
    json!({
        "range_filters": ranges,
        "search": {"lexical_fields": searched},
        "aggregations": {
            "count": seen.count,
            "count_distinct": with("count_distinct"),
            "group_by": with("group_by"),
            "group_by_time": with("group_by_time"),
            "sum": with("sum"),
            "min": with("min"),
            "max": with("max"),
        },
    })
}

fn unreadable() -> Failure {
    let message = "the declaration of the account cannot be read";
    Failure::new(Exit::Other, "declaration", message).with_advice("run pdpp verify")
}
