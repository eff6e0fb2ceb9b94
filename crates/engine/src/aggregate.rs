//! Aggregates: one number, or counts per value or stretch of time, over what the caller sees.
//!
//! A record whose connection does not show the field counts as lacking a value, so that the groups
//! always add up to the list with the same filter.

use pdpp_contract::aggregate::{
    AggregateRequest, Aggregation, AggregationTag, Group, Grouping, Metric,
};
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json};
use pdpp_store::aggregate::{AggregateQuery, Measure, MeasuredValue, TimeBuckets};
use pdpp_store::records::CollectionQuery;

use crate::aggregate_rules::{self, Use};
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{Narrow, Shelf, resolve, scope_of};
use crate::{conditions, links};

/// The zone of buckets when the request names none.
const UTC: &str = "UTC";

impl GrantedReader {
    pub(crate) async fn aggregation(
        &self,
        request: AggregateRequest,
    ) -> Result<Aggregation, ApiError> {
        let limit = aggregate_rules::shape(&request)?;
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let shelves = resolve(&self.shared, &self.authority, narrow).await?;
        let field = self.measured_field(&request, &shelves)?;
        let connections = shelves.iter().map(|shelf| shelf.connection.id.clone()).collect();
        let measure = measure(&request, limit)?;
        let filters = conditions::filters(&self.authority.kind, &shelves, &request.filter)?;
        // A shelf whose view lacks a filtered field holds nothing that matches.
        let (shelves, queries): (Vec<Shelf>, Vec<CollectionQuery>) = shelves
            .into_iter()
            .zip(filters)
            .filter_map(|(shelf, conditions)| {
                Some((shelf, CollectionQuery { order_field: None, conditions: conditions? }))
            })
            .unzip();
        let scope = scope_of(&shelves);
        let store = &self.shared.store;
        let (Some(field), Some(measure)) = (field, measure) else {
            let count = store.count_records(&scope, queries, u64::MAX).await.map_err(from_store)?;
            let counted = answer(&request, count, Outcome::Value(number(count)));
            return Ok(Aggregation { connections, ..counted });
        };
        let shown = |shelf: &Shelf| shelf.scope.fields.contains(&field).then(|| field.clone());
        let fields = shelves.iter().map(shown).collect();
        let query = AggregateQuery { collections: queries, fields, measure };
        let found = store.aggregate(&scope, query).await.map_err(from_store)?;
        let outcome = match found.measured {
            MeasuredValue::Distinct(count) => Outcome::Value(number(count)),
            MeasuredValue::Sum(Some(sum)) => Outcome::Value(Json::Number(sum)),
            MeasuredValue::Sum(None) => return Err(too_long(&field)),
            MeasuredValue::Extreme(value) => Outcome::Value(value.unwrap_or(Json::Null)),
            MeasuredValue::Groups(groups) => Outcome::Groups(groups, limit),
        };
        Ok(Aggregation { connections, ..answer(&request, found.records, outcome) })
    }

    /// The field that is measured or grouped by, if it may be used so; `None` for a plain count.
    fn measured_field(
        &self,
        request: &AggregateRequest,
        shelves: &[Shelf],
    ) -> Result<Option<FieldName>, ApiError> {
        let (field, usage) = match (&request.grouping, &request.field, request.metric) {
            (Grouping::Field(field), ..) => (field, Use::GROUP_BY),
            (Grouping::Time { field, .. }, ..) => (field, Use::GROUP_BY_TIME),
            (Grouping::None, Some(field), metric) => (field, Use::of(metric)),
            (Grouping::None, None, _) => return Ok(None),
        };
        aggregate_rules::usable(&self.authority.kind, shelves, field, usage)?;
        Ok(Some(field.clone()))
    }
}

/// What the store computes; `None` for a plain count, which it has a shorter way for.
fn measure(request: &AggregateRequest, limit: u32) -> Result<Option<Measure>, ApiError> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Some(match (&request.grouping, request.metric) {
        (Grouping::Field(_), _) => Measure::Groups { most },
        (Grouping::Time { granularity, time_zone, .. }, _) => {
            let zone = time_zone.as_deref().unwrap_or(UTC);
            let buckets = TimeBuckets::new(*granularity, zone).ok_or_else(|| unknown_zone(zone))?;
            Measure::Times { buckets, most }
        }
        (Grouping::None, Metric::Count) => return Ok(None),
        (Grouping::None, Metric::CountDistinct) => Measure::Distinct,
        (Grouping::None, Metric::Sum) => Measure::Sum,
        (Grouping::None, Metric::Min) => Measure::Least,
        (Grouping::None, Metric::Max) => Measure::Greatest,
    }))
}

enum Outcome {
    Value(Json),
    Groups(Vec<(Json, u64)>, u32),
}

fn number(count: u64) -> Json {
    Json::Number(count.to_string())
}

fn answer(request: &AggregateRequest, records: u64, outcome: Outcome) -> Aggregation {
    let (group_by, group_by_time, granularity, time_zone) = match &request.grouping {
        Grouping::None => (None, None, None, None),
        Grouping::Field(field) => (Some(field.clone()), None, None, None),
        Grouping::Time { field, granularity, time_zone } => {
            let zone = time_zone.clone().unwrap_or_else(|| UTC.to_owned());
            (None, Some(field.clone()), Some(*granularity), Some(zone))
        }
    };
    let (value, groups, limit) = match outcome {
        Outcome::Value(value) => (Some(value), None, None),
        Outcome::Groups(groups, limit) => (None, Some(groups), Some(limit)),
    };
    let shown = |groups: &Vec<(Json, u64)>| groups.iter().map(|(_, count)| count).sum::<u64>();
    let other_count = groups.as_ref().map(|groups| records.saturating_sub(shown(groups)));
    let group = |(key, count): (Json, u64)| Group { key, count };
    Aggregation {
        object: AggregationTag::Aggregation,
        stream: request.stream.clone(),
        metric: request.metric,
        field: request.field.clone(),
        group_by,
        group_by_time,
        granularity,
        time_zone,
        approximate: false,
        filtered_record_count: records,
        value,
        groups: groups.map(|groups| groups.into_iter().map(group).collect()),
        limit,
        other_count,
        links: Links { this: links::aggregate_address(request), next: None },
        meta: Meta::default(),
        connections: Vec::new(),
    }
}

fn unknown_zone(zone: &str) -> ApiError {
    let message = format!("{zone:?} is no IANA time zone; use a name such as Europe/Berlin or UTC");
    ApiError::new(ErrorCode::InvalidArgument, message).param("time_zone")
}

fn too_long(field: &FieldName) -> ApiError {
    let message = format!(
        "the values of {field} are too far apart for an exact sum; add a filter that leaves the \
         extreme ones out"
    );
    ApiError::new(ErrorCode::InvalidArgument, message).param("field")
}
