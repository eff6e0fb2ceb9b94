//! The rules of what is offered for a field: its type must allow it.

use super::super::fault::{DeclarationFaultCode as Code, Faults};
use super::super::field::FieldKind;
use super::super::pointer::Pointer;
use super::super::stream::StreamDeclaration;
use super::known_field;
use crate::ids::FieldName;

/// Reports every field for which `query` offers what its type does not allow.
pub(super) fn check(stream: &StreamDeclaration, at: &Pointer<'_>, faults: &mut Faults) {
    let ranges = at.member("range_filters");
    for field in stream.query.range_filters.keys() {
        offered(stream, field, has_order, &ranges.member(field.as_str()), faults);
    }

    let search = &stream.query.search;
    let sums = &stream.query.aggregations;
    let offers: [Offer<'_>; 8] = [
        ("search", "lexical_fields", &search.lexical_fields, FieldKind::is_text),
        ("search", "semantic_fields", &search.semantic_fields, FieldKind::is_text),
        ("aggregations", "count_distinct", &sums.count_distinct, FieldKind::is_scalar),
        ("aggregations", "group_by", &sums.group_by, FieldKind::is_scalar),
        ("aggregations", "group_by_time", &sums.group_by_time, FieldKind::is_time),
        ("aggregations", "max", &sums.max, has_order),
        ("aggregations", "min", &sums.min, has_order),
        ("aggregations", "sum", &sums.sum, FieldKind::is_numeric),
    ];
    for (group, member, fields, allows) in offers {
        let group = at.member(group);
        let list = group.member(member);
        for (index, field) in fields.iter().enumerate() {
            offered(stream, field, allows, &list.item(index), faults);
        }
    }
}

/// A list of fields, the two members that lead to it, and what its fields must hold.
type Offer<'a> = (&'static str, &'static str, &'a [FieldName], Allows);

/// Which kinds of field an offer is good for.
type Allows = fn(FieldKind) -> bool;

/// Numbers and times have an order everyone agrees on; text does not.
fn has_order(kind: FieldKind) -> bool {
    kind.is_numeric() || kind.is_time()
}

fn offered(
    stream: &StreamDeclaration,
    field: &FieldName,
    allows: Allows,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    let kind = known_field(stream, field, at, faults);
    if kind.is_some_and(|kind| !allows(kind)) {
        faults.add(Code::InvalidQueryFieldType, at, field);
    }
}
