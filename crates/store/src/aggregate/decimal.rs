//! Exact decimal sums and their quotients in base ten, of numbers of any size. No floats.

use std::collections::BTreeMap;

use crate::records::number::Decimal;
use crate::records::sort_value::NumberKey;

/// Most digits of a sum. Numbers further apart than this are not added: the answer would be
/// megabytes of nines.
const MAX_DIGITS: i64 = 4_096;
/// Zeros that are written out before a number is written with an exponent.
const MAX_ZEROS: usize = 40;
/// Most digits of a quotient that does not come out even.
const QUOTIENT_DIGITS: usize = 20;
/// Pairs of digits that fit into one step.
const PAIRS: usize = 9;

/// A sum: for each power of ten, how many of it. Never rounded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    parts: BTreeMap<i64, i128>,
    /// The last power, where most numbers of a column fall again.
    last: Option<(i64, i128)>,
}

impl Sum {
    /// Adds a number.
    pub(crate) fn add(&mut self, number: NumberKey<'_>) {
        let pairs = number.pairs();
        let count = pairs.len();
        let mut power = i64::from(number.exponent);
        let (mut part, mut taken) = (0_i128, 0_usize);
        for (at, pair) in pairs.enumerate() {
            part = part * 100 + i128::from(pair);
            taken += 1;
            if taken == PAIRS || at + 1 == count {
                power -= i64::try_from(taken).unwrap_or(0) * 2;
                self.add_part(power, if number.negative { -part } else { part });
                (part, taken) = (0, 0);
            }
        }
    }

    /// Adds a number that is longer than its key.
    pub(crate) fn add_decimal(&mut self, number: &Decimal) {
        let mut power = i64::from(number.exponent);
        for digits in number.digits.chunks(PAIRS * 2) {
            power -= i64::try_from(digits.len()).unwrap_or(0);
            let part = digits.iter().fold(0_i128, |part, digit| part * 10 + i128::from(*digit));
            self.add_part(power, if number.negative { -part } else { part });
        }
    }

    fn add_part(&mut self, power: i64, part: i128) {
        match &mut self.last {
            Some((last, sum)) if *last == power => *sum += part,
            _ => {
                self.settle();
                self.last = Some((power, part));
            }
        }
    }

    fn settle(&mut self) {
        if let Some((power, part)) = self.last.take() {
            *self.parts.entry(power).or_insert(0) += part;
        }
    }

    /// The sum as a JSON number; `None` when it has more digits than anyone can want.
    pub(crate) fn to_text(&self) -> Option<String> {
        let mut sum = self.clone();
        sum.settle();
        sum.parts.retain(|_, part| *part != 0);
        let Some((lowest, _)) = sum.parts.first_key_value() else {
            return Some("0".to_owned());
        };
        let lowest = *lowest;
        let (highest, _) = sum.parts.last_key_value()?;
        // Powers at the edge of what a key can hold stand for larger ones.
        let edge = i64::from(i32::MAX) - 1_000;
        if highest - lowest > MAX_DIGITS || highest.abs() > edge || lowest.abs() > edge {
            return None;
        }
        let (digits, negative) = match digits(&sum.parts, 1) {
            Some(digits) => (digits, false),
            None => (digits(&sum.parts, -1)?, true),
        };
        Some(written(&digits, lowest, negative))
    }
}

/// A number divided by a count, rounded half away from zero to 20 significant digits; `None` when
/// the number is none, or nothing is counted.
pub(crate) fn quotient(number: &str, count: u64) -> Option<String> {
    let number = Decimal::parse(number)?;
    let divisor = (count > 0).then_some(u128::from(count))?;
    let (mut digits, mut remainder) = (Vec::new(), 0_u128);
    let mut power = i64::from(number.exponent);
    let mut left = number.digits.iter();
    // One digit more than is kept, to round by; an even end comes earlier.
    while digits.len() <= QUOTIENT_DIGITS {
        let next = left.next();
        if next.is_none() && remainder == 0 {
            break;
        }
        remainder = remainder * 10 + u128::from(next.copied().unwrap_or(0));
        let digit = u8::try_from(remainder / divisor).ok()?;
        remainder %= divisor;
        power -= 1;
        if digit > 0 || !digits.is_empty() {
            digits.push(digit);
        }
    }
    if digits.len() > QUOTIENT_DIGITS {
        let round_up = digits.pop().is_some_and(|digit| digit >= 5);
        power += 1;
        if round_up {
            increase(&mut digits, &mut power);
        }
    }
    digits.reverse();
    Some(written(&digits, power, number.negative))
}

/// Adds one to the last of the digits, highest first.
fn increase(digits: &mut Vec<u8>, power: &mut i64) {
    while let Some(digit) = digits.pop() {
        if digit < 9 {
            digits.push(digit + 1);
            return;
        }
        *power += 1;
    }
    digits.push(1);
}

/// The digits from the lowest power on; `None` when the sum is negative.
fn digits(parts: &BTreeMap<i64, i128>, sign: i128) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    let mut carry = 0_i128;
    let mut power = *parts.first_key_value()?.0;
    let mut emit = |carry: &mut i128| {
        digits.push(u8::try_from(carry.rem_euclid(10)).unwrap_or(0));
        *carry = carry.div_euclid(10);
    };
    for (next, part) in parts {
        while power < *next {
            emit(&mut carry);
            power += 1;
        }
        carry += part * sign;
    }
    while !(-1..=0).contains(&carry) {
        emit(&mut carry);
    }
    (carry == 0).then_some(digits)
}

/// Digits, lowest first, times a power of ten, as a JSON number.
fn written(digits: &[u8], power: i64, negative: bool) -> String {
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    let digits: Vec<u8> = digits.iter().skip(zeros).copied().collect();
    let length = digits.iter().rposition(|digit| *digit != 0).map_or(0, |at| at + 1);
    if length == 0 {
        return "0".to_owned();
    }
    let power = power + i64::try_from(zeros).unwrap_or(0);
    let significant: String =
        digits.iter().take(length).rev().map(|digit| char::from(b'0' + digit)).collect();
    let sign = if negative { "-" } else { "" };
    let fraction = usize::try_from(-power).unwrap_or(0);
    let tail = usize::try_from(power).unwrap_or(0);
    let lead = fraction.saturating_sub(length);
    if tail > MAX_ZEROS || lead > MAX_ZEROS {
        let (first, rest) = significant.split_at(1);
        let exponent = power + i64::try_from(length - 1).unwrap_or(0);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e{exponent}");
    }
    if fraction == 0 {
        return format!("{sign}{significant}{}", "0".repeat(tail));
    }
    let padded = format!("{}{significant}", "0".repeat((fraction + 1).saturating_sub(length)));
    let (whole, fraction) = padded.split_at(padded.len() - fraction);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use pdpp_contract::declaration::FieldKind;
    use proptest::prelude::*;

    use super::*;
    use crate::records::sort_key::SortKey;
    use crate::records::sort_value::{KeyValue, value_of};

    #[test]
    fn a_number_longer_than_its_key_keeps_its_digits() {
        let long = "1234567890".repeat(20);
        let mut sum = Sum::default();
        sum.add_decimal(&Decimal::parse(&format!("{long}.25")).unwrap());
        sum.add_decimal(&Decimal::parse("-0.25").unwrap());
        assert_eq!(sum.to_text(), Some(long));
    }

    fn sum(numbers: &[&str]) -> Option<String> {
        let mut sum = Sum::default();
        for number in numbers {
            let key = SortKey::parse(FieldKind::Number, number).unwrap();
            match value_of(key.as_bytes()) {
                Some(KeyValue::Number(number)) => sum.add(number),
                other => panic!("{number}: {other:?}"),
            }
        }
        sum.to_text()
    }

    #[test]
    fn sums_are_exact() {
        for (numbers, expected) in [
            (&["0.1", "0.2"][..], "0.3"),
            (&[], "0"),
            (&["1", "-1"], "0"),
            (&["0.5", "-0.5", "1e-30"], "0.000000000000000000000000000001"),
            (&["99999999999999999999", "1"], "100000000000000000000"),
            (&["12345678901234567890", "12345678901234567890"], "24691357802469135780"),
            (&["-12345678901234567890", "0.01"], "-12345678901234567889.99"),
            (&["1e40", "-1"], "9999999999999999999999999999999999999999"),
            (&["10", "20", "-30.5"], "-0.5"),
            (&["1e400"], "1e400"),
            (&["-2.5e-100"], "-2.5e-100"),
            (&["19.99", "5.01", "0.00"], "25"),
        ] {
            assert_eq!(sum(numbers).as_deref(), Some(expected), "{numbers:?}");
        }
    }

    #[test]
    fn quotients_keep_twenty_digits() {
        for (number, count, expected) in [
            ("10", 4, Some("2.5")),
            ("10", 3, Some("3.3333333333333333333")),
            ("20", 3, Some("6.6666666666666666667")),
            ("-1", 8, Some("-0.125")),
            ("0", 7, Some("0")),
            ("2", 2_000_000, Some("0.000001")),
            ("123456789012345678901234", 1, Some("123456789012345678900000")),
            ("99999999999999999999.9", 1, Some("100000000000000000000")),
            ("1e400", 8, Some("1.25e399")),
            ("1", 0, None),
        ] {
            assert_eq!(quotient(number, count).as_deref(), expected, "{number} / {count}");
        }
    }

    #[test]
    fn numbers_too_far_apart_are_not_added() {
        assert_eq!(sum(&["1e5000", "1"]), None);
        assert_eq!(sum(&["1e999999999999"]), None);
        assert_eq!(sum(&["1e4000", "1"]).map(|text| text.len()), Some(4_001));
    }

    proptest! {
        #[test]
        fn integers_add_up(numbers in proptest::collection::vec(any::<i64>(), 0..50)) {
            let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let expected: i128 = numbers.iter().map(|number| i128::from(*number)).sum();
            prop_assert_eq!(sum(&texts), Some(expected.to_string()));
        }

        #[test]
        fn cents_add_up(cents in proptest::collection::vec(-1_000_000_000_i64..1_000_000_000, 0..50)) {
            let text = |cents: &i64| {
                let sign = if *cents < 0 { "-" } else { "" };
                format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
            };
            let texts: Vec<String> = cents.iter().map(text).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let expected = SortKey::parse(FieldKind::Number, &text(&cents.iter().sum())).unwrap();
            let found = SortKey::parse(FieldKind::Number, &sum(&texts).unwrap()).unwrap();
            prop_assert_eq!(found, expected);
        }
    }
}
