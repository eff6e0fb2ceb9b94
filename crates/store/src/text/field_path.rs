//! Paths to text inside a record: a top-level field by name, or a nested value by JSON pointer.

use pdpp_contract::limits::MAX_FIELD_PATH_BYTES;
use pdpp_contract::{FieldName, Json, json_pointer};

/// A checked path. The first segment is the field that a grant must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    field: FieldName,
    nested: Vec<String>,
}

/// Why a text is no field path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// Empty, or longer than the limit.
    #[error("a field path has 1 to 256 bytes")]
    Length,
    /// The first segment cannot be a field name.
    #[error("the path's first segment is not a field name")]
    Field,
    /// A `~` that is not followed by 0 or 1.
    #[error("in a path that begins with '/', write '~' as '~0' and '/' as '~1'")]
    Escape,
}

impl FieldPath {
    /// Reads a path. Without a leading `/` the whole text is one field name.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        if text.is_empty() || text.len() > MAX_FIELD_PATH_BYTES {
            return Err(PathFault::Length);
        }
        let Some(pointer) = text.strip_prefix('/') else {
            return Ok(Self { field: field(text)?, nested: Vec::new() });
        };
        let mut segments = pointer.split('/').map(unescape);
        let first = segments.next().ok_or(PathFault::Field)??;
        Ok(Self { field: field(&first)?, nested: segments.collect::<Result<_, _>>()? })
    }

    /// The top-level field.
    pub fn field(&self) -> &FieldName {
        &self.field
    }

    /// The segments below the field.
    pub fn nested(&self) -> &[String] {
        &self.nested
    }

    /// The path as a JSON pointer: one spelling for every path.
    pub fn pointer(&self) -> String {
        let mut out = String::new();
        push_segment(&mut out, self.field.as_str());
        for segment in &self.nested {
            push_segment(&mut out, segment);
        }
        out
    }

    /// The value below the top-level field's value.
    pub fn walk<'a>(&self, top: &'a Json) -> Option<&'a Json> {
        self.nested.iter().try_fold(top, |value, segment| match value {
            Json::Object(members) => members.get(segment),
            Json::Array(items) => items.get(array_index(segment)?),
            _ => None,
        })
    }
}

/// An array index as JSON pointer writes it: no sign, no leading zero.
pub(crate) fn array_index(segment: &str) -> Option<usize> {
    let plain = segment == "0" || !segment.starts_with('0');
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    if plain && digits { segment.parse().ok() } else { None }
}

/// Appends a segment to a JSON pointer.
pub(crate) fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    pointer.push_str(&json_pointer::escaped(segment));
}

/// The top-level member a pointer names; `None` for a nested one. Unlike a field name, a member's
/// name can be anything that JSON allows.
pub(crate) fn top_member(pointer: &str) -> Option<String> {
    let segment = pointer.strip_prefix('/').filter(|segment| !segment.contains('/'))?;
    unescape(segment).ok()
}

fn field(text: &str) -> Result<FieldName, PathFault> {
    FieldName::new(text).map_err(|_| PathFault::Field)
}

fn unescape(segment: &str) -> Result<String, PathFault> {
    let mut out = String::with_capacity(segment.len());
    let mut chars = segment.chars();
    while let Some(char) = chars.next() {
        match char {
            '~' => match chars.next() {
                Some('0') => out.push('~'),
                Some('1') => out.push('/'),
                _ => return Err(PathFault::Escape),
            },
            other => out.push(other),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_is_one_field_whatever_it_contains() {
        let path = FieldPath::parse("a.b[0]").unwrap();
        assert_eq!(path.field().as_str(), "a.b[0]");
        assert!(path.nested().is_empty());
    }

    #[test]
    fn a_pointer_walks_objects_and_arrays() {
        let path = FieldPath::parse("/parts/1/te~1xt").unwrap();
        let top = Json::parse(r#"[{}, {"te/xt":"found"}]"#).unwrap();
        assert_eq!(path.walk(&top).and_then(Json::as_str), Some("found"));
        assert_eq!(path.pointer(), "/parts/1/te~1xt");
        assert_eq!(FieldPath::parse("/parts/01").unwrap().walk(&top), None);
    }

    #[test]
    fn what_cannot_be_a_path_is_refused() {
        for bad in ["", "/", "/a~2", &"x".repeat(257)] {
            assert!(FieldPath::parse(bad).is_err(), "{bad}");
        }
    }
}
