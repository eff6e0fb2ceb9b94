//! How a group's value is shown, from its key.

use jiff::Timestamp;
use pdpp_contract::Json;

use crate::aggregate::decimal::Sum;
use crate::aggregate::time_buckets::DAY;
use crate::records::sort_value::{KeyValue, value_of};

/// The value of a key; `None` for a key that was cut. Midnights of a date field are dates.
pub(super) fn label(key: &[u8], dates: bool) -> Option<Json> {
    Some(match value_of(key)? {
        KeyValue::Boolean(flag) => Json::Bool(flag),
        KeyValue::Text(text) => Json::String(text.to_owned()),
        KeyValue::Number(number) => {
            let mut value = Sum::default();
            value.add(number);
            value.to_text().map_or(Json::Null, Json::Number)
        }
        KeyValue::Time { seconds, nanos } => time_label(seconds, nanos, dates),
    })
}

fn time_label(seconds: i64, nanos: u32, dates: bool) -> Json {
    let nanos = i32::try_from(nanos).unwrap_or(0);
    let Ok(at) = Timestamp::new(seconds, nanos) else {
        return Json::Null;
    };
    let text = at.to_string();
    let is_date = dates && nanos == 0 && seconds.rem_euclid(DAY) == 0;
    Json::String(if is_date { text.chars().take(10).collect() } else { text })
}
