//! Filters as agents write them: `{"field": value}` or `{"field": {"gte": value}}`.

use pdpp_contract::FieldName;
use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::limits::MAX_FILTERS;
use pdpp_contract::query::{Filter, FilterTest};
use serde_json::Value;

use crate::arguments::Arguments;
use crate::refusal::Refusal;

const FORM: &str = "write {\"field\":value} or {\"field\":{\"gte\":value,\"lt\":value}}";

/// The conditions of a call. Nothing that was asked is dropped in silence.
pub(crate) fn filters(arguments: &Arguments) -> Result<Vec<Filter>, Refusal> {
    let Some(value) = arguments.value("filter") else {
        return Ok(Vec::new());
    };
    let Value::Object(fields) = value else {
        return Err(invalid(format!("filter is an object; {FORM}")));
    };
    if fields.is_empty() {
        return Err(invalid(format!("filter names no condition; leave it out or {FORM}")));
    }
    let mut filters = Vec::new();
    for (name, test) in fields {
        if name.contains(['[', ']']) {
            return Err(invalid(format!("a filter names a field without brackets; {FORM}")));
        }
        let field: FieldName = name.parse().map_err(|fault| invalid(format!("{fault}")))?;
        match test {
            Value::Object(bounds) if !bounds.is_empty() => {
                for (word, value) in bounds {
                    let test = FilterTest::Range(operator(word)?, scalar(&field, value)?);
                    filters.push(Filter { field: field.clone(), test });
                }
            }
            value => {
                let test = FilterTest::Equals(scalar(&field, value)?);
                filters.push(Filter { field, test });
            }
        }
    }
    if filters.len() > MAX_FILTERS {
        return Err(invalid(format!("a filter has at most {MAX_FILTERS} conditions")));
    }
    Ok(filters)
}

fn operator(word: &str) -> Result<RangeOperator, Refusal> {
    let all = [RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];
    let found = all.into_iter().find(|operator| operator.as_str() == word);
    found.ok_or_else(|| invalid("a range uses gte, gt, lte or lt".to_owned()))
}

fn scalar(field: &FieldName, value: &Value) -> Result<String, Refusal> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => Err(invalid(format!(
            "the condition on {field} needs a text, number or boolean; {FORM}"
        ))),
    }
}

fn invalid(message: String) -> Refusal {
    Refusal::new("invalid_filter", 400, message).param("filter")
}
