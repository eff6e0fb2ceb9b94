//! `aggregate`: counts, sums and groups of one stream.

use pdpp_contract::StreamName;
use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_contract::limits::{DEFAULT_GROUPS, MAX_GROUPS};
use rmcp::model::JsonObject;
use serde_json::json;

use super::{Definition, Tool};
use crate::answer::ToolAnswer;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::call_context::CallContext;
use crate::refusal::Refusal;
use crate::render::aggregation::AggregationView;
use crate::render::paging::page_reduced;

const TOOL: Tool = Tool::Aggregate;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Count and group",
        description: "Compute count, count_distinct, sum, min, max or avg, exactly: in all, per value (group_by), \
            per stretch of time (group_by_time with granularity), or both in one call. Groups come \
            in order of time, else largest first (min: smallest). next_cursor continues. With several connections, connection_id is needed.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "stream": {"type": "string"},
            "metric": {
                "type": "string",
                "enum": ["count", "count_distinct", "sum", "min", "max", "avg"]
            },
            "field": {
                "type": "string",
                "description": "Needed unless metric is count."
            },
            "group_by": {"type": "string"},
            "group_by_time": {
                "type": "string",
                "description": "A time field; needs granularity."
            },
            "granularity": {
                "type": "string",
                "enum": ["minute", "hour", "day", "week", "month", "quarter", "year"]
            },
            "time_zone": {"type": "string", "description": "IANA name; UTC if absent."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "Groups per page; default 10."
            },
            "cursor": {"type": "string"},
            "filter": {
                "type": "object",
                "description": "All must hold: {\"field\":value} or {\"field\":{\"gte\":…,\"lt\":…}}.",
                "additionalProperties": true
            },
            "connection_id": {"type": "string"}
        },
        "required": ["stream", "metric"],
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "data": {
                "type": "object",
                "description": "value; or total, groups[] of key, time?, count, value?"
            }
        },
        "required": ["data"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `aggregate`.
    pub(crate) async fn aggregate(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let request = request(&arguments)?;
        let connection = request.connection_id.as_ref();
        self.one_source(TOOL, &arguments, &request.stream, connection).await?;
        let mut ask = request.clone();
        loop {
            let mut answer = match self.read.aggregate(ask.clone()).await {
                Ok(answer) => answer,
                Err(error) => {
                    let asked = asked_fields::of_aggregate(&request);
                    return Err(self
                        .explain_fields(error, &request.stream, connection, &asked)
                        .await);
                }
            };
            let returned = answer.groups.as_ref().map_or(0, Vec::len);
            if ask.limit != request.limit {
                let requested = request.limit.unwrap_or(DEFAULT_GROUPS);
                answer.meta.warnings.push(page_reduced(requested, returned));
            }
            let view = AggregationView::new(answer);
            match view.too_many() {
                Some(fewer) => ask.limit = u32::try_from(fewer).ok(),
                None => return Ok(ToolAnswer::new(view.text(), json!({"data": view.data()}))),
            }
        }
    }
}

fn request(arguments: &Arguments) -> Result<AggregateRequest, Refusal> {
    let stream: StreamName =
        arguments.name("stream")?.ok_or_else(|| wrong("stream", "is needed"))?;
    let words = Metric::ALL.map(Metric::as_str);
    let metric = arguments.choice("metric", &words)?.ok_or_else(|| wrong("metric", "is needed"))?;
    let metric = Metric::ALL.into_iter().find(|known| known.as_str() == metric);
    let metric = metric.ok_or_else(|| wrong("metric", "is needed"))?;
    let request = AggregateRequest {
        stream,
        metric,
        field: arguments.name("field")?,
        grouping: grouping(arguments)?,
        limit: arguments.small("limit", 1, MAX_GROUPS)?,
        cursor: arguments.text("cursor")?,
        filter: filters(arguments)?,
        connection_id: arguments.connection_id()?,
    };
    if request.field.is_none() && metric != Metric::Count {
        return Err(wrong("field", "is needed unless metric is count"));
    }
    if !request.grouping.is_some() {
        let paged = [("limit", request.limit.is_some()), ("cursor", request.cursor.is_some())];
        if let Some((param, _)) = paged.into_iter().find(|(_, given)| *given) {
            return Err(wrong(param, "is for groups; add group_by or group_by_time"));
        }
    }
    Ok(request)
}

fn grouping(arguments: &Arguments) -> Result<Grouping, Refusal> {
    let words = Granularity::ALL.map(Granularity::as_str);
    let width = arguments.choice("granularity", &words)?;
    let width = width.and_then(|word| Granularity::ALL.into_iter().find(|g| g.as_str() == word));
    let time_zone = arguments.text("time_zone")?;
    let time = match (arguments.name("group_by_time")?, width) {
        (Some(field), Some(granularity)) => Some(TimeGrouping { field, granularity, time_zone }),
        (Some(_), None) => return Err(wrong("granularity", "is needed with group_by_time")),
        (None, Some(_)) => return Err(wrong("granularity", "goes with group_by_time only")),
        (None, None) if time_zone.is_some() => {
            return Err(wrong("time_zone", "goes with group_by_time only"));
        }
        (None, None) => None,
    };
    Ok(Grouping { field: arguments.name("group_by")?, time })
}
