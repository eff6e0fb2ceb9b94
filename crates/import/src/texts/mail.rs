//! Mails that hang on mails.

use mail_parser::MimeHeaders;

use super::TextRefused;
use super::plain;
use crate::formats::mail::parse_any;
use crate::readers::readable::push_readable;

/// Most parts of a mail whose text is taken.
const MAX_PARTS: usize = 100;

/// Sender, subject and text, and the names of what hangs on it.
pub fn text(file: &[u8]) -> Result<String, TextRefused> {
    let message = parse_any(file).ok().flatten().ok_or(TextRefused)?;
    let mut text = String::new();
    for name in ["From", "To", "Date", "Subject"] {
        if let Some(value) = message.header_raw(name) {
            let value = match name {
                "Subject" => message.subject().unwrap_or(value).to_owned(),
                _ => value.split_whitespace().collect::<Vec<_>>().join(" "),
            };
            text.push_str(&format!("{name}: {value}\n"));
        }
    }
    text.push('\n');
    for at in 0..message.text_body_count().min(MAX_PARTS) {
        if let Some(body) = message.body_text(at) {
            text.push_str(&body);
            text.push('\n');
        } else if let Some(page) = message.body_html(at) {
            push_readable(&page, &mut text);
            text.push('\n');
        }
    }
    for part in message.attachments().take(MAX_PARTS) {
        if let Some(name) = part.attachment_name() {
            text.push_str(&format!("[{name}]\n"));
        }
    }
    if text.trim().is_empty() { Ok(plain::text(file)) } else { Ok(text) }
}
