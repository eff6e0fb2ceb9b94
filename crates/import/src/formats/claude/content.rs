//! What a message says, what was thought before it, and what was made in it.

use pdpp_contract::{Json, JsonObject};

use crate::record::fields::RecordFields;
use crate::record::lenient;

/// Members of a tool's input that hold the text it was given, likeliest first.
const TEXTS: [&str; 6] = ["content", "file_text", "code", "new_str", "query", "command"];

/// The answer: the content blocks of text, or the flat text of older exports. That repeats the
/// thoughts too, so it is not taken from a message that has blocks of other kinds.
pub fn answer(message: &JsonObject) -> String {
    let words: Vec<&str> =
        blocks(message).filter_map(|block| lenient::text(block, "text")).collect();
    if !words.is_empty() {
        return words.join("\n\n");
    }
    if thinking(message).is_some() || !artifacts(message).is_empty() {
        return String::new();
    }
    lenient::text(message, "text").unwrap_or_default().to_owned()
}

/// What was thought before the answer.
pub fn thinking(message: &JsonObject) -> Option<String> {
    let thoughts: Vec<&str> =
        blocks(message).filter_map(|block| lenient::text(block, "thinking")).collect();
    (!thoughts.is_empty()).then(|| thoughts.join("\n\n"))
}

/// What tools were given: artifacts, files, code, queries.
pub fn artifacts(message: &JsonObject) -> Vec<RecordFields> {
    blocks(message)
        .filter(|block| lenient::text(block, "type") == Some("tool_use"))
        .filter_map(|block| {
            let input = lenient::object(block, "input").filter(|input| !input.is_empty())?;
            let text = TEXTS.iter().find_map(|name| lenient::text(input, name));
            let text = text.map(str::to_owned);
            let text = text.unwrap_or_else(|| Json::Object(input.clone()).to_canonical());
            let tool = lenient::text(block, "name").unwrap_or("unknown");
            let title = ["title", "path", "id", "description"];
            let title = title.iter().find_map(|name| lenient::text(input, name)).unwrap_or(tool);
            let fields = RecordFields::default()
                .text("title", title)
                .text("tool", tool)
                .maybe("kind", lenient::text(input, "type"))
                .maybe("language", lenient::text(input, "language"))
                .maybe("action", lenient::text(input, "command").filter(|action| *action != text))
                .text("text", text);
            Some(fields)
        })
        .collect()
}

fn blocks(message: &JsonObject) -> impl Iterator<Item = &JsonObject> {
    lenient::objects(message, "content")
}
