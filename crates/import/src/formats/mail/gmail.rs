//! What Gmail's Takeout adds to the header of a message: its labels and the number of its thread.

use mail_parser::Message;
use mail_parser::parsers::MessageStream;

use super::message::one_line;

/// The labels. Words in other scripts are encoded together with the commas between them, so they are
/// decoded before they are split.
pub fn labels(message: &Message<'_>) -> Vec<String> {
    let Some(raw) = message.header_raw("X-Gmail-Labels") else { return Vec::new() };
    let line = format!("{}\n", raw.trim_end());
    let value = MessageStream::new(line.as_bytes()).parse_unstructured();
    let text = value.as_text().unwrap_or_default();
    split(text).iter().map(|label| one_line(label)).filter(|label| !label.is_empty()).collect()
}

/// The number of the thread; only digits, so that nothing else is taken for one.
pub fn thread_number(message: &Message<'_>) -> Option<String> {
    let number = message.header_raw("X-GM-THRID")?.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.to_owned())
}

/// Labels between commas; a label with a comma of its own stands in quotes.
fn split(text: &str) -> Vec<String> {
    let mut labels = vec![String::new()];
    let mut in_quotes = false;
    for letter in text.chars() {
        match (letter, labels.last_mut()) {
            ('"', _) => in_quotes = !in_quotes,
            (',', _) if !in_quotes => labels.push(String::new()),
            (letter, Some(open)) => open.push(letter),
            (_, None) => {}
        }
    }
    labels
}
