//! Record values as protocol data: numbers keep their value, even where a double would lose it.

use pdpp_contract::{Json, JsonObject};
use serde_json::{Map, Number, Value};

/// A record's value. A number that data clients would round stands as text.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(spelled) => number(spelled),
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::Object(members) => Value::Object(object(members)),
    }
}

/// The members of a record.
pub(crate) fn object(members: &JsonObject) -> Map<String, Value> {
    members.iter().map(|(name, member)| (name.clone(), value(member))).collect()
}

fn number(spelled: &str) -> Value {
    if let Ok(whole) = spelled.parse::<i64>() {
        return Value::from(whole);
    }
    let digits = spelled.bytes().filter(u8::is_ascii_digit).count();
    let float = spelled.parse::<f64>().ok().filter(|float| float.is_finite() && digits <= 15);
    match float.and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::String(spelled.to_owned()),
    }
}
