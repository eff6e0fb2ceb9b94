//! The rules of relationships: the related stream exists, the foreign key lives where it must, and
//! every expansion follows a relationship within fitting limits.

use super::super::fault::{DeclarationFaultCode as Code, Faults};
use super::super::pointer::Pointer;
use super::super::query::ExpandDeclaration;
use super::super::stream::{Cardinality, Relationship, StreamDeclaration};
use super::{Streams, known_field, no_repeats};

/// Reports what is wrong with the relationships and expansions of `stream`.
pub(super) fn check(
    stream: &StreamDeclaration,
    streams: &Streams<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    let list = at.member("relationships");
    let names = stream.relationships.iter().map(|relationship| relationship.name.as_str());
    no_repeats(names, Code::DuplicateRelationshipName, "name", &list, faults);
    for (index, relationship) in stream.relationships.iter().enumerate() {
        foreign_key(stream, relationship, streams, &list.item(index), faults);
    }

    let query = at.member("query");
    let list = query.member("expand");
    let names = stream.query.expand.iter().map(|expand| expand.name.as_str());
    no_repeats(names, Code::DuplicateExpandName, "name", &list, faults);
    for (index, expand) in stream.query.expand.iter().enumerate() {
        let place = list.item(index);
        let relationship = stream.relationships.iter().find(|other| other.name == expand.name);
        match relationship {
            Some(relationship) => limits(expand, relationship.cardinality, &place, faults),
            None => faults.add(Code::UnknownRelationship, &place.member("name"), &expand.name),
        }
    }
}

fn foreign_key(
    stream: &StreamDeclaration,
    relationship: &Relationship,
    streams: &Streams<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    let Some(related) = streams.get(relationship.stream.as_str()) else {
        return faults.add(Code::UnknownStream, &at.member("stream"), &relationship.stream);
    };
    let home = match relationship.cardinality {
        Cardinality::HasMany => *related,
        Cardinality::HasOne => stream,
    };
    let key = &relationship.foreign_key;
    let place = at.member("foreign_key");
    let kind = known_field(home, key, &place, faults);
    if kind.is_some_and(|kind| !kind.is_scalar()) {
        faults.add(Code::InvalidKeyFieldType, &place, key);
    }
}

fn limits(
    expand: &ExpandDeclaration,
    cardinality: Cardinality,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    let mut refuse = |member| {
        faults.add(Code::InvalidExpandLimits, &at.member(member), &expand.name);
    };
    match (cardinality, expand.default_limit, expand.max_limit) {
        (Cardinality::HasOne, default_limit, max_limit) => {
            if default_limit.is_some() {
                refuse("default_limit");
            }
            if max_limit.is_some() {
                refuse("max_limit");
            }
        }
        (Cardinality::HasMany, Some(default_limit), Some(max_limit)) => {
            if default_limit > max_limit {
                refuse("default_limit");
            }
        }
        (Cardinality::HasMany, _, _) => {}
    }
}
