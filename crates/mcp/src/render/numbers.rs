//! Record values as protocol data: numbers keep their value, even where a double would lose it.

use pdpp_contract::{Json, JsonObject};
use serde_json::{Map, Number, Value};

/// Up to here a double holds every whole number.
const EXACT_TO: u64 = 1 << 53;

/// A record's value. A number that a double does not hold stands as text, so that no client rounds it
/// silently.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(spelled) => number(spelled),
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::Object(members) => Value::Object(object(members)),
    }
}

/// The members of a record.
pub(crate) fn object(members: &JsonObject) -> Map<String, Value> {
    members.iter().map(|(name, member)| (name.clone(), value(member))).collect()
}

fn number(spelled: &str) -> Value {
    let text = || Value::String(spelled.to_owned());
    if !spelled.contains(['.', 'e', 'E']) {
        let whole = spelled.parse::<i64>().ok().filter(|whole| whole.unsigned_abs() <= EXACT_TO);
        return whole.map_or_else(text, Value::from);
    }
    let float = spelled.parse::<f64>().ok().and_then(Number::from_f64);
    let same = |float: &Number| {
        let written = Decimal::of(spelled);
        written.is_some() && Decimal::of(&float.to_string()) == written
    };
    float.filter(same).map_or_else(text, Value::Number)
}

/// What a number is worth, however it is spelled.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    /// From the first digit that counts to the last one; none for zero.
    digits: Vec<u8>,
    /// The power of ten of the last digit.
    power: i64,
}

impl Decimal {
    /// Nothing when the exponent is beyond all measure.
    fn of(spelled: &str) -> Option<Self> {
        let (mantissa, power) = spelled.split_once(['e', 'E']).unwrap_or((spelled, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit);
        let mut digits: Vec<u8> = digits.skip_while(|digit| *digit == b'0').collect();
        let mut power: i64 = power.parse().ok()?;
        power = power.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        while digits.pop_if(|last| *last == b'0').is_some() {
            power = power.checked_add(1)?;
        }
        if digits.is_empty() {
            return Some(Self { negative: false, digits, power: 0 });
        }
        Some(Self { negative: spelled.starts_with('-'), digits, power })
    }
}
