//! The fields that a request names, so that a refusal can say which of them is unknown.

use pdpp_contract::aggregate::AggregateRequest;
use pdpp_contract::query::{Filter, ListRequest};
use pdpp_contract::{FieldName, json_pointer};

/// Of a page of records.
pub(crate) fn of_list(request: &ListRequest) -> Vec<String> {
    let sort = request.sort.as_ref().and_then(|sort| sort.field.as_ref());
    let shown = request.fields.iter().flatten().chain(sort);
    plain(shown).chain(of_filter(&request.filter)).collect()
}

/// Of a page of records, as its rows show them: what it is sorted by, what it is filtered by, and
/// what was requested.
pub(crate) fn by_weight(request: &ListRequest) -> Vec<String> {
    let sort = request.sort.as_ref().and_then(|sort| sort.field.as_ref());
    let mut names: Vec<String> = plain(sort).collect();
    for name in of_filter(&request.filter).chain(plain(request.fields.iter().flatten())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Of an aggregate.
pub(crate) fn of_aggregate(request: &AggregateRequest) -> Vec<String> {
    let time = request.grouping.time.as_ref().map(|time| &time.field);
    let named = request.field.iter().chain(&request.grouping.field).chain(time);
    plain(named).chain(of_filter(&request.filter)).collect()
}

/// Of conditions.
pub(crate) fn of_filter(filter: &[Filter]) -> impl Iterator<Item = String> {
    plain(filter.iter().map(|condition| &condition.field))
}

/// Of a path, which leads into one field of the record.
pub(crate) fn of_path(path: &str) -> String {
    match path.strip_prefix('/') {
        None => path.to_owned(),
        Some(rest) => {
            let first = rest.split('/').next().unwrap_or_default();
            json_pointer::unescaped(first)
        }
    }
}

fn plain<'a>(names: impl IntoIterator<Item = &'a FieldName>) -> impl Iterator<Item = String> {
    names.into_iter().map(ToString::to_string)
}
