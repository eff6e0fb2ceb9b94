//! Exact amounts: hundredths, printed with two decimals, or none for the yen.

use std::fmt;
use std::iter::Sum;

/// An amount of one currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Money {
    hundredths: i64,
    whole: bool,
}

impl Money {
    /// Reads `1249.00`; what is not a number counts as nothing.
    pub fn parse(text: &str, currency: &str) -> Self {
        let (units, cents) = text.split_once('.').unwrap_or((text, "0"));
        let units: i64 = units.parse().unwrap_or(0);
        let cents: i64 = cents.parse().unwrap_or(0);
        Self { hundredths: units * 100 + cents, whole: currency == "JPY" }
    }

    /// The amount, that many times.
    pub const fn times(self, count: i64) -> Self {
        Self { hundredths: self.hundredths * count, whole: self.whole }
    }

    /// The sum of two amounts of one currency.
    pub const fn plus(self, other: Self) -> Self {
        Self { hundredths: self.hundredths + other.hundredths, whole: self.whole && other.whole }
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self { hundredths: 0, whole: true }, Self::plus)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (units, cents) = (self.hundredths / 100, self.hundredths % 100);
        if self.whole { write!(out, "{units}") } else { write!(out, "{units}.{cents:02}") }
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn amounts_add_exactly_and_print_as_written() {
        let sum: Money =
            ["0.10", "0.20", "1248.70"].map(|text| Money::parse(text, "SEK")).into_iter().sum();
        assert_eq!(sum.to_string(), "1249.00");
        assert_eq!(Money::parse("3200", "JPY").times(2).to_string(), "6400");
    }
}
