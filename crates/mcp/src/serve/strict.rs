//! A message as JSON in which no object names a member twice: readers disagree about which one counts.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why a message cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is not JSON that can be read.
    NotJson,
    /// An object names a member twice.
    RepeatedMember,
}

/// What is said about a repeated member. The name is not repeated: it comes from outside.
pub(super) const REPEATED_MEMBER: &str =
    "an object of the message names a member twice; send each member once";

/// Reads a message.
pub(super) fn read(message: &[u8]) -> Result<Value, Unreadable> {
    match serde_json::from_slice::<Strict>(message) {
        Ok(Strict(value)) => Ok(value),
        Err(error) if error.is_data() => Err(Unreadable::RepeatedMember),
        Err(_) => Err(Unreadable::NotJson),
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values).map(Self)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("a repeated member"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_stands_twice_is_found_at_any_depth_however_it_is_spelt() {
        for repeated in [
            r#"{"a":1,"a":2}"#,
            r#"{"params":{"arguments":{"query":"a","q\u0075ery":"b"}}}"#,
            r#"[{"filter":{"x":{"eq":1,"eq":1}}}]"#,
        ] {
            assert_eq!(read(repeated.as_bytes()), Err(Unreadable::RepeatedMember), "{repeated}");
        }
        for broken in ["{", "nonsense", "1e400", r#"{"a":1,}"#, r#""\ud800""#] {
            assert_eq!(read(broken.as_bytes()), Err(Unreadable::NotJson), "{broken}");
        }
        let plain = r#"{"a":[{"b":1},{"b":-2.5}],"c":null,"d":{"a":true,"e":"x"}}"#;
        let whole: Value = serde_json::from_str(plain).unwrap();
        assert_eq!(read(plain.as_bytes()), Ok(whole));
    }
}
