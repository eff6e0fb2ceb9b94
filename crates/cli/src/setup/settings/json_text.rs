//! Settings in JSON, perhaps with comments: edited where they stand.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::edit::{BrokenSettings, SettingsChange, SettingsEdit, check_ours};
use crate::setup::client::KnownClient;

/// Where a newer edition of opencode keeps its servers, inside the usual member.
const NESTED: &str = "servers";

/// What clients read: comments and a comma too many. Anything else is a mistake to be shown.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The text with an entry of these members.
pub fn added(
    text: &str,
    client: KnownClient,
    name: &str,
    members: &Map<String, Value>,
) -> Result<SettingsEdit, BrokenSettings> {
    let is_new = text.trim().is_empty();
    let root = parsed(if is_new { "{}\n" } else { text })?;
    let settings = object_of(&root)?;
    if is_new && client == KnownClient::Opencode {
        settings.append("$schema", "https://opencode.ai/config.json".into());
    }
    let container = match servers(&settings, client)? {
        Some(container) => container,
        None => settings.object_value_or_set(client.container()),
    };
    let change = match only(&container, name)? {
        None => {
            let members = members.iter().map(|(key, value)| (key.clone(), input(value))).collect();
            container.append(name, CstInputValue::Object(members));
            SettingsChange::Added
        }
        Some(found) => {
            check_ours(name, &found.to_serde_value().unwrap_or_default())?;
            update(&found.object_value().ok_or(BrokenSettings::NotOurs)?, members)
        }
    };
    Ok(SettingsEdit { text: root.to_string(), change })
}

/// Changes the members that differ and leaves the person's own alone.
fn update(entry: &CstObject, members: &Map<String, Value>) -> SettingsChange {
    let mut change = SettingsChange::Unchanged;
    for (key, wanted) in members {
        let found = entry.get(key);
        let now = found.as_ref().and_then(|found| found.value()?.to_serde_value());
        // Who switched a server off wants it off.
        if now.as_ref() == Some(wanted) || (key == "enabled" && now.is_some()) {
            continue;
        }
        change = SettingsChange::Updated;
        match found {
            Some(found) => found.set_value(input(wanted)),
            None => {
                entry.append(key, input(wanted));
            }
        }
    }
    change
}

/// The text without the entry. What held nothing else goes with it.
pub fn removed(
    text: &str,
    client: KnownClient,
    name: &str,
) -> Result<SettingsEdit, BrokenSettings> {
    let absent = || SettingsEdit { text: text.to_owned(), change: SettingsChange::Absent };
    if text.trim().is_empty() {
        return Ok(absent());
    }
    let root = parsed(text)?;
    let settings = object_of(&root)?;
    let Some(container) = servers(&settings, client)? else { return Ok(absent()) };
    let Some(found) = only(&container, name)? else { return Ok(absent()) };
    check_ours(name, &found.to_serde_value().unwrap_or_default())?;
    found.remove();
    let has_nothing = container.properties().is_empty()
        && !container.children().iter().any(jsonc_parser::cst::CstNode::is_comment);
    if has_nothing && let Some(member) = settings.get(client.container()) {
        let is_outer = member.object_value().is_some_and(|outer| outer.properties().is_empty());
        if is_outer {
            member.remove();
        }
    }
    Ok(SettingsEdit { text: root.to_string(), change: SettingsChange::Removed })
}

/// The members of an entry as they stand.
pub fn members(
    text: &str,
    client: KnownClient,
    name: &str,
) -> Result<Option<Value>, BrokenSettings> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = parsed(text)?;
    let Some(container) = servers(&object_of(&root)?, client)? else { return Ok(None) };
    Ok(only(&container, name)?.and_then(|found| found.value()?.to_serde_value()))
}

/// The names of all entries.
pub fn names(text: &str, client: KnownClient) -> Result<Vec<String>, BrokenSettings> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = parsed(text)?;
    let Some(container) = servers(&object_of(&root)?, client)? else { return Ok(Vec::new()) };
    let members = container.properties();
    Ok(members.iter().filter_map(jsonc_parser::cst::CstObjectProp::decoded_name).collect())
}

fn parsed(text: &str) -> Result<CstRootNode, BrokenSettings> {
    CstRootNode::parse(text, &OPTIONS).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        BrokenSettings::Syntax(format!("line {line}, column {column}: {}", error.kind()))
    })
}

fn object_of(root: &CstRootNode) -> Result<CstObject, BrokenSettings> {
    root.object_value().ok_or_else(|| BrokenSettings::Shape("it is not a JSON object".to_owned()))
}

/// The object that holds servers, when there is one.
fn servers(settings: &CstObject, client: KnownClient) -> Result<Option<CstObject>, BrokenSettings> {
    let Some(found) = only(settings, client.container())? else { return Ok(None) };
    let shape = || BrokenSettings::Shape(format!("\"{}\" is not an object", client.container()));
    let container = found.object_value().ok_or_else(shape)?;
    if client != KnownClient::Opencode {
        return Ok(Some(container));
    }
    // A server could be called so too; it would have a type.
    let nested = container.object_value(NESTED).filter(|nested| nested.get("type").is_none());
    Ok(Some(nested.unwrap_or(container)))
}

/// A member that must not be there twice: readers differ in which one they believe.
fn only(
    object: &CstObject,
    name: &str,
) -> Result<Option<jsonc_parser::cst::CstObjectProp>, BrokenSettings> {
    let named = |member: &jsonc_parser::cst::CstObjectProp| {
        member.decoded_name().is_some_and(|found| found == name)
    };
    let mut found = object.properties().into_iter().filter(named);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(_) => Err(BrokenSettings::Shape(format!("\"{name}\" appears twice"))),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(on) => CstInputValue::Bool(*on),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(members.collect())
        }
    }
}
