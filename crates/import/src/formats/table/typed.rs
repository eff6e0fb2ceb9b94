//! Which fields of a wide table can be compared, sorted, grouped and measured: as many as a store keeps.

use std::collections::HashSet;

use pdpp_contract::declaration::MAX_TYPED_FIELDS;

use super::declare::{FoundField, is_numeric, is_scalar, is_time};

/// The typed fields of a stream that was found.
pub struct TypedFields {
    names: HashSet<String>,
    /// What there would be without the limit.
    wanted: usize,
    left_out: Option<String>,
    /// The time, where it stands behind the first that was left out.
    late_time: Option<String>,
}

impl TypedFields {
    /// The time that orders the stream, then the first fields in their order.
    pub fn choose(fields: &[FoundField], key: &[String], time: Option<&str>) -> Self {
        let is_typed = |field: &&FoundField| {
            is_numeric(field) || is_time(field) || can_group(field, key.contains(&field.name))
        };
        let wanted = fields.iter().filter(is_typed).map(|field| field.name.as_str());
        let (first, rest): (Vec<&str>, Vec<&str>) = wanted.partition(|name| Some(*name) == time);
        let wanted = first.len() + rest.len();
        let mut order = first.into_iter().chain(rest).map(str::to_owned);
        let names = order.by_ref().take(MAX_TYPED_FIELDS).collect();
        let left_out = order.next();
        let place = |name: &str| fields.iter().position(|field| field.name == name);
        let is_late = |time: &&str| place(time) > left_out.as_deref().and_then(place);
        let late_time = time.filter(is_late).map(str::to_owned);
        Self { names, wanted, left_out, late_time }
    }

    /// Whether this field is one of them.
    pub fn has(&self, field: &FoundField) -> bool {
        self.names.contains(&field.name)
    }

    /// What people and agents should know of a stream that has more.
    pub fn note(&self) -> Option<String> {
        let first = self.left_out.as_ref()?;
        let (kept, wanted) = (self.names.len(), self.wanted);
        let apart = self.late_time.as_ref().map(|time| format!(" apart from {time},"));
        let apart = apart.unwrap_or_default();
        Some(format!(
            "{kept} of {wanted} fields can be compared, sorted, grouped and measured. The others, from \
             {first} on,{apart} can be read and matched exactly."
        ))
    }
}

/// Whether the values of a field form groups.
pub fn can_group(field: &FoundField, is_key: bool) -> bool {
    field.groups && !is_key && !is_time(field) && is_scalar(field)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is said of a wide table whose time is its field of this number.
    fn note_with_time_at(place: usize) -> String {
        let field = |at: usize| {
            let (name, schema) = if at == place {
                ("sent_at".to_owned(), json!({"type": "string", "format": "date-time"}))
            } else {
                (format!("c{at}"), json!({"type": "number"}))
            };
            FoundField { name, heading: None, schema, groups: false }
        };
        let fields: Vec<FoundField> = (0..MAX_TYPED_FIELDS + 10).map(field).collect();
        TypedFields::choose(&fields, &[], Some("sent_at")).note().unwrap()
    }

    #[test]
    fn the_time_is_not_counted_among_the_others() {
        let late = note_with_time_at(MAX_TYPED_FIELDS + 5);
        assert!(late.contains("from c299 on, apart from sent_at, can be read"), "{late}");
        let early = note_with_time_at(3);
        assert!(early.contains("from c300 on, can be read"), "{early}");
    }
}
