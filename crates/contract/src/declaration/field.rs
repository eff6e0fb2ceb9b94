//! The fields of a stream, as its schema declares them, and the questions others ask about them.

use serde_json::{Map, Value};

use super::query::RangeOperator;
use super::stream::{Cardinality, StreamDeclaration};
use crate::ids::FieldName;

/// What a field holds, as far as filters, sorts and aggregates care.
///
/// Read from `type` and `format` where the property itself states them; nothing is followed
/// through `$ref` or `anyOf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Text without a time format.
    String,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Text of format `date`.
    Date,
    /// Text of format `date-time`.
    DateTime,
    /// An object, an array, or not exactly one type besides null.
    Structured,
}

impl FieldKind {
    /// Whether it holds one value that can be compared for equality.
    pub fn is_scalar(self) -> bool {
        self != Self::Structured
    }

    /// Whether it holds text of any format.
    pub fn is_text(self) -> bool {
        self == Self::String || self.is_time()
    }

    /// Whether it holds a date or a date-time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Date | Self::DateTime)
    }

    /// Whether it holds numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    fn of(property: &Value) -> Self {
        let stated = property.get("type").map(types).unwrap_or_default();
        let mut kinds = stated.into_iter().filter(|name| *name != "null");
        let (Some(only), None) = (kinds.next(), kinds.next()) else {
            return Self::Structured;
        };
        match (only, property.get("format").and_then(Value::as_str)) {
            ("string", Some("date")) => Self::Date,
            ("string", Some("date-time")) => Self::DateTime,
            ("string", _) => Self::String,
            ("integer", _) => Self::Integer,
            ("number", _) => Self::Number,
            ("boolean", _) => Self::Boolean,
            _ => Self::Structured,
        }
    }
}

impl StreamDeclaration {
    /// The fields, in document order.
    pub fn field_names(&self) -> Vec<FieldName> {
        let names = self.properties().into_iter().flat_map(Map::keys);
        names.filter_map(|name| FieldName::new(name).ok()).collect()
    }

    /// Whether the schema declares this field.
    pub fn has_field(&self, name: &str) -> bool {
        self.property(name).is_some()
    }

    /// What the field holds; `None` when the schema does not declare it.
    pub fn field_kind(&self, name: &str) -> Option<FieldKind> {
        self.property(name).map(FieldKind::of)
    }

    /// Whether the field may hold null: it says so, or states no type at all.
    pub fn nullable(&self, name: &str) -> bool {
        match self.property(name) {
            None | Some(Value::Bool(false)) => false,
            Some(property) => {
                property.get("type").is_none_or(|types_| types(types_).contains(&"null"))
            }
        }
    }

    /// The declared fields that every record has, in the order the schema lists them.
    pub fn required_fields(&self) -> Vec<FieldName> {
        let listed = self.schema.get("required").and_then(Value::as_array);
        let names = listed.into_iter().flatten().filter_map(Value::as_str);
        let declared = names.filter(|name| self.has_field(name));
        distinct(declared.filter_map(|name| FieldName::new(name).ok()))
    }

    /// The fields the stream can be sorted by: `cursor_field` first, then those with range filters.
    pub fn sortable_fields(&self) -> Vec<FieldName> {
        distinct(self.cursor_field.iter().chain(self.query.range_filters.keys()).cloned())
    }

    /// The comparisons the field allows; none for a field without range filters.
    pub fn range_operators(&self, name: &str) -> &[RangeOperator] {
        self.query.range_filters.get(name).map_or(&[], Vec::as_slice)
    }

    /// The fields whose typed copies a store keeps for filters, sorts, aggregates and expansion.
    ///
    /// Foreign keys that other streams' relationships place on this one are not among them: see
    /// [`super::SourceDeclaration::projected_fields`].
    pub fn projected_fields(&self) -> Vec<FieldName> {
        let aggregations = &self.query.aggregations;
        let lives_here = |cardinality| cardinality == Cardinality::HasOne;
        let keys = self.relationships.iter().filter(|other| lives_here(other.cardinality));
        let fields = (self.cursor_field.iter())
            .chain(&self.consent_time_field)
            .chain(self.query.range_filters.keys())
            .chain(&aggregations.count_distinct)
            .chain(&aggregations.group_by)
            .chain(&aggregations.group_by_time)
            .chain(&aggregations.max)
            .chain(&aggregations.min)
            .chain(&aggregations.sum)
            .chain(keys.map(|relationship| &relationship.foreign_key));
        distinct(fields.cloned())
    }

    fn properties(&self) -> Option<&Map<String, Value>> {
        self.schema.get("properties").and_then(Value::as_object)
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.properties()?.get(name)
    }
}

/// The names in a `type` keyword, which is one name or a list of them.
fn types(keyword: &Value) -> Vec<&str> {
    match keyword {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The first of each, in order.
fn distinct(fields: impl Iterator<Item = FieldName>) -> Vec<FieldName> {
    let mut seen = std::collections::HashSet::new();
    fields.filter(|field| seen.insert(field.clone())).collect()
}
