//! The parameters of `GET /v1/streams/{stream}/records`.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::limits::MAX_FILTERS;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, Sort};
use pdpp_contract::{ApiError, ErrorCode, FieldName};

use super::expand::expand;
use super::path::StreamPath;
use super::value::{self, refuse, whole_number};
use super::{Params, repeated, shown};

const OPERATORS: [RangeOperator; 4] =
    [RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];

/// Reads a list's request.
pub fn request(path: StreamPath, mut params: Params) -> Result<ListRequest, ApiError> {
    let request = ListRequest {
        stream: path.stream,
        connection_id: value::connection_id(&mut params)?,
        limit: limit(&mut params)?,
        cursor: params.take("cursor")?,
        sort: sort(&mut params)?,
        filter: filters(&mut params)?,
        fields: value::fields(&mut params)?,
        count: count(&mut params)?,
        changes_since: params.take("changes_since")?,
        preview_chars: value::preview_chars(&mut params)?,
        expand: expand(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}

/// A limit over the maximum passes: the reader is told by a warning, not by a refusal.
pub fn limit(params: &mut Params) -> Result<Option<u32>, ApiError> {
    let Some(text) = params.take("limit")? else {
        return Ok(None);
    };
    match whole_number(&text) {
        Some(limit @ 1..) => Ok(Some(u32::try_from(limit).unwrap_or(u32::MAX))),
        Some(0) | None => {
            Err(refuse(ErrorCode::InvalidRequest, "limit", "must be a whole number, 1 or more"))
        }
    }
}

/// `order` gives a direction, `sort` a field and a direction; given both, they must agree.
fn sort(params: &mut Params) -> Result<Option<Sort>, ApiError> {
    let order = match params.take("order")?.as_deref() {
        None => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            return Err(refuse(ErrorCode::InvalidRequest, "order", "must be asc or desc"));
        }
    };
    let Some(sort) = params.take("sort")? else {
        return Ok(order.map(|descending| Sort { field: None, descending }));
    };
    let (name, descending) = match sort.strip_prefix('-') {
        Some(name) => (name, true),
        None => (sort.as_str(), false),
    };
    if order.is_some_and(|order| order != descending) {
        let message = "sort and order name opposite directions; give one of them";
        return Err(refuse(ErrorCode::InvalidSort, "sort", message));
    }
    let field = FieldName::new(name)
        .map_err(|fault| refuse(ErrorCode::InvalidSort, "sort", fault.to_string()))?;
    Ok(Some(Sort { field: Some(field), descending }))
}

fn count(params: &mut Params) -> Result<CountKind, ApiError> {
    match params.take("count")?.as_deref() {
        None | Some("none") => Ok(CountKind::None),
        Some("estimated") => Ok(CountKind::Estimated),
        Some("exact") => Ok(CountKind::Exact),
        Some(_) => {
            Err(refuse(ErrorCode::InvalidRequest, "count", "must be none, estimated or exact"))
        }
    }
}

/// `filter[field]=value` and `filter[field][operator]=value`, each at most once.
pub fn filters(params: &mut Params) -> Result<Vec<Filter>, ApiError> {
    let pairs = params.take_matching(|name| name == "filter" || name.starts_with("filter["));
    if pairs.len() > MAX_FILTERS {
        let message = format!("at most {MAX_FILTERS} filter conditions can be given");
        return Err(refuse(ErrorCode::InvalidFilter, "filter", message));
    }
    for (index, (name, _)) in pairs.iter().enumerate() {
        if pairs.iter().skip(index + 1).any(|(other, _)| other == name) {
            return Err(repeated(name));
        }
    }
    pairs.into_iter().map(|(name, value)| filter(&name, value)).collect()
}

fn filter(name: &str, value: String) -> Result<Filter, ApiError> {
    let refused = |message: &str| refuse(ErrorCode::InvalidFilter, shown(name), message);
    let inner = name.strip_prefix("filter[").and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.ok_or_else(|| {
        refused("write a condition as filter[field]=value or filter[field][operator]=value")
    })?;
    let (field, test) = match inner.split_once("][") {
        None => (inner, FilterTest::Equals(value)),
        Some((field, operator)) => {
            let operator = OPERATORS.into_iter().find(|known| known.as_str() == operator);
            let operator = operator.ok_or_else(|| refused("operators are gte, gt, lte and lt"))?;
            (field, FilterTest::Range(operator, value))
        }
    };
    let field = FieldName::new(field).map_err(|fault| refused(&fault.to_string()))?;
    Ok(Filter { field, test })
}

#[cfg(test)]
mod tests {
    use pdpp_contract::StreamName;

    use super::*;

    fn read(query: &str) -> Result<ListRequest, ApiError> {
        let stream = StreamName::new("notes").unwrap();
        request(StreamPath { stream }, Params::parse(Some(query)).unwrap())
    }

    fn refused(query: &str) -> (ErrorCode, String) {
        let fault = read(query).unwrap_err();
        (fault.code, fault.param.unwrap_or_default())
    }

    fn field(name: &str) -> FieldName {
        FieldName::new(name).unwrap()
    }

    #[test]
    fn nothing_asked_is_the_first_page() {
        assert_eq!(read("").unwrap(), ListRequest::new(StreamName::new("notes").unwrap()));
    }

    #[test]
    fn everything_asked_arrives() {
        let request = read(
            "limit=500&cursor=abc&order=desc&sort=-sent_at&fields=id,text&filter[from]=ada%40x.org\
             &filter[sent_at][gte]=2026-01-01&count=exact&connection_id=cin_1&preview_chars=0",
        )
        .unwrap();
        assert_eq!(request.limit, Some(500), "clamping is the reader's, with a warning");
        assert_eq!(request.sort, Some(Sort { field: Some(field("sent_at")), descending: true }));
        assert_eq!(request.fields.unwrap().len(), 2);
        assert_eq!(request.count, CountKind::Exact);
        assert_eq!(request.preview_chars, Some(0));
        let equals = FilterTest::Equals("ada@x.org".to_owned());
        let range = FilterTest::Range(RangeOperator::Gte, "2026-01-01".to_owned());
        assert_eq!(
            request.filter,
            [
                Filter { field: field("from"), test: equals },
                Filter { field: field("sent_at"), test: range },
            ]
        );
    }

    #[test]
    fn a_limit_is_a_positive_whole_number() {
        for bad in ["0", "-1", "ten", "", "1.5", "1e2"] {
            let expected = (ErrorCode::InvalidRequest, "limit".to_owned());
            assert_eq!(refused(&format!("limit={bad}")), expected, "{bad}");
        }
        assert_eq!(read("limit=99999999999999").unwrap().limit, Some(u32::MAX));
    }

    #[test]
    fn order_and_sort_must_agree() {
        assert_eq!(read("order=asc").unwrap().sort, Some(Sort { field: None, descending: false }));
        assert!(read("order=asc&sort=sent_at").is_ok());
        let expected = (ErrorCode::InvalidSort, "sort".to_owned());
        assert_eq!(refused("order=asc&sort=-sent_at"), expected);
        assert_eq!(refused("order=desc&sort=sent_at"), expected);
        assert_eq!(refused("sort=-"), expected);
        assert_eq!(refused("order=up").1, "order");
    }

    #[test]
    fn a_filter_that_is_none_is_refused() {
        for bad in
            ["filter=x", "filter[]=x", "filter[a=x", "filter[a][like]=x", "filter[a][gte][lt]=x"]
        {
            assert_eq!(refused(bad).0, ErrorCode::InvalidFilter, "{bad}");
        }
        let expected = (ErrorCode::InvalidRequest, "filter[a]".to_owned());
        assert_eq!(refused("filter[a]=1&filter[a]=2"), expected);
        let many: Vec<_> = (0..=MAX_FILTERS).map(|n| format!("filter[f{n}]=1")).collect();
        assert_eq!(refused(&many.join("&")).0, ErrorCode::InvalidFilter);
    }

    #[test]
    fn repeated_and_unknown_parameters_are_refused() {
        for (query, param) in [
            ("limit=1&limit=1", "limit"),
            ("cursor=a&cursor=b", "cursor"),
            ("count=all", "count"),
            ("preview_chars=x", "preview_chars"),
            ("connector_instance_id=cin_1", "connector_instance_id"),
            ("view=short", "view"),
            ("filters=x", "filters"),
            ("expands=author", "expands"),
        ] {
            assert_eq!(refused(query), (ErrorCode::InvalidRequest, param.to_owned()), "{query}");
        }
    }
}
