//! The detector against lifelike lines; a miss and a false alarm are equally failures.

use pdpp_contract::{Json, JsonObject};

use super::carries_secrets;

fn record(text: &str) -> JsonObject {
    [("text".to_owned(), Json::String(text.to_owned()))].into()
}
