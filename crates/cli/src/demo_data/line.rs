//! Writes RECORD lines. Numbers are written as given, so `1249.00` and twenty digits survive.

use std::fmt::Display;

use serde_json::Value;

/// A JSON object under construction; members keep their order.
#[derive(Default)]
pub struct Object(String);

impl Object {
    /// A text member.
    pub fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, &quoted(value))
    }

    /// The text, or `null` where there is none.
    pub fn text_or_null(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// A list of texts.
    pub fn texts<T: AsRef<str>>(self, name: &str, values: &[T]) -> Self {
        let list: Vec<String> = values.iter().map(|value| quoted(value.as_ref())).collect();
        self.raw(name, &format!("[{}]", list.join(",")))
    }

    /// A number exactly as it prints.
    pub fn number(self, name: &str, value: impl Display) -> Self {
        self.raw(name, &value.to_string())
    }

    /// A truth value.
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.raw(name, if value { "true" } else { "false" })
    }

    /// Any JSON text.
    pub fn raw(mut self, name: &str, json: &str) -> Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&quoted(name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// The object as JSON text.
    pub fn json(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

/// One line for the `jsonl` door. A key of one part is a string, of several an array.
pub fn record(stream: &str, key: &[&str], data: &Object, emitted_at: &str) -> String {
    let line = Object::default().text("type", "RECORD").text("stream", stream);
    let line = match key {
        [only] => line.text("key", only),
        parts => line.texts("key", parts),
    };
    line.raw("data", &data.json()).text("emitted_at", emitted_at).json()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
