//! Numbers for people: digits in groups of three.

/// The number with a comma every three digits.
pub fn grouped(number: u64) -> String {
    grouped_by(number, ',')
}

/// The number with this character every three digits.
pub fn grouped_by(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_stands_before_every_third_digit_from_the_right() {
        let shown: Vec<String> = [0, 12, 999, 1_000, 1_234_567].map(grouped).to_vec();
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(grouped_by(12_345, ' '), "12 345");
    }
}
