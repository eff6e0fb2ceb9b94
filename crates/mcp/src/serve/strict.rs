//! The first look at a message: it must be JSON in which no object names a member twice, because
//! readers disagree about which one counts. Nothing is built; the library parses the message.

use std::collections::HashSet;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// An array: messages of the protocol are none.
    Batch,
    /// Anything else that is JSON.
    Single,
}

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

/// Looks at a message.
pub(super) fn check(message: &[u8]) -> Result<Shape, Unreadable> {
    match serde_json::from_slice::<Checked>(message) {
        Ok(Checked(shape)) => Ok(shape),
        Err(error) if error.is_data() => Err(Unreadable::RepeatedMember),
        Err(_) => Err(Unreadable::NotJson),
    }
}

struct Checked(Shape);

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Members).map(Self)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Shape;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Single)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        while items.next_element::<Checked>()?.is_some() {}
        Ok(Shape::Batch)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Shape, A::Error> {
        let mut names = HashSet::new();
        while let Some((name, _)) = members.next_entry::<String, Checked>()? {
            if !names.insert(name) {
                return Err(A::Error::custom("a repeated member"));
            }
        }
        Ok(Shape::Single)
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
            assert_eq!(check(repeated.as_bytes()), Err(Unreadable::RepeatedMember), "{repeated}");
        }
        for broken in ["{", "nonsense", "1e400", r#"{"a":1,}"#, r#""\ud800""#] {
            assert_eq!(check(broken.as_bytes()), Err(Unreadable::NotJson), "{broken}");
        }
        let plain = r#"{"a":[{"b":1},{"b":-2.5}],"c":null,"d":{"a":true,"e":"x"}}"#;
        assert_eq!(check(plain.as_bytes()), Ok(Shape::Single));
        assert_eq!(check(b"[{}]"), Ok(Shape::Batch));
    }
}
