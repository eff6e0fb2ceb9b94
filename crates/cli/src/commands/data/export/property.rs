//! Lines of calendars and address books: escaped, and folded after 75 bytes.

use pdpp_contract::record::Record;
use pdpp_contract::{Instant, Json};

/// Longest line in bytes, without its end.
const FOLD_BYTES: usize = 75;

/// Text as the value of a property.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace("\r\n", "\\n")
        .replace(['\n', '\r'], "\\n")
        .replace(';', "\\;")
        .replace(',', "\\,")
}

/// A line of its own, folded.
pub fn line(name: &str, value: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for c in format!("{name}:{value}").chars() {
        if length + c.len_utf8() > FOLD_BYTES {
            out.push_str("\r\n ");
            length = 1;
        }
        out.push(c);
        length += c.len_utf8();
    }
    out.push_str("\r\n");
    out
}

/// A text field of a record that stands in it.
pub fn text<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    let value = record.data.as_ref()?.get(field)?;
    value.as_str().filter(|text| !text.is_empty())
}

/// The texts of a list.
pub fn texts<'a>(record: &'a Record, field: &str) -> Vec<&'a str> {
    match record.data.as_ref().and_then(|data| data.get(field)) {
        Some(Json::Array(items)) => items.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A time as calendars write it, in UTC; `None` for what is none.
pub fn utc_stamp(text: &str) -> Option<String> {
    let at = Instant::parse(text)?.timestamp();
    Some(at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters() {
        let folded = line("NOTE", &"é".repeat(100));
        assert!(folded.lines().all(|line| line.len() <= FOLD_BYTES), "{folded}");
        let unfolded = folded.replace("\r\n ", "");
        assert_eq!(unfolded, format!("NOTE:{}\r\n", "é".repeat(100)));
        assert_eq!(escaped("a;b,c\\d\r\ne"), "a\\;b\\,c\\\\d\\ne");
    }
}
