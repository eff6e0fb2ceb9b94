//! Aggregates: one number, or one per value or range of time, over what the caller sees.
//!
//! A record whose connection does not show a field counts as lacking a value, so that the groups
//! always add up to the list with the same filter.

mod answer;
mod rules;

use pdpp_contract::aggregate::{AggregateRequest, Aggregation, Metric};
use pdpp_contract::{ApiError, ErrorCode, FieldName};
use pdpp_store::aggregate::{
    Aggregate, AggregateFields, AggregateQuery, GroupPlace, GroupQuery, Measure, TimeBuckets,
};
use pdpp_store::records::CollectionQuery;

use self::answer::{answer, number};
use self::rules::Use;
use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::list::spelled;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::sealed::group_cursor;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};

/// The zone of buckets when the request names none.
const UTC: &str = "UTC";

impl GrantedReader {
    pub(crate) async fn aggregation(
        &self,
        request: AggregateRequest,
    ) -> Result<Aggregation, ApiError> {
        let limit = rules::shape(&request)?;
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        self.check_fields(&request, &granted_streams)?;
        let binding = self.group_binding(&request);
        let grouping = group_query(&request, limit, self.group_place(&request, binding)?)?;
        let connections =
            granted_streams.iter().map(|granted| granted.connection.id.clone()).collect();
        let filters = conditions::filters(&self.authority.kind, &granted_streams, &request.filter)?;
        // A granted whose view lacks a filtered field holds nothing that matches.
        let (granted_streams, queries): (Vec<GrantedStream>, Vec<CollectionQuery>) =
            granted_streams
                .into_iter()
                .zip(filters)
                .filter_map(|(granted, conditions)| {
                    Some((granted, CollectionQuery { order_field: None, conditions: conditions? }))
                })
                .unzip();
        let scope = scope_of(&granted_streams);
        let store = &self.shared.store;
        let found = if request.metric == Metric::Count && grouping.is_none() {
            // The store has a shorter way for a plain count.
            let records =
                store.count_records(&scope, queries, u64::MAX).await.map_err(from_store)?;
            Aggregate { records, value: Some(number(records)), groups: None }
        } else {
            let query = AggregateQuery {
                collections: queries,
                fields: granted_streams.iter().map(|granted| shown(granted, &request)).collect(),
                measure: measure(request.metric),
                grouping,
            };
            store.aggregate(&scope, query).await.map_err(from_store)?
        };
        let next = found.groups.as_ref().and_then(|page| page.next);
        let next = next.and_then(|place| group_cursor::seal(&self.shared.sealer, binding, place));
        Ok(Aggregation { connections, ..answer(&request, limit, found, next)? })
    }

    /// Refuses a field that may not be used so.
    fn check_fields(
        &self,
        request: &AggregateRequest,
        granted_streams: &[GrantedStream],
    ) -> Result<(), ApiError> {
        let grouping = &request.grouping;
        let time = grouping.time.as_ref().map(|time| &time.field);
        for (field, usage) in [
            (request.field.as_ref(), Use::of(request.metric)),
            (grouping.field.as_ref(), Use::GROUP_BY),
            (time, Use::GROUP_BY_TIME),
        ] {
            if let Some(field) = field {
                rules::usable(&self.authority.kind, granted_streams, field, usage)?;
            }
        }
        Ok(())
    }

    /// Where the page before ended.
    fn group_place(
        &self,
        request: &AggregateRequest,
        binding: [u8; 16],
    ) -> Result<Option<GroupPlace>, ApiError> {
        let open = |text: &String| {
            group_cursor::open(&self.shared.sealer, binding, text).ok_or_else(invalid_cursor)
        };
        request.cursor.as_ref().map(open).transpose()
    }

    /// A cursor continues the same question under the same constraints, nothing else.
    fn group_binding(&self, request: &AggregateRequest) -> [u8; 16] {
        let time = request.grouping.time.as_ref();
        let mut binding = Binding::of_page(&self.authority)
            .with("groups")
            .with(request.stream.as_str())
            .with_option(request.connection_id.as_ref().map(AsRef::as_ref))
            .with(request.metric.as_str())
            .with_option(request.field.as_ref().map(FieldName::as_str))
            .with_option(request.grouping.field.as_ref().map(FieldName::as_str))
            .with_option(time.map(|time| time.field.as_str()))
            .with_option(time.map(|time| time.granularity.as_str()))
            .with_option(time.map(|time| time.time_zone.as_deref().unwrap_or(UTC)));
        let mut filters: Vec<String> = request.filter.iter().map(spelled).collect();
        filters.sort();
        for filter in &filters {
            binding = binding.with(filter);
        }
        binding.finish()
    }
}

/// The fields that a connection shows of those asked for.
fn shown(granted: &GrantedStream, request: &AggregateRequest) -> AggregateFields {
    let shown = |field: Option<&FieldName>| {
        field.filter(|field| granted.scope.fields.contains(*field)).cloned()
    };
    AggregateFields {
        measured: shown(request.field.as_ref()),
        grouped: shown(request.grouping.field.as_ref()),
        time: shown(request.grouping.time.as_ref().map(|time| &time.field)),
    }
}

fn measure(metric: Metric) -> Measure {
    match metric {
        Metric::Count => Measure::Count,
        Metric::CountDistinct => Measure::Distinct,
        Metric::Sum => Measure::Sum,
        Metric::Min => Measure::Least,
        Metric::Max => Measure::Greatest,
        Metric::Avg => Measure::Mean,
    }
}

fn group_query(
    request: &AggregateRequest,
    limit: u32,
    after: Option<GroupPlace>,
) -> Result<Option<GroupQuery>, ApiError> {
    if !request.grouping.is_some() {
        return Ok(None);
    }
    let buckets = request.grouping.time.as_ref().map(|time| {
        let zone = time.time_zone.as_deref().unwrap_or(UTC);
        TimeBuckets::new(time.granularity, zone).ok_or_else(|| unknown_zone(zone))
    });
    Ok(Some(GroupQuery {
        by_value: request.grouping.field.is_some(),
        buckets: buckets.transpose()?,
        after,
        most: usize::try_from(limit).unwrap_or(usize::MAX),
    }))
}

fn unknown_zone(zone: &str) -> ApiError {
    let message = format!("{zone:?} is no IANA time zone; use a name such as Europe/Berlin or UTC");
    ApiError::new(ErrorCode::InvalidArgument, message).param("time_zone")
}

fn invalid_cursor() -> ApiError {
    let message = "the cursor does not belong to these groups; start again without it";
    ApiError::new(ErrorCode::InvalidCursor, message).param("cursor")
}
