//! Reading a tool's arguments: strict about names and ranges, lenient about spelling.

pub(crate) mod asked_fields;
pub(crate) mod filters;
mod source;

use pdpp_contract::ConnectionId;
use serde_json::{Map, Value, json};

use crate::refusal::Refusal;
use crate::tools::Tool;

/// The arguments of one call. A member that is null counts as absent.
pub(crate) struct Arguments {
    members: Map<String, Value>,
}

impl Arguments {
    /// Takes the arguments of a tool; refuses names it does not know.
    pub(crate) fn new(tool: Tool, mut members: Map<String, Value>) -> Result<Self, Refusal> {
        members.retain(|_, value| !value.is_null());
        // The only way to search there is; other servers have more.
        if tool == Tool::Search && members.get("mode") == Some(&json!("lexical")) {
            members.remove("mode");
        }
        let known = known_names(tool);
        if let Some(unknown) = members.keys().find(|name| !known.contains(&name.as_str())) {
            let shown = crate::render::one_line::one_line(unknown, 60);
            let (tool, takes) = (tool.name(), known.join(", "));
            let message = format!("{tool} has no argument {shown}; it takes {takes}");
            return Err(Refusal::arguments(message)
                .param(shown)
                .with("valid_arguments", json!(known)));
        }
        Ok(Self { members })
    }

    /// Whether the argument was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// The arguments as given, for a suggested call.
    pub(crate) fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    /// The argument as given.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// A text; a number or boolean counts as its spelling.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.members.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            Some(_) => Err(wrong(name, "is a text that is not empty")),
        }
    }

    /// A text that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| wrong(name, "is needed"))
    }

    /// A text that becomes a checked name.
    pub(crate) fn name<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal>
    where
        T::Err: std::fmt::Display,
    {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let parsed =
            text.parse().map_err(|fault: T::Err| Refusal::arguments(fault.to_string()).param(name));
        parsed.map(Some)
    }

    /// The connection to read.
    pub(crate) fn connection_id(&self) -> Result<Option<ConnectionId>, Refusal> {
        self.name("connection_id")
    }

    /// Several names; one text counts as a list of one, also when it spells a JSON array.
    pub(crate) fn names<T: std::str::FromStr>(&self, name: &str) -> Result<Option<Vec<T>>, Refusal>
    where
        T::Err: std::fmt::Display,
    {
        let spelled;
        let items = match self.members.get(name) {
            None => return Ok(None),
            Some(Value::Array(items)) => items,
            Some(Value::String(text)) => {
                spelled = match serde_json::from_str(text) {
                    Ok(Value::Array(items)) => items,
                    _ => vec![json!(text)],
                };
                &spelled
            }
            Some(_) => return Err(wrong(name, "is a list of names")),
        };
        let parse = |item: &Value| {
            let text = item.as_str().ok_or_else(|| wrong(name, "is a list of names"))?;
            text.parse().map_err(|fault: T::Err| Refusal::arguments(fault.to_string()).param(name))
        };
        items.iter().map(parse).collect::<Result<Vec<T>, _>>().map(Some)
    }

    /// A whole number within bounds, also as text. Out of range is refused, never clamped.
    pub(crate) fn number(&self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Refusal> {
        let value = match self.members.get(name) {
            None => return Ok(None),
            Some(Value::Number(number)) => number.as_u64().or_else(|| whole(number.as_f64())),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        match value {
            Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
            _ if max == u64::MAX => Err(wrong(name, &format!("is a whole number from {min}"))),
            _ => Err(wrong(name, &format!("is a whole number from {min} to {max}"))),
        }
    }

    /// The same for numbers that are small.
    pub(crate) fn small(&self, name: &str, min: u32, max: u32) -> Result<Option<u32>, Refusal> {
        let number = self.number(name, min.into(), max.into())?;
        Ok(number.and_then(|number| u32::try_from(number).ok()))
    }

    /// One of several words.
    pub(crate) fn choice(
        &self,
        name: &str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, Refusal> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let found = words.iter().find(|word| text.eq_ignore_ascii_case(word));
        found
            .copied()
            .map(Some)
            .ok_or_else(|| wrong(name, &format!("is one of {}", words.join(", "))))
    }
}

fn whole(number: Option<f64>) -> Option<u64> {
    let number = number.filter(|number| number.fract() == 0.0 && (0.0..9e15).contains(number))?;
    format!("{number:.0}").parse().ok()
}

/// An argument that is not what it should be.
pub(crate) fn wrong(name: &str, what: &str) -> Refusal {
    Refusal::arguments(format!("{name} {what}")).param(name)
}

/// The names a tool takes, in the order of its schema.
fn known_names(tool: Tool) -> Vec<&'static str> {
    let properties =
        tool.listed().and_then(|tool| tool.input_schema.get("properties")?.as_object());
    properties.map(|members| members.keys().map(String::as_str).collect()).unwrap_or_default()
}
