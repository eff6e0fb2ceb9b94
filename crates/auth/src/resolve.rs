//! From what the owner wrote to what a grant says: every stream and field by name, times frozen.

use std::collections::BTreeSet;

use pdpp_contract::{
    ConnectionId, FieldName, SourceDeclaration, StreamDeclaration, StreamGrant, StreamName,
    TimeConstraint,
};

use crate::allow::{AllowSpec, RangeEnd, SpecFault, TimeRange, connection_text};
use crate::error::AuthError;

/// A key field that nobody asked for: without it a record could not be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedKeyField {
    /// The connection.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// The field.
    pub field: FieldName,
}

/// The streams of one grant, and the key fields that were added to them.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) streams: Vec<StreamGrant>,
    pub(crate) added: Vec<AddedKeyField>,
}

/// What is asked of one stream so far.
struct Choice<'a> {
    stream: &'a StreamDeclaration,
    /// `None` means all.
    fields: Option<BTreeSet<FieldName>>,
    time: Option<TimeRange>,
}

/// Merges the specs for one connection into the streams of one grant, in the declaration's order.
pub(crate) fn resolve(
    connection: &ConnectionId,
    declaration: &SourceDeclaration,
    specs: &[&AllowSpec],
) -> Result<Resolved, AuthError> {
    let mut choices: Vec<Choice<'_>> = Vec::new();
    for spec in specs {
        for choice in expand(declaration, spec)? {
            merge(&mut choices, choice, spec)?;
        }
    }
    let mut resolved = Resolved::default();
    for stream in &declaration.streams {
        if let Some(choice) = choices.iter().find(|choice| choice.stream.name == stream.name) {
            freeze(connection, choice, &mut resolved);
        }
    }
    Ok(resolved)
}

/// The streams a spec names, checked against the declaration.
fn expand<'a>(
    declaration: &'a SourceDeclaration,
    spec: &AllowSpec,
) -> Result<Vec<Choice<'a>>, AuthError> {
    let connection = || connection_text(&spec.connection).to_owned();
    let choices: Vec<Choice<'a>> = match &spec.stream {
        None => declaration
            .streams
            .iter()
            .map(|stream| Choice { stream, fields: None, time: spec.time })
            .collect(),
        Some(wanted) => {
            let name = &wanted.name;
            let stream = declaration.stream(name.as_str()).ok_or_else(|| {
                AuthError::UnknownStream { connection: connection(), stream: name.clone() }
            })?;
            let fields = wanted.fields.as_ref().map(|fields| fields.iter().cloned().collect());
            vec![Choice { stream, fields, time: spec.time }]
        }
    };
    for choice in &choices {
        let unknown = |field: &&FieldName| !choice.stream.has_field(field.as_str());
        if let Some(field) = choice.fields.iter().flatten().find(unknown) {
            return Err(AuthError::UnknownField {
                connection: connection(),
                stream: choice.stream.name.clone(),
                field: field.clone(),
            });
        }
    }
    let timeless = choices.iter().map(|choice| choice.stream);
    let timeless = timeless.filter(|stream| stream.consent_time_field.is_none());
    let streams: Vec<StreamName> = timeless.map(|stream| stream.name.clone()).collect();
    if spec.time.is_some() && !streams.is_empty() {
        return Err(AuthError::NotTimeBound { connection: connection(), streams });
    }
    Ok(choices)
}

/// One stream has one window: two different ones cannot be said in one grant, and a wider one that
/// covers both would show what nobody allowed.
fn merge<'a>(
    choices: &mut Vec<Choice<'a>>,
    next: Choice<'a>,
    spec: &AllowSpec,
) -> Result<(), AuthError> {
    let same = |choice: &&mut Choice<'_>| choice.stream.name == next.stream.name;
    let Some(known) = choices.iter_mut().find(same) else {
        choices.push(next);
        return Ok(());
    };
    if known.time != next.time {
        let reason = format!(
            "stream '{}' is already allowed with another time range; give it one range, or \
             issue two packages",
            next.stream.name
        );
        return Err(SpecFault { spec: spec.to_string(), position: None, reason }.into());
    }
    known.fields = match (known.fields.take(), next.fields) {
        (Some(mut fields), Some(more)) => {
            fields.extend(more);
            Some(fields)
        }
        _ => None,
    };
    Ok(())
}

/// Writes a choice down field by field, so that nothing declared later can widen it.
fn freeze(connection: &ConnectionId, choice: &Choice<'_>, resolved: &mut Resolved) {
    let stream = choice.stream;
    let chosen = |field: &FieldName| choice.fields.as_ref().is_none_or(|all| all.contains(field));
    let missing = stream.primary_key.iter().filter(|field| !chosen(field));
    resolved.added.extend(missing.map(|field| AddedKeyField {
        connection_id: connection.clone(),
        stream: stream.name.clone(),
        field: field.clone(),
    }));
    let shown = |field: &FieldName| chosen(field) || stream.primary_key.contains(field);
    let time = choice.time.zip(stream.consent_time_field.clone());
    resolved.streams.push(StreamGrant {
        name: stream.name.clone(),
        connection_ids: vec![connection.clone()],
        fields: stream.field_names().into_iter().filter(shown).collect(),
        time_constraint: time.map(|(range, field)| TimeConstraint {
            field,
            since: range.since().and_then(RangeEnd::instant).map(|instant| instant.to_string()),
            until: range.until().and_then(RangeEnd::instant).map(|instant| instant.to_string()),
            since_rule: range.since().and_then(RangeEnd::rule),
            until_rule: range.until().and_then(RangeEnd::rule),
        }),
        resources: None,
    });
}
