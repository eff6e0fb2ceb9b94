//! What an aggregate may ask: the shape of the request, and what the streams in view offer.

use pdpp_contract::aggregate::{AggregateRequest, Metric};
use pdpp_contract::declaration::{AggregationDeclaration, FieldKind};
use pdpp_contract::limits::{DEFAULT_GROUPS, MAX_GROUPS};
use pdpp_contract::{ApiError, ErrorCode, FieldName};

use crate::view::{AuthorityKind, GrantedStream, no_field, visible_fields};

/// One way to use a field.
#[derive(Clone, Copy)]
pub(crate) struct Use {
    /// The parameter that names the field.
    param: &'static str,
    /// What the declaration calls it.
    name: &'static str,
    offered: fn(&AggregationDeclaration) -> &[FieldName],
    /// Values of all connections are compared with each other.
    ordered: bool,
}

impl Use {
    pub(crate) const GROUP_BY: Self = Self {
        param: "group_by",
        name: "group_by",
        offered: |declared| &declared.group_by,
        ordered: false,
    };
    pub(crate) const GROUP_BY_TIME: Self = Self {
        param: "group_by_time",
        name: "group_by_time",
        offered: |declared| &declared.group_by_time,
        ordered: false,
    };

    /// How a metric uses its field.
    pub(crate) fn of(metric: Metric) -> Self {
        let offered: fn(&AggregationDeclaration) -> &[FieldName] = match metric {
            Metric::Count => |_| &[],
            Metric::CountDistinct => |declared| &declared.count_distinct,
            // What can be added up has a mean.
            Metric::Sum | Metric::Avg => |declared| &declared.sum,
            Metric::Min => |declared| &declared.min,
            Metric::Max => |declared| &declared.max,
        };
        let ordered = matches!(metric, Metric::Min | Metric::Max);
        Self { param: "field", name: metric.as_str(), offered, ordered }
    }
}

/// Checks which parameters go together; the number of groups to return.
pub(crate) fn shape(request: &AggregateRequest) -> Result<u32, ApiError> {
    let refuse = |param: &str, message: &str| {
        Err(ApiError::new(ErrorCode::InvalidRequest, message).param(param))
    };
    match (request.metric, &request.field) {
        (Metric::Count, Some(_)) => {
            return refuse("field", "count takes no field; count_distinct does");
        }
        (Metric::Count, None) | (_, Some(_)) => {}
        (_, None) => return refuse("field", "this metric needs a field"),
    }
    let grouped = request.grouping.is_some();
    if request.cursor.is_some() && !grouped {
        return refuse("cursor", "a cursor is for groups; leave it out");
    }
    match request.limit {
        None => Ok(DEFAULT_GROUPS),
        Some(_) if !grouped => refuse("limit", "a limit is for groups; leave it out"),
        Some(limit) if (1..=MAX_GROUPS).contains(&limit) => Ok(limit),
        Some(_) => refuse("limit", &format!("limit is between 1 and {MAX_GROUPS}")),
    }
}

/// Refuses a field that is outside the view, or that a connection shows and does not offer for this.
pub(crate) fn usable(
    kind: &AuthorityKind,
    granted_streams: &[GrantedStream],
    field: &FieldName,
    usage: Use,
) -> Result<(), ApiError> {
    if !visible_fields(granted_streams).contains(field) {
        return Err(no_field(kind, field.as_str(), usage.param));
    }
    let showing: Vec<&GrantedStream> =
        granted_streams.iter().filter(|granted| granted.scope.fields.contains(field)).collect();
    let offers = |granted: &&&GrantedStream| {
        let declared = (usage.offered)(&granted.stream.query.aggregations);
        declared.contains(field)
    };
    let offering = showing.iter().filter(offers).count();
    let refuse = |message: String| {
        Err(ApiError::new(ErrorCode::InvalidArgument, message).param(usage.param))
    };
    if offering == 0 {
        let others = offered(granted_streams, usage);
        return refuse(if others.is_empty() {
            format!("this stream has no field in view for {}", usage.name)
        } else {
            format!("{} takes these fields: {}", usage.name, others.join(", "))
        });
    }
    let is_time = |granted: &&GrantedStream| {
        granted.stream.field_kind(field.as_str()).is_some_and(FieldKind::is_time)
    };
    let times = showing.iter().copied().filter(is_time).count();
    let mixed = usage.ordered && times != 0 && times != showing.len();
    if offering < showing.len() || mixed {
        let name = usage.name;
        let message = format!("not all connections offer {name} of {field} alike; name one");
        let error = ApiError::new(ErrorCode::InvalidArgument, message).param(usage.param);
        return Err(error.retry_with("connection_id"));
    }
    Ok(())
}

/// The fields in view that can be used so.
fn offered(granted_streams: &[GrantedStream], usage: Use) -> Vec<String> {
    let mut names: Vec<String> = granted_streams
        .iter()
        .flat_map(|granted| {
            let declared = (usage.offered)(&granted.stream.query.aggregations).iter();
            declared.filter(|field| granted.scope.fields.contains(*field))
        })
        .map(ToString::to_string)
        .collect();
    names.sort();
    names.dedup();
    names
}
