//! The rules between the parts of a declaration: names lead somewhere, types allow what is offered.
//!
//! These run on a declaration whose structure is sound; each file holds the rules of one part.

mod presets;
mod query;
mod relations;
mod stream;

use std::collections::{HashMap, HashSet};

use super::embedded;
use super::fault::{DeclarationFaultCode as Code, Faults};
use super::field::FieldKind;
use super::pointer::Pointer;
use super::source::SourceDeclaration;
use super::stream::StreamDeclaration;
use crate::ids::FieldName;

/// The streams by name; of two with one name, the first.
type Streams<'a> = HashMap<&'a str, &'a StreamDeclaration>;

/// Reports every rule that `declaration` breaks.
pub(super) fn check(declaration: &SourceDeclaration, faults: &mut Faults) {
    let mut streams = Streams::new();
    for stream in &declaration.streams {
        streams.entry(stream.name.as_str()).or_insert(stream);
    }
    let at = Pointer::ROOT.member("streams");
    let names = declaration.streams.iter().map(|stream| stream.name.as_str());
    no_repeats(names, Code::DuplicateStreamName, "name", &at, faults);
    for (index, stream) in declaration.streams.iter().enumerate() {
        let at = at.item(index);
        embedded::references(&stream.schema, &at.member("schema"), faults);
        stream::check(stream, &at, faults);
        relations::check(stream, &streams, &at, faults);
        query::check(stream, &at.member("query"), faults);
    }
    presets::check(&declaration.selection_presets, &streams, faults);
}

/// Reports the second and every later item of a list that has a name taken before it.
fn no_repeats<'a>(
    names: impl Iterator<Item = &'a str>,
    code: Code,
    member: &str,
    list: &Pointer<'_>,
    faults: &mut Faults,
) {
    let mut seen = HashSet::new();
    for (index, name) in names.enumerate() {
        if !seen.insert(name) {
            faults.add(code, &list.item(index).member(member), name);
        }
    }
}

/// Reports every field of a list that the stream does not declare.
fn known_fields(
    stream: &StreamDeclaration,
    fields: &[FieldName],
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    for (index, field) in fields.iter().enumerate() {
        known_field(stream, field, &at.item(index), faults);
    }
}

/// Reports a field the stream does not declare; what a declared one holds.
fn known_field(
    stream: &StreamDeclaration,
    field: &FieldName,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<FieldKind> {
    let kind = stream.field_kind(field.as_str());
    if kind.is_none() {
        faults.add(Code::UnknownSchemaField, at, field);
    }
    kind
}
