//! Which fields of a wide table can be compared, sorted, grouped and measured: as many as a store keeps.

use std::collections::HashSet;

use pdpp_contract::declaration::MAX_TYPED_FIELDS;

use super::declare::{FoundField, is_numeric, is_scalar, is_time};

/// The typed fields of a stream that was found.
pub struct Typed {
    names: HashSet<String>,
    /// What there would be without the limit.
    wanted: usize,
    left_out: Option<String>,
}

impl Typed {
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
        Self { names, wanted, left_out: order.next() }
    }

    /// Whether this field is one of them.
    pub fn has(&self, field: &FoundField) -> bool {
        self.names.contains(&field.name)
    }

    /// What people and agents should know of a stream that has more.
    pub fn note(&self) -> Option<String> {
        let first = self.left_out.as_ref()?;
        let (kept, wanted) = (self.names.len(), self.wanted);
        Some(format!(
            "{kept} of {wanted} fields can be compared, sorted, grouped and measured. The others, from \
             {first} on, can be read and matched exactly."
        ))
    }
}

/// Whether the values of a field form groups.
pub fn can_group(field: &FoundField, is_key: bool) -> bool {
    field.groups && !is_key && !is_time(field) && is_scalar(field)
}
