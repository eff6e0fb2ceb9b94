//! The answer on the wire, from what the store computed.

use pdpp_contract::aggregate::{AggregateRequest, Aggregation, AggregationTag, Group, Metric};
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::links;
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json};
use pdpp_store::aggregate::{Aggregate, MeasuredGroup};

use super::UTC;

pub(super) fn number(count: u64) -> Json {
    Json::Number(count.to_string())
}

/// The answer to a request; refuses numbers whose digits would fill pages.
pub(super) fn answer(
    request: &AggregateRequest,
    limit: u32,
    found: Aggregate,
    next_cursor: Option<String>,
) -> Result<Aggregation, ApiError> {
    let exact = |value: Option<Json>| value.ok_or_else(|| too_long(request.field.as_ref()));
    let all = exact(found.value)?;
    let (mut value, mut total, mut group_count) = (None, None, None);
    let mut groups = None;
    match found.groups {
        None => value = Some(all),
        Some(page) => {
            (total, group_count) = (Some(all), Some(page.group_count));
            let group = |group: MeasuredGroup| {
                let value = exact(group.value)?;
                // Grouped by one thing, that is the key.
                let (key, time) = match (group.key, group.time) {
                    (Some(key), time) => (key, time),
                    (None, time) => (time.unwrap_or(Json::Null), None),
                };
                let value = (request.metric != Metric::Count).then_some(value);
                Ok(Group { key, time, count: group.records, value })
            };
            let shown: Result<Vec<Group>, ApiError> = page.groups.into_iter().map(group).collect();
            groups = Some(shown?);
        }
    }
    let count = |groups: &Vec<Group>| groups.iter().map(|group| group.count).sum::<u64>();
    let other_count = groups.as_ref().map(|groups| found.records.saturating_sub(count(groups)));
    let time = request.grouping.time.as_ref();
    let next = next_cursor.as_deref();
    let next = next.map(|cursor| links::aggregate(request, Some(cursor)).finish());
    let next = groups.is_some().then_some(next);
    Ok(Aggregation {
        object: AggregationTag::Aggregation,
        stream: request.stream.clone(),
        metric: request.metric,
        field: request.field.clone(),
        group_by: request.grouping.field.clone(),
        group_by_time: time.map(|time| time.field.clone()),
        granularity: time.map(|time| time.granularity),
        time_zone: time.map(|time| time.time_zone.clone().unwrap_or_else(|| UTC.to_owned())),
        approximate: false,
        filtered_record_count: found.records,
        value,
        total,
        limit: groups.is_some().then_some(limit),
        has_more: groups.is_some().then_some(next_cursor.is_some()),
        groups,
        group_count,
        other_count,
        next_cursor,
        links: Links { this: links::aggregate(request, request.cursor.as_deref()).finish(), next },
        meta: Meta::default(),
        connections: Vec::new(),
    })
}

fn too_long(field: Option<&FieldName>) -> ApiError {
    let field = field.map_or("the field", FieldName::as_str);
    let message = format!(
        "the values of {field} are too far apart for an exact sum; add a filter that leaves the \
         extreme ones out"
    );
    ApiError::new(ErrorCode::InvalidArgument, message).param("field")
}
