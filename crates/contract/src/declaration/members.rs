//! Repeated members: readers would disagree about which one counts, so none is accepted.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fault::Faults;
use super::pointer::Pointer;
use crate::limits::MAX_JSON_DEPTH;

/// Reports every repeated member of the JSON `text`, at any level, and nesting that is too deep.
///
/// Says nothing about text that is not JSON: the caller has read it before.
pub(super) fn check(text: &str, faults: &mut Faults) {
    let mut json = serde_json::Deserializer::from_str(text);
    let place = Place { at: Pointer::ROOT, depth: 0, faults };
    let _: Result<(), serde_json::Error> = place.deserialize(&mut json);
}

/// Reads over one value and keeps nothing but its place.
struct Place<'p, 'f> {
    at: Pointer<'p>,
    depth: usize,
    faults: &'f mut Faults,
}

impl<'de> DeserializeSeed<'de> for Place<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        if self.depth > MAX_JSON_DEPTH {
            self.faults.structure(&self.at, format!("deeper than {MAX_JSON_DEPTH} levels"));
            return json.deserialize_ignored_any(IgnoredAny).map(|_| ());
        }
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            let at = self.at.member(&name);
            if seen.contains(&name) {
                self.faults.structure(&at, "the object has this member twice");
            }
            map.next_value_seed(Place { at, depth: self.depth + 1, faults: &mut *self.faults })?;
            seen.insert(name);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for index in 0.. {
            let at = self.at.item(index);
            let place = Place { at, depth: self.depth + 1, faults: &mut *self.faults };
            if items.next_element_seed(place)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}
