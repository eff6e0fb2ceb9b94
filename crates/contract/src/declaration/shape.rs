//! The structure of a JSON value: a shape says what may stand there, a walk finds every departure.
//!
//! Serde stops at the first fault and cannot say where it stands. The shapes can, so they come
//! first, and the typed reading after them finds nothing left to refuse.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::embedded;
use super::fault::Faults;
use super::pointer::Pointer;

/// Most items in any list of a declaration; for `streams` the product's own limit.
pub(super) const MAX_ITEMS: usize = super::MAX_STREAMS;

/// A rule about a text: what is wrong with it, in words that do not repeat it.
pub(super) type TextRule = fn(&str) -> Result<(), String>;

/// What may stand at one place of the document.
pub(super) enum Shape {
    /// An object with these members and no others.
    Object(&'static [Member]),
    /// An object whose member names follow a rule and whose values are alike.
    Map(TextRule, &'static Shape),
    /// A list; `true` demands at least one item. No list of texts names one twice.
    List(bool, &'static Shape),
    /// A string that follows a rule.
    Text(TextRule),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Bool,
    /// `true`: absence is the other state.
    True,
    /// A whole number from 1.
    Count,
    /// The embedded JSON Schema of a stream.
    Schema,
    /// Anything; we keep it and do not read it.
    Any,
}

/// One member of an object.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: &'static Shape,
    /// A member that must not stand beside this one.
    pub(super) never_with: Option<&'static str>,
}

/// Reports every place where `value` departs from `shape`.
pub(super) fn check(shape: &Shape, value: &Value, at: &Pointer<'_>, faults: &mut Faults) {
    match (shape, value) {
        (Shape::Object(members), Value::Object(found)) => object(members, found, at, faults),
        (Shape::Map(rule, shape), Value::Object(found)) => map(*rule, shape, found, at, faults),
        (Shape::List(filled, shape), Value::Array(found)) => {
            list(*filled, shape, found, at, faults);
        }
        (Shape::Text(rule), Value::String(text)) => {
            if let Err(words) = rule(text) {
                faults.structure(at, words);
            }
        }
        (Shape::OneOf(names), Value::String(text)) if names.contains(&text.as_str()) => {}
        (Shape::Count, Value::Number(number)) if is_count(number) => {}
        (Shape::Schema, Value::Object(schema)) => embedded::check(schema, at, faults),
        (Shape::Bool, Value::Bool(_)) | (Shape::True, Value::Bool(true)) | (Shape::Any, _) => {}
        (shape, _) => faults.structure(at, shape.expected()),
    }
}

impl Shape {
    fn expected(&self) -> String {
        match self {
            Self::Object(_) | Self::Map(..) => "must be an object".to_owned(),
            Self::List(..) => "must be an array".to_owned(),
            Self::Text(_) => "must be a string".to_owned(),
            Self::OneOf(names) => format!("must be one of: {}", names.join(", ")),
            Self::Bool => "must be true or false".to_owned(),
            Self::True => "must be true, or be left out".to_owned(),
            Self::Count => "must be a whole number from 1 to 4294967295".to_owned(),
            Self::Schema => "must be a JSON Schema object".to_owned(),
            Self::Any => "may be anything".to_owned(),
        }
    }
}

fn object(members: &[Member], found: &Map<String, Value>, at: &Pointer<'_>, faults: &mut Faults) {
    for (name, value) in found {
        let place = at.member(name);
        let Some(member) = members.iter().find(|member| member.name == name) else {
            let known: Vec<&str> = members.iter().map(|member| member.name).collect();
            faults.structure(&place, format!("unknown member; known are: {}", known.join(", ")));
            continue;
        };
        if let Some(other) = member.never_with.filter(|other| found.contains_key(*other)) {
            faults.structure(&place, format!("must not stand beside {other}"));
        }
        check(member.shape, value, &place, faults);
    }
    for member in members.iter().filter(|member| member.required) {
        if !found.contains_key(member.name) {
            faults.structure(&at.member(member.name), "missing member");
        }
    }
}

fn map(
    rule: TextRule,
    shape: &Shape,
    found: &Map<String, Value>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    for (name, value) in found {
        let place = at.member(name);
        if let Err(words) = rule(name) {
            faults.structure(&place, words);
        }
        check(shape, value, &place, faults);
    }
}

fn list(filled: bool, shape: &Shape, found: &[Value], at: &Pointer<'_>, faults: &mut Faults) {
    if filled && found.is_empty() {
        faults.structure(at, "must not be empty");
    }
    if found.len() > MAX_ITEMS {
        return faults.structure(at, format!("must not have more than {MAX_ITEMS} items"));
    }
    let mut seen = HashSet::new();
    for (index, value) in found.iter().enumerate() {
        let place = at.item(index);
        if value.as_str().is_some_and(|text| !seen.insert(text)) {
            faults.structure(&place, "the list has this item twice");
        }
        check(shape, value, &place, faults);
    }
}

fn is_count(number: &serde_json::Number) -> bool {
    number.as_u64().is_some_and(|count| count >= 1 && u32::try_from(count).is_ok())
}
