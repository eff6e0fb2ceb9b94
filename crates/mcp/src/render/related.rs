//! Related records: which to bring along, and how they stand beside their record.

use pdpp_contract::expand::{Expand, Expanded, MAX_EXPAND_LIMIT, MAX_EXPANSIONS};
use pdpp_contract::record::Record;
use serde_json::Value;

use crate::arguments::Arguments;
use crate::call_context::CallContext;
use crate::ids::{self, printed};
use crate::refusal::Refusal;
use crate::render::one_line::{one_line, quoted};
use crate::render::record_page::record_ref;
use crate::render::titles;

/// Related records that a row names; a document names all of them.
const NAMED_IN_ROW: usize = 3;

/// The relations that a call asks for.
pub(crate) fn expansions(arguments: &Arguments) -> Result<Vec<Expand>, Refusal> {
    let names: Vec<String> = arguments.names("expand")?.unwrap_or_default();
    let limits = match arguments.value("expand_limit") {
        None => None,
        Some(Value::Object(limits)) if !limits.is_empty() => Some(limits),
        Some(_) => {
            return Err(invalid(
                "expand_limit is {\"relation\":number}; leave it out for the default",
            ));
        }
    };
    if names.len() > MAX_EXPANSIONS {
        return Err(invalid("expand names at most 8 relations"));
    }
    if let Some(other) = limits.and_then(|limits| limits.keys().find(|name| !names.contains(name)))
    {
        let other = one_line(other, 60);
        return Err(invalid(&format!("expand_limit names {other}, which expand does not")));
    }
    names
        .into_iter()
        .map(|relation| {
            let asked = limits.and_then(|limits| limits.get(&relation));
            let limit = match asked {
                None => None,
                Some(value) => Some(limit(value)?),
            };
            Ok(Expand { relation, limit })
        })
        .collect()
}

fn limit(value: &Value) -> Result<u32, Refusal> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let number = number.and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (1..=MAX_EXPAND_LIMIT).contains(number));
    number.ok_or_else(|| invalid("expand_limit is a whole number from 1 to 50"))
}

fn invalid(message: &str) -> Refusal {
    Refusal::new("invalid_expand", 400, message).param("expand")
}

/// Every record that came along.
pub(crate) fn records_mut(record: &mut Record) -> Vec<&mut Record> {
    let mut out = Vec::new();
    for expanded in record.expanded.values_mut() {
        match expanded {
            Expanded::One(one) => out.extend(one.as_deref_mut()),
            Expanded::Many(list) => out.extend(list.data.iter_mut()),
        }
    }
    out
}

/// Drops the second half of the longest relation, and says that more are related; false when there
/// is nothing left to drop.
pub(crate) fn halve(record: &mut Record) -> bool {
    let lists = record.expanded.values_mut().filter_map(|expanded| match expanded {
        Expanded::Many(list) => Some(list),
        Expanded::One(_) => None,
    });
    match lists.max_by_key(|list| list.data.len()).filter(|list| !list.data.is_empty()) {
        Some(list) => {
            list.data.truncate(list.data.len() / 2);
            list.has_more = true;
            true
        }
        None => false,
    }
}

/// One line per relation: the records it leads to.
pub(crate) fn lines(record: &Record, about: &dyn Fn(&Record) -> String) -> Vec<(String, String)> {
    let line = |expanded: &Expanded| match expanded {
        Expanded::One(one) => one.as_ref().map_or("none".to_owned(), |one| about(one)),
        Expanded::Many(list) => {
            let named: Vec<String> = list.data.iter().map(about).collect();
            let more = if list.has_more { ", and more" } else { "" };
            format!("{} related: {}{more}", list.data.len(), named.join(", "))
        }
    };
    record.expanded.iter().map(|(name, expanded)| (name.clone(), line(expanded))).collect()
}

/// Words of a row: how many records each relation leads to, and the ids of the first ones, whole.
pub(crate) fn words(record: &Record, id: &dyn Fn(&Record) -> String) -> Vec<String> {
    let mut out = Vec::new();
    for (name, expanded) in &record.expanded {
        let name = one_line(name, 60).replace(' ', "_");
        let (records, more): (Vec<&Record>, bool) = match expanded {
            Expanded::One(one) => (one.as_deref().into_iter().collect(), false),
            Expanded::Many(list) => (list.data.iter().collect(), list.has_more),
        };
        let more = if more { "_or_more" } else { "" };
        out.push(format!("{name}={}{more}_related", records.len()));
        let first = records.into_iter().take(NAMED_IN_ROW);
        out.extend(first.map(|one| format!("{name}_id={}", printed(&id(one)))));
    }
    out
}

impl CallContext {
    /// A related record in a few words: its id and its title.
    pub(crate) fn about_related(&self, record: &Record) -> String {
        let id = printed(&ids::mint(&record_ref(record), self.handles.as_ref()));
        let title = titles::roles(record).title(&record.data.clone().unwrap_or_default());
        match title {
            Some(title) => format!("{id} {}", quoted(&title, 80)),
            None => id,
        }
    }
}
