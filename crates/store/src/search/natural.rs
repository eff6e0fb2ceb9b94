//! An order of keys in which numbers are taken as numbers.

use std::cmp::Ordering;

/// The order of keys in which `10` comes after `9`.
pub(crate) fn natural(a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (one, other) = (digits(left), digits(right));
        if !one.is_empty() && !other.is_empty() {
            let plain = |digits: &[u8]| -> Vec<u8> {
                digits.iter().copied().skip_while(|digit| *digit == b'0').collect()
            };
            let (number, against) = (plain(one), plain(other));
            let order = number.len().cmp(&against.len()).then_with(|| number.cmp(&against));
            if order != Ordering::Equal {
                return order;
            }
            left = left.get(one.len()..).unwrap_or_default();
            right = right.get(other.len()..).unwrap_or_default();
            continue;
        }
        match (left.split_first(), right.split_first()) {
            (Some((one, left_rest)), Some((other, right_rest))) => {
                if one != other {
                    return one.cmp(other);
                }
                (left, right) = (left_rest, right_rest);
            }
            (one, other) => {
                return one.is_some().cmp(&other.is_some()).then_with(|| a.cmp(b));
            }
        }
    }
}

/// The digits at the beginning.
fn digits(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.get(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_keys_are_taken_as_numbers() {
        let mut keys = ["m10", "m9", "m1", "m09b", "a2", "m"];
        keys.sort_by(|a, b| natural(a.as_bytes(), b.as_bytes()));
        assert_eq!(keys, ["a2", "m", "m1", "m9", "m09b", "m10"]);
    }
}
