//! Names for streams and fields, from file names and headings.

use std::collections::{HashMap, HashSet};

/// Longest name that is made.
const MAX_BYTES: usize = 100;

/// A plain name: small letters, digits and single underscores; letters of any script stay.
pub fn plain(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if name.len() + c.len_utf8() > MAX_BYTES {
            break;
        }
        if c.is_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() { "field".to_owned() } else { name.to_owned() }
}

/// The stream of a file: its name without folder, ending and number, so that parts of one export
/// meet in one stream.
pub fn stream_of(file: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or_default();
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let without_number =
        stem.trim_end_matches(|c: char| c.is_ascii_digit() || "-_ ().".contains(c));
    match plain(if without_number.is_empty() { stem } else { without_number }).as_str() {
        "field" => "rows".to_owned(),
        name => name.to_owned(),
    }
}

/// Plain names of headings, each of them different.
pub fn distinct(headings: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut taken = HashSet::from([super::ROW_ID.to_owned()]);
    // Where to go on counting, so that a thousand equal headings are not counted from 2 each time.
    let mut next: HashMap<String, usize> = HashMap::new();
    for heading in headings {
        let name = plain(&heading);
        let mut chosen = name.clone();
        while !taken.insert(chosen.clone()) {
            let number = next.entry(name.clone()).or_insert(2);
            chosen = format!("{name}_{number}");
            *number += 1;
        }
        names.push(chosen);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_names() {
        assert_eq!(plain("Transaction Date (UTC)"), "transaction_date_utc");
        assert_eq!(plain("Größe"), "größe");
        assert_eq!(plain("  "), "field");
        let headings = ["a", "A", "row id", ""].map(str::to_owned);
        assert_eq!(distinct(headings.into_iter()), ["a", "a_2", "row_id_2", "field"]);
    }

    #[test]
    fn parts_of_an_export_meet_in_one_stream() {
        assert_eq!(stream_of("x/Orders-2024 (1).csv"), "orders");
        assert_eq!(stream_of("orders.csv"), "orders");
        assert_eq!(stream_of("2024.csv"), "2024");
    }
}
