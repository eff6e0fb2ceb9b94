//! Decimal numbers as they are written in JSON, of any length.

use std::cmp::Ordering;

/// A decimal number as `0.d1d2d3… × 10^exponent`, without leading or trailing zero digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub negative: bool,
    pub digits: Vec<u8>,
    pub exponent: i32,
}

impl Decimal {
    /// Reads a JSON number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (mantissa, ""),
        };
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').collect();
        let leading = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..leading);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: 0 });
        }
        let shift = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        let exponent = exponent.saturating_add(shift);
        let exponent = exponent.clamp(i32::MIN.into(), i32::MAX.into());
        Some(Self { negative, digits, exponent: i32::try_from(exponent).ok()? })
    }

    /// The order of two numbers, by all their digits.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude =
            || self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        match sign(self).cmp(&sign(other)) {
            Ordering::Equal if self.negative => magnitude().reverse(),
            Ordering::Equal => magnitude(),
            unequal => unequal,
        }
    }

    /// One text for all spellings of a number.
    pub(crate) fn normal(&self) -> String {
        let digits = self.digits.iter().map(|digit| char::from(b'0' + digit));
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}0.{}e{}", digits.collect::<String>(), self.exponent)
    }
}

/// An exponent; one beyond any number a person keeps counts as the largest.
fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX / 4);
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_all_their_digits() {
        let long = "1234567890".repeat(20);
        let ascending = [
            format!("-{long}2"),
            format!("-{long}1"),
            "-1".to_owned(),
            "0".to_owned(),
            "0.5".to_owned(),
            format!("{long}1"),
            format!("{long}2"),
            format!("{long}20"),
        ];
        for pair in ascending.windows(2) {
            let number = |at: usize| Decimal::parse(&pair[at]).unwrap();
            assert_eq!(number(0).compare(&number(1)), Ordering::Less, "{pair:?}");
            assert_eq!(number(1).compare(&number(1)), Ordering::Equal);
            assert_ne!(number(0).normal(), number(1).normal());
        }
    }
}
