//! Mail: an mbox whose messages are plain text. Their bodies are base64, so that no line of one can
//! be taken for the beginning of the next message.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pdpp_contract::Instant;
use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::FieldText;
use super::property::{text, texts};
use crate::failure::Failure;

/// Fields that a message carries.
pub const CARRIED: &[&str] = &[
    "id",
    "rfc822_id",
    "in_reply_to",
    "sent_at",
    "from_name",
    "from_address",
    "to",
    "cc",
    "bcc",
    "subject",
    "body_text",
    "labels",
    "list_id",
];
/// Bytes on a line of base64.
const LINE_BYTES: usize = 57;
/// Bytes in one encoded word of a header.
const WORD_BYTES: usize = 42;

/// Writes one message.
pub async fn write(
    record: &Record,
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    out.write_all(head(record).as_bytes()).map_err(written)?;
    let mut left = Vec::new();
    if let Some(mut body) = FieldText::of(reader, record, "body_text") {
        while let Some(piece) = body.next().await? {
            left.extend_from_slice(piece.as_bytes());
            let whole = left.len() - left.len() % LINE_BYTES;
            let rest = left.split_off(whole);
            write_lines(&left, out)?;
            left = rest;
        }
    }
    write_lines(&left, out)?;
    out.write_all(b"\n").map_err(written)
}

fn write_lines(bytes: &[u8], out: &mut (dyn Write + Send)) -> Result<(), Failure> {
    for line in bytes.chunks(LINE_BYTES) {
        out.write_all(format!("{}\n", STANDARD.encode(line)).as_bytes()).map_err(written)?;
    }
    Ok(())
}

fn head(record: &Record) -> String {
    let sent_at = text(record, "sent_at");
    let at = sent_at.and_then(Instant::parse).map(Instant::timestamp).unwrap_or_default();
    let mut head = format!("From - {}\n", at.strftime("%a %b %e %H:%M:%S %Y"));
    if let Some(date) = sent_at.and_then(mail_date) {
        head.push_str(&format!("Date: {date}\n"));
    }
    let name = text(record, "from_name").map(|name| format!("{} ", encoded_name(name)));
    let address = text(record, "from_address").map(|address| format!("<{}>", one_line(address)));
    let from = format!("{}{}", name.unwrap_or_default(), address.unwrap_or_default());
    head.push_str(&format!("From: {from}\n"));
    for (header, field) in [("To", "to"), ("Cc", "cc"), ("Bcc", "bcc")] {
        let people: Vec<String> = texts(record, field).into_iter().map(mailbox).collect();
        if !people.is_empty() {
            head.push_str(&format!("{header}: {}\n", people.join(",\n ")));
        }
    }
    head.push_str(&format!("Subject: {}\n", encoded(text(record, "subject").unwrap_or_default())));
    for (header, field) in [("Message-ID", "rfc822_id"), ("In-Reply-To", "in_reply_to")] {
        if let Some(id) = text(record, field) {
            let id = one_line(id);
            let id = id.trim_start_matches('<').trim_end_matches('>');
            head.push_str(&format!("{header}: <{id}>\n"));
        }
    }
    if let Some(list) = text(record, "list_id") {
        head.push_str(&format!("List-Id: {}\n", encoded(list)));
    }
    let labels = texts(record, "labels");
    if !labels.is_empty() {
        head.push_str(&format!("X-Gmail-Labels: {}\n", encoded(&labels.join(","))));
    }
    head.push_str(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
         Content-Transfer-Encoding: base64\n\n",
    );
    head
}

/// The time as mail writes it, with the offset it was written with.
fn mail_date(text: &str) -> Option<String> {
    const MAIL: &str = "%a, %d %b %Y %H:%M:%S %z";
    let with_offset = jiff::fmt::strtime::parse("%Y-%m-%dT%H:%M:%S%:z", text).ok();
    if let Some(zoned) = with_offset.and_then(|time| time.to_zoned().ok()) {
        return Some(zoned.strftime(MAIL).to_string());
    }
    let at = Instant::parse(text)?.timestamp();
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).strftime(MAIL).to_string())
}

/// `Name <address>` or an address.
fn mailbox(text: &str) -> String {
    match text.rsplit_once('<') {
        Some((name, address)) if !name.trim().is_empty() => {
            format!("{} <{}", encoded_name(name.trim()), one_line(address))
        }
        _ => one_line(text),
    }
}

fn encoded_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_".contains(c);
    if name.chars().all(plain) { name.to_owned() } else { words(name) }
}

/// A header's value; anything but plain ASCII becomes encoded words.
fn encoded(text: &str) -> String {
    let plain = text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    if plain && !text.contains("=?") && text.len() < 900 { text.to_owned() } else { words(text) }
}

fn words(text: &str) -> String {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if word.len() + c.len_utf8() > WORD_BYTES {
            words.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    words.push(word);
    let words = words.iter().map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word)));
    words.collect::<Vec<_>>().join("\n ")
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_keeps_its_offset_and_a_header_is_ascii() {
        let date = mail_date("2026-03-04T09:00:00+02:00").unwrap();
        assert_eq!(date, "Wed, 04 Mar 2026 09:00:00 +0200");
        assert_eq!(mail_date("2026-03-04T09:00:00Z").unwrap(), "Wed, 04 Mar 2026 09:00:00 +0000");
        let subject = encoded("Küche\r\nBcc: everybody");
        assert!(subject.is_ascii() && !subject.contains("Bcc"), "{subject}");
    }
}
