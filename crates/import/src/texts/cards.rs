//! Calendars and address cards: the lines that people read.

use super::plain;

/// Properties that say something, and how they are called in the text.
const SAID: [(&str, &str); 19] = [
    ("ADR", "Address"),
    ("ATTENDEE", "Attendee"),
    ("BDAY", "Birthday"),
    ("COMMENT", "Comment"),
    ("DESCRIPTION", "Description"),
    ("DTEND", "Ends"),
    ("DTSTART", "Starts"),
    ("DUE", "Due"),
    ("EMAIL", "Email"),
    ("FN", "Name"),
    ("LOCATION", "Place"),
    ("NOTE", "Note"),
    ("ORG", "Organization"),
    ("ORGANIZER", "Organizer"),
    ("RRULE", "Repeats"),
    ("SUMMARY", "Summary"),
    ("TEL", "Phone"),
    ("TITLE", "Title"),
    ("URL", "Address"),
];

/// The lines of all entries; an empty line stands between two.
pub fn text(file: &[u8]) -> String {
    let unfolded = plain::text(file).replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    let mut text = String::new();
    for line in unfolded.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let property = name.split(';').next().unwrap_or_default();
        let property = property.rsplit('.').next().unwrap_or_default().to_ascii_uppercase();
        if property == "BEGIN" {
            text.push('\n');
        } else if let Some((_, word)) = SAID.iter().find(|(known, _)| *known == property) {
            let value = value.replace("\\n", "\n").replace("\\N", "\n");
            let value = value.replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\");
            let value = value.trim_matches(';').replace(';', " ");
            text.push_str(&format!("{word}: {}\n", value.trim()));
        }
    }
    text
}
