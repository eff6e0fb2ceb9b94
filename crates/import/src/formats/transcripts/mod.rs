//! Transcripts of coding agents: sessions and messages, with every call of a tool.

mod claude_code;
mod codex;
mod gemini;
mod left_out;
mod opencode;
mod session;
mod tool_text;

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::sink::{Flow, Sink};

pub use claude_code::FORMAT as CLAUDE_CODE;
pub use codex::FORMAT as CODEX;
pub use gemini::FORMAT as GEMINI;
pub use opencode::FORMAT as OPENCODE;

/// The declaration of one agent: its own name, and the streams that all of them share.
macro_rules! declaration {
    ($id:literal, $name:literal) => {
        concat!(
            "{\"protocol_version\": \"0.1.0\", \"source\": {\"kind\": \"connector\", \"id\": ",
            "\"https://registry.pdpp.dev/connectors/",
            $id,
            "\"}, \"declaration_version\": \"1\", \"publisher\": {\"id\": ",
            "\"https://registry.pdpp.dev/publishers/pdpp\"}, \"display\": {\"name\": \"",
            $name,
            "\"}, \"streams\": ",
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src/formats/declarations/transcripts.json"
            )),
            "}"
        )
    };
}
use declaration;

fn reject(object: JsonObject, why: &str, sink: &mut Sink<'_>) -> Flow {
    let item = Json::Object(object).to_canonical();
    sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()))
}
