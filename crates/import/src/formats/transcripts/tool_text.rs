//! What a tool was given and what it answered, as text that people and searches can read.

use pdpp_contract::{Json, JsonObject};

use crate::record::lenient;

/// What a tool was given: one `name: value` for each argument, texts as they are.
pub fn of_input(input: &Json) -> String {
    match input {
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| format!("{name}: {}", of_value(value)))
            .collect::<Vec<_>>()
            .join("\n"),
        other => of_value(other),
    }
}

/// Arguments that are JSON inside of a text, as some programs keep them.
pub fn of_encoded_input(text: &str) -> String {
    match Json::parse(text) {
        Ok(input @ Json::Object(_)) => of_input(&input),
        _ => text.to_owned(),
    }
}

/// Content: a text, or a list of blocks. What is no text is named by its kind.
pub fn of_content(content: &Json) -> String {
    match content {
        Json::Array(blocks) => {
            let texts = blocks.iter().map(|block| match block {
                Json::Object(block) => of_block(block),
                other => of_value(other),
            });
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Json::Object(block) => of_block(block),
        other => of_value(other),
    }
}

fn of_block(block: &JsonObject) -> String {
    if let Some(text) = lenient::text(block, "text") {
        return text.to_owned();
    }
    match lenient::text(block, "type") {
        Some("image" | "input_image" | "document") => {
            let source = lenient::object(block, "source");
            let kind = source.and_then(|source| lenient::text(source, "media_type"));
            format!("[{}]", kind.unwrap_or("image"))
        }
        Some("text" | "input_text" | "output_text") => String::new(),
        Some("tool_reference") => lenient::text(block, "tool_name").unwrap_or_default().to_owned(),
        _ => of_input(&Json::Object(block.clone())),
    }
}

fn of_value(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        Json::Array(items) if items.iter().all(|item| item.as_str().is_some()) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" ")
        }
        other => other.to_canonical(),
    }
}
