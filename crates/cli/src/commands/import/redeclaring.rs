//! A connection that gets another declaration: what it no longer declares, and whether that is meant.

use pdpp_contract::{ConnectionName, FieldName, SourceDeclaration, StreamName};
use pdpp_store::connections::ConnectionRef;
use serde::Serialize;

use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::plain;

/// A stream, or fields of one, that the declaration before had and the new one has not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped {
    stream: StreamName,
    /// None when the whole stream goes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldName>,
}

impl Dropped {
    /// In the words of `--allow`.
    pub fn words(&self) -> String {
        let fields: Vec<&str> = self.fields.iter().map(AsRef::as_ref).collect();
        let separator = if fields.is_empty() { "" } else { ":" };
        plain(&format!("{}{separator}{}", self.stream, fields.join(",")))
    }
}

/// What the connection of this name declares now; `None` for a new one.
pub async fn declared(
    app: &CliApp,
    name: &ConnectionName,
) -> Result<Option<SourceDeclaration>, Failure> {
    let found = app.store.find_connection(&ConnectionRef::Name(name.clone())).await?;
    let Some(connection) = found else { return Ok(None) };
    let text = app.store.declaration(connection.declaration).await?;
    Ok(text.and_then(|text| SourceDeclaration::parse(&text).ok()))
}

/// What stops being declared. A declaration of another source needs the owner's word: its records
/// would stand beside those of the first, and what only the first declares could not be read any more.
pub fn dropped(
    before: Option<&SourceDeclaration>,
    after: &SourceDeclaration,
    (name, is_meant): (&ConnectionName, bool),
) -> Result<Vec<Dropped>, Failure> {
    let Some(before) = before else { return Ok(Vec::new()) };
    let (held, given) = (&before.source.id, &after.source.id);
    // A source of another kind is refused by the store, whatever is meant.
    if held != given && before.connector_key() == after.connector_key() && !is_meant {
        let message = format!(
            "{name} holds records of {}, but this import declares {}; choose another name with \
             --connection, or replace the declaration with --replace-declaration",
            plain(held),
            plain(given)
        );
        return Err(Failure::new(Exit::Other, "conflict", message));
    }
    let gone = before.streams.iter().filter_map(|stream| {
        let name = stream.name.clone();
        let Some(kept) = after.stream(name.as_str()) else {
            return Some(Dropped { stream: name, fields: Vec::new() });
        };
        let fields = stream.field_names().into_iter();
        let fields: Vec<_> = fields.filter(|field| !kept.has_field(field.as_ref())).collect();
        (!fields.is_empty()).then_some(Dropped { stream: name, fields })
    });
    Ok(gone.collect())
}
