//! The YAML of front matter: plain values, lists and mappings. Aliases are refused, because a few of
//! them can stand for more text than there is memory.

use pdpp_contract::{Json, JsonObject};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Deepest nesting.
const MAX_DEPTH: usize = 32;

/// A mapping, or `None` when the text is no such YAML.
pub fn mapping(text: &str) -> Option<JsonObject> {
    let mut open: Vec<Node> = Vec::new();
    let mut whole = None;
    for event in Parser::new_from_str(text) {
        let done = match event.ok()?.0 {
            Event::MappingStart(..) => {
                open.push(Node::Mapping(JsonObject::new(), None));
                None
            }
            Event::SequenceStart(..) => {
                open.push(Node::List(Vec::new()));
                None
            }
            Event::Scalar(text, style, ..) => Some(scalar(&text, style)),
            Event::MappingEnd | Event::SequenceEnd => Some(open.pop()?.value()),
            Event::Alias(_) => return None,
            _ => None,
        };
        if open.len() > MAX_DEPTH {
            return None;
        }
        let Some(value) = done else { continue };
        match open.last_mut() {
            Some(node) => node.put(value),
            None => whole = Some(value),
        }
    }
    match whole {
        Some(Json::Object(members)) => Some(members),
        _ => None,
    }
}

/// A list or mapping that is still open.
enum Node {
    List(Vec<Json>),
    /// The members, and the name that waits for its value.
    Mapping(JsonObject, Option<String>),
}

impl Node {
    fn put(&mut self, value: Json) {
        match self {
            Self::List(items) => items.push(value),
            Self::Mapping(members, waiting) => match waiting.take() {
                Some(name) => {
                    members.insert(name, value);
                }
                None => {
                    *waiting = Some(match value {
                        Json::String(name) | Json::Number(name) => name,
                        other => other.to_canonical(),
                    });
                }
            },
        }
    }

    fn value(self) -> Json {
        match self {
            Self::List(items) => Json::Array(items),
            Self::Mapping(members, _) => Json::Object(members),
        }
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Json {
    if style != ScalarStyle::Plain {
        return Json::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        _ => match Json::parse(text) {
            Ok(number @ Json::Number(_)) => number,
            _ => Json::String(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_numbers_and_texts_are_told_apart() {
        let text = "title: 'Boiler'\ntags: [heat, \"2026\"]\naliases:\n- One\n- Two\ncost: 12.5\ndone: false\nempty:\n";
        assert_eq!(
            Json::Object(mapping(text).unwrap()).to_canonical(),
            r#"{"aliases":["One","Two"],"cost":12.5,"done":false,"empty":null,"tags":["heat","2026"],"title":"Boiler"}"#
        );
        for bad in ["- a\n- b\n", "a: [", "a: &x [1]\nb: *x\n", "just words"] {
            assert_eq!(mapping(bad), None, "{bad}");
        }
    }
}
