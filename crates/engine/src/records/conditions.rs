//! Filters and sorts of a request, read by the types each collection declares.

use pdpp_contract::declaration::{FieldKind, RangeOperator};
use pdpp_contract::limits::MAX_FILTERS;
use pdpp_contract::query::{Filter, FilterTest, Sort};
use pdpp_contract::{ApiError, ErrorCode, FieldName};
use pdpp_store::SortKey;
use pdpp_store::records::{Condition, Test};

use crate::view::{AuthorityKind, GrantedStream, no_field, visible_fields};

/// Reads the filters for every granted. `None` marks a granted stream that cannot match: its view lacks a
/// filtered field, so no record of it has a value there.
pub(crate) fn filters(
    kind: &AuthorityKind,
    granted_streams: &[GrantedStream],
    filters: &[Filter],
) -> Result<Vec<Option<Vec<Condition>>>, ApiError> {
    if filters.len() > MAX_FILTERS {
        let message = format!("at most {MAX_FILTERS} filter conditions fit in one request");
        return Err(ApiError::new(ErrorCode::InvalidFilter, message).param("filter"));
    }
    let visible = visible_fields(granted_streams);
    if let Some(hidden) = filters.iter().find(|filter| !visible.contains(&filter.field)) {
        return Err(no_field(kind, hidden.field.as_str(), &param_of(hidden)));
    }
    granted_streams.iter().map(|granted| stream_conditions(granted, filters)).collect()
}

fn stream_conditions(
    granted: &GrantedStream,
    filters: &[Filter],
) -> Result<Option<Vec<Condition>>, ApiError> {
    let mut conditions = Vec::with_capacity(filters.len());
    for filter in filters {
        let kind = granted.stream.field_kind(filter.field.as_str());
        let Some(kind) = kind.filter(|_| granted.scope.fields.contains(&filter.field)) else {
            return Ok(None);
        };
        conditions
            .push(Condition { field: filter.field.clone(), test: test(granted, kind, filter)? });
    }
    Ok(Some(conditions))
}

fn test(granted: &GrantedStream, kind: FieldKind, filter: &Filter) -> Result<Test, ApiError> {
    let refuse = |message: String| {
        Err(ApiError::new(ErrorCode::InvalidFilter, message).param(param_of(filter)))
    };
    let field = &filter.field;
    match &filter.test {
        FilterTest::Equals(text) => match SortKey::parse(kind, text) {
            Some(key) => Ok(Test::Equals { key, text: text.clone() }),
            None if kind == FieldKind::Structured => {
                refuse(format!("{field} holds objects, lists or mixed types; it takes no filter"))
            }
            None => refuse(format!("{field} takes {}", words(kind))),
        },
        FilterTest::Range(operator, text) => {
            let offered = granted.stream.range_operators(field.as_str());
            if !offered.contains(operator) {
                let offered: Vec<_> = offered.iter().map(|operator| operator.as_str()).collect();
                return refuse(if offered.is_empty() {
                    format!("{field} takes no range filter; filter it by an exact value")
                } else {
                    format!("{field} takes these range operators: {}", offered.join(", "))
                });
            }
            match SortKey::parse(kind, text) {
                Some(key) => Ok(range(*operator, key)),
                None => refuse(format!("{field} takes {}", words(kind))),
            }
        }
    }
}

fn range(operator: RangeOperator, key: SortKey) -> Test {
    match operator {
        RangeOperator::Gte => Test::AtLeast(key),
        RangeOperator::Gt => Test::Above(key),
        RangeOperator::Lte => Test::AtMost(key),
        RangeOperator::Lt => Test::Below(key),
    }
}

fn words(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::String => "text",
        FieldKind::Integer => "a whole number such as 42",
        FieldKind::Number => "a number such as 42.50",
        FieldKind::Boolean => "true or false",
        FieldKind::Date => "a date such as 2026-04-01",
        FieldKind::DateTime => "a date or a time with offset such as 2026-04-01T09:00:00Z",
        FieldKind::Structured => "no filter",
    }
}

fn param_of(filter: &Filter) -> String {
    match &filter.test {
        FilterTest::Equals(_) => format!("filter[{}]", filter.field),
        FilterTest::Range(operator, _) => {
            format!("filter[{}][{}]", filter.field, operator.as_str())
        }
    }
}

/// The order of a list: per granted stream the field to sort by, and the direction.
pub(crate) fn order(
    granted_streams: &[GrantedStream],
    sort: Option<&Sort>,
) -> Result<(Vec<Option<FieldName>>, bool), ApiError> {
    let descending = sort.is_none_or(|sort| sort.descending);
    let Some(field) = sort.and_then(|sort| sort.field.as_ref()) else {
        let own = granted_streams.iter().map(|granted| granted.cursor_field().cloned());
        return Ok((own.collect(), descending));
    };
    let sortable = |granted: &GrantedStream| {
        let declared = granted.stream.sortable_fields().contains(field);
        declared && granted.scope.fields.contains(field)
    };
    let fields: Vec<_> =
        granted_streams.iter().map(|granted| sortable(granted).then(|| field.clone())).collect();
    if fields.iter().all(Option::is_none) {
        let mut offered: Vec<FieldName> =
            granted_streams.iter().flat_map(sortable_fields).collect();
        offered.sort();
        offered.dedup();
        let offered: Vec<_> = offered.iter().map(FieldName::as_str).collect();
        let message = if offered.is_empty() {
            "this stream has no sortable field in view; leave sort out".to_owned()
        } else {
            format!("this stream sorts by: {}", offered.join(", "))
        };
        return Err(ApiError::new(ErrorCode::InvalidSort, message).param("sort"));
    }
    Ok((fields, descending))
}

/// The fields a granted stream can be sorted by.
pub(crate) fn sortable_fields(granted: &GrantedStream) -> Vec<FieldName> {
    granted
        .stream
        .sortable_fields()
        .into_iter()
        .filter(|field| granted.scope.fields.contains(field))
        .collect()
}
