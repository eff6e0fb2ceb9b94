//! Whether days or months come first, which one date alone often does not tell.

use super::stamp::Stamp;

/// The order of a date's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "which number comes first is what they say")]
pub enum DateOrder {
    /// 31/12/2026
    DayFirst,
    /// 12/31/2026
    MonthFirst,
    /// 2026/12/31
    YearFirst,
}

/// What the dates of a chat tell about their order.
#[derive(Debug, Default)]
pub struct Evidence {
    day_first: usize,
    month_first: usize,
    year_first: usize,
    half_days: usize,
    /// Steps back in time, if days come first and if months do.
    back: [usize; 2],
    last: Option<[[i16; 3]; 2]>,
}

impl Evidence {
    /// Looks at one more date.
    pub fn add(&mut self, stamp: &Stamp) {
        let [first, second, _] = stamp.date;
        self.year_first += usize::from(stamp.year_first || first > 31);
        self.day_first += usize::from(first > 12);
        self.month_first += usize::from(second > 12);
        self.half_days += usize::from(stamp.has_half && stamp.slashes);
        let now = [stamp.civil(DateOrder::DayFirst), stamp.civil(DateOrder::MonthFirst)];
        if let Some(last) = self.last {
            for ((back, now), last) in self.back.iter_mut().zip(now).zip(last) {
                *back += usize::from(now < last);
            }
        }
        self.last = Some(now);
    }

    /// The likeliest order: a number over 12 decides, then that time does not run backwards, then
    /// that clocks with two halves and slashes are mostly American.
    pub fn order(&self) -> DateOrder {
        if self.year_first > 0 && self.year_first >= self.month_first {
            return DateOrder::YearFirst;
        }
        let [back_if_day, back_if_month] = self.back;
        let month_first = match self.month_first.cmp(&self.day_first) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal if back_if_day != back_if_month => {
                back_if_month < back_if_day
            }
            std::cmp::Ordering::Equal => self.half_days > 0,
        };
        if month_first { DateOrder::MonthFirst } else { DateOrder::DayFirst }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stamp::read_stamp;
    use super::*;

    fn order(dates: &[&str]) -> DateOrder {
        let mut evidence = Evidence::default();
        for date in dates {
            evidence.add(&read_stamp(&format!("{date} - x")).unwrap().0);
        }
        evidence.order()
    }

    #[test]
    fn the_dates_of_a_chat_decide_together() {
        assert_eq!(order(&["01/02/20, 10:00", "13/02/20, 10:00"]), DateOrder::DayFirst);
        assert_eq!(order(&["01/02/20, 10:00", "01/13/20, 10:00"]), DateOrder::MonthFirst);
        assert_eq!(order(&["2020/01/02, 10:00"]), DateOrder::YearFirst);
        assert_eq!(order(&["11/01/20, 10:00", "02/02/20, 10:00"]), DateOrder::DayFirst);
        assert_eq!(order(&["01/11/20, 10:00", "02/02/20, 10:00"]), DateOrder::MonthFirst);
        assert_eq!(order(&["01/02/20, 10:00 AM"]), DateOrder::MonthFirst);
        assert_eq!(order(&["01/02/20, 10:00"]), DateOrder::DayFirst);
    }
}
