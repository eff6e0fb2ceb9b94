//! The rules of one stream by itself: its key, its times, its views.

use super::super::fault::{DeclarationFaultCode as Code, Faults};
use super::super::pointer::Pointer;
use super::super::stream::StreamDeclaration;
use super::{known_field, known_fields, no_repeats};

/// Reports what is wrong with the parts of `stream` that refer to its own fields.
pub(super) fn check(stream: &StreamDeclaration, at: &Pointer<'_>, faults: &mut Faults) {
    let key = at.member("primary_key");
    for (index, field) in stream.primary_key.iter().enumerate() {
        let place = key.item(index);
        let kind = known_field(stream, field, &place, faults);
        if kind.is_some_and(|kind| !kind.is_scalar()) {
            faults.add(Code::InvalidKeyFieldType, &place, field);
        }
    }
    if let Some(field) = &stream.cursor_field {
        let place = at.member("cursor_field");
        let kind = known_field(stream, field, &place, faults);
        if kind.is_some_and(|kind| !kind.is_scalar()) {
            faults.add(Code::InvalidQueryFieldType, &place, field);
        }
    }
    if let Some(own) = &stream.conversation {
        let place = at.member("conversation");
        let named = [("field", Some(&own.field)), ("order_field", own.order_field.as_ref())];
        for (member, field) in named {
            let Some(field) = field else { continue };
            let place = place.member(member);
            let kind = known_field(stream, field, &place, faults);
            if kind.is_some_and(|kind| !kind.is_scalar()) {
                faults.add(Code::InvalidQueryFieldType, &place, field);
            }
        }
    }
    if let Some(field) = &stream.consent_time_field {
        let place = at.member("consent_time_field");
        let kind = known_field(stream, field, &place, faults);
        // Text without a format may still hold instants; anything else never does, and a grant
        // with a time range would then hide the whole stream without a word.
        if kind.is_some_and(|kind| !kind.is_text()) {
            faults.add(Code::InvalidQueryFieldType, &place, field);
        }
    }
    views(stream, &at.member("views"), faults);
}

fn views(stream: &StreamDeclaration, at: &Pointer<'_>, faults: &mut Faults) {
    let ids = stream.views.iter().map(|view| view.id.as_str());
    no_repeats(ids, Code::DuplicateViewId, "id", at, faults);
    for (index, view) in stream.views.iter().enumerate() {
        known_fields(stream, &view.fields, &at.item(index).member("fields"), faults);
    }
}
