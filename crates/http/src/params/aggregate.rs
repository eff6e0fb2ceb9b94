//! The parameters of `GET /v1/streams/{stream}/aggregate`.

use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_contract::{ApiError, ErrorCode, FieldName};

use super::Params;
use super::list::{filters, limit};
use super::path::StreamPath;
use super::value::{self, named, refuse};

/// Reads an aggregate's request.
pub fn request(path: StreamPath, mut params: Params) -> Result<AggregateRequest, ApiError> {
    let request = AggregateRequest {
        stream: path.stream,
        metric: metric(&mut params)?,
        field: field(&mut params, "field")?,
        grouping: grouping(&mut params)?,
        limit: limit(&mut params)?,
        cursor: params.take("cursor")?,
        filter: filters(&mut params)?,
        connection_id: value::connection_id(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}

fn metric(params: &mut Params) -> Result<Metric, ApiError> {
    let text = params.take("metric")?;
    let known = |text: &String| Metric::ALL.into_iter().find(|known| known.as_str() == text);
    text.as_ref().and_then(known).ok_or_else(|| {
        let names = Metric::ALL.map(Metric::as_str).join(", ");
        refuse(ErrorCode::InvalidRequest, "metric", format!("say what to compute: {names}"))
    })
}

fn field(params: &mut Params, param: &str) -> Result<Option<FieldName>, ApiError> {
    let name = params.take(param)?;
    name.map(FieldName::new).transpose().map_err(|fault| named(&fault, param))
}

fn grouping(params: &mut Params) -> Result<Grouping, ApiError> {
    let group_by = field(params, "group_by")?;
    let group_by_time = field(params, "group_by_time")?;
    let granularity = granularity(params)?;
    let time_zone = params.take("time_zone")?;
    let refused = |param, message: &str| Err(refuse(ErrorCode::InvalidRequest, param, message));
    let time = match (group_by_time, granularity) {
        (Some(field), Some(granularity)) => Some(TimeGrouping { field, granularity, time_zone }),
        (Some(_), None) => return refused("granularity", "group_by_time needs a granularity"),
        (None, Some(_)) => return refused("granularity", "a granularity needs group_by_time"),
        (None, None) if time_zone.is_some() => {
            return refused("time_zone", "a time zone needs group_by_time");
        }
        (None, None) => None,
    };
    Ok(Grouping { field: group_by, time })
}

fn granularity(params: &mut Params) -> Result<Option<Granularity>, ApiError> {
    let Some(text) = params.take("granularity")? else {
        return Ok(None);
    };
    let known = Granularity::ALL.into_iter().find(|known| known.as_str() == text);
    known.map(Some).ok_or_else(|| {
        let names = Granularity::ALL.map(Granularity::as_str).join(", ");
        refuse(ErrorCode::InvalidRequest, "granularity", format!("must be one of {names}"))
    })
}

#[cfg(test)]
mod tests {
    use pdpp_contract::StreamName;

    use super::*;

    fn read(query: &str) -> Result<AggregateRequest, ApiError> {
        let stream = StreamName::new("notes").unwrap();
        request(StreamPath { stream }, Params::parse(Some(query)).unwrap())
    }

    #[test]
    fn everything_asked_arrives() {
        let request = read(
            "metric=count&group_by_time=at&granularity=week&time_zone=Europe%2FBerlin&limit=5\
             &filter[a]=1&connection_id=cin_1",
        )
        .unwrap();
        assert_eq!(request.metric, Metric::Count);
        assert_eq!(request.limit, Some(5));
        assert_eq!(request.filter.len(), 1);
        let week = TimeGrouping {
            field: FieldName::new("at").unwrap(),
            granularity: Granularity::Week,
            time_zone: Some("Europe/Berlin".to_owned()),
        };
        assert_eq!(request.grouping, Grouping::per(week));
        assert_eq!(read("metric=sum&field=size").unwrap().grouping, Grouping::default());
        let both =
            "metric=avg&field=size&group_by=from&group_by_time=at&granularity=month&cursor=c";
        let both = read(both).unwrap();
        assert!(both.grouping.field.is_some() && both.grouping.time.is_some());
        assert_eq!((both.metric, both.cursor.as_deref()), (Metric::Avg, Some("c")));
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (query, param) in [
            ("", "metric"),
            ("metric=median", "metric"),
            ("metric=count&group_by=a&group_by_time=b", "granularity"),
            ("metric=count&group_by_time=a", "granularity"),
            ("metric=count&granularity=day", "granularity"),
            ("metric=count&group_by=a&granularity=day", "granularity"),
            ("metric=count&group_by_time=a&granularity=decade", "granularity"),
            ("metric=count&time_zone=UTC", "time_zone"),
            ("metric=count&group_by=a&time_zone=UTC", "time_zone"),
            ("metric=count&limit=0", "limit"),
            ("metric=count&fields=a", "fields"),
            ("metric=count&metric=sum", "metric"),
        ] {
            assert_eq!(read(query).unwrap_err().param.as_deref(), Some(param), "{query}");
        }
    }
}
