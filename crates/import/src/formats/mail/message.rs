//! One message: its header fields, its text, its attachments.

use std::mem;

use mail_parser::{
    Address, Header, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders,
    PartType,
};
use pdpp_contract::{ErrorCode, Instant};

use super::envelope::{stable_digest, without_prefix};
use super::gmail;
use super::structure::check_structure;
use crate::blobs::content_key;
use crate::readers::catch_panic::catch_panic;
use crate::readers::readable::push_readable;
use crate::record::fields::RecordFields;
use pdpp_contract::import::Rejected;

/// A message as records.
pub struct Mail<'m> {
    /// Its key.
    pub id: String,
    /// The thread it began, if it began one.
    pub thread: Option<(String, RecordFields)>,
    /// The message itself.
    pub message: RecordFields,
    /// What hangs on it.
    pub attachments: Vec<MailAttachment<'m>>,
}

/// A file that came with a message.
pub struct MailAttachment<'m> {
    /// Its key.
    pub id: String,
    /// Its name.
    pub filename: String,
    /// Its media type.
    pub mime_type: String,
    /// Its record, without what only its bytes tell.
    pub data: RecordFields,
    /// Its bytes, decoded.
    pub content: &'m [u8],
}

/// Reads one message.
pub fn parse(raw: &[u8]) -> Result<Message<'_>, Rejected> {
    let why = "no mail header was found; this is not a message";
    let message = parse_any(raw)?.filter(is_mail);
    message.ok_or_else(|| Rejected::new(ErrorCode::MalformedRecord, why, raw))
}

/// Reads what may be a message. This is the one way to the parser, which itself has no bounds.
pub fn parse_any(raw: &[u8]) -> Result<Option<Message<'_>>, Rejected> {
    check_structure(raw)?;
    catch_panic(raw, || {
        let mut message = MessageParser::default().parse(raw);
        if let Some(message) = &mut message {
            flatten(message);
        }
        Ok(message)
    })
}

/// Takes messages inside of messages inside apart, one by one. Only the header of the outermost ones is
/// used, and dropping a long chain of them at once would overflow the stack.
fn flatten(message: &mut Message<'_>) {
    let mut inner = Vec::new();
    for part in &mut message.parts {
        if let PartType::Message(nested) = &mut part.body {
            inner.extend(nested.parts.drain(1.min(nested.parts.len())..));
            let bodies = nested.parts.iter_mut().map(|part| &mut part.body);
            for body in bodies.filter(|body| matches!(body, PartType::Message(_))) {
                if let PartType::Message(deeper) = mem::replace(body, PartType::Multipart(vec![])) {
                    inner.extend(deeper.parts);
                }
            }
        }
    }
    while let Some(part) = inner.pop() {
        if let PartType::Message(nested) = part.body {
            inner.extend(nested.parts);
        }
    }
}

/// The parser takes anything with a colon for a message. Mail says who wrote, when or what about, or
/// at least what it is made of.
fn is_mail(message: &Message<'_>) -> bool {
    let known = |header: &Header<'_>| {
        matches!(
            header.name,
            HeaderName::From
                | HeaderName::To
                | HeaderName::Subject
                | HeaderName::MessageId
                | HeaderName::Date
                | HeaderName::Received
                | HeaderName::MimeVersion
                | HeaderName::ContentType
        )
    };
    message.headers().iter().any(known)
}

/// The records of a message; `raw` is what it was read from.
pub fn records<'m>(
    raw: &[u8],
    message: &'m Message<'_>,
    labels: &[String],
) -> Result<Mail<'m>, Rejected> {
    catch_panic(raw, || Ok(put_together(raw, message, labels)))
}

fn put_together<'m>(raw: &[u8], message: &'m Message<'_>, labels: &[String]) -> Mail<'m> {
    let rfc822_id = message.message_id().map(str::to_owned);
    let sent_at = sent_at(message);
    let subject = one_line(message.subject().unwrap_or_default());
    let from = message.from().and_then(Address::first);
    let from_address = from.and_then(mail_parser::Addr::address).unwrap_or_default().to_owned();
    let id = content_key(&[
        rfc822_id.as_deref().unwrap_or_default().as_bytes(),
        from_address.as_bytes(),
        sent_at.as_deref().unwrap_or_default().as_bytes(),
        subject.as_bytes(),
        &stable_digest(raw, rfc822_id.is_none()),
    ]);
    let replies_to = first_id(message.references()).or_else(|| first_id(message.in_reply_to()));
    let thread_id = match gmail::thread_number(message) {
        Some(number) => content_key(&[b"gmail thread", number.as_bytes()]),
        None => {
            let root = replies_to.as_deref().or(rfc822_id.as_deref()).unwrap_or(&id);
            content_key(&[b"thread", root.as_bytes()])
        }
    };
    let thread = replies_to.is_none().then(|| {
        let data = RecordFields::default()
            .text("id", &*thread_id)
            .text("subject", without_prefix(&subject))
            .maybe("started_at", sent_at.clone())
            .text("started_by", &*from_address);
        (thread_id.clone(), data)
    });
    let attachments = attachments(message, &id, sent_at.as_deref());
    let mut all_labels = gmail::labels(message);
    all_labels.extend(labels.iter().filter(|label| !label.is_empty()).cloned());
    let data = RecordFields::default()
        .text("id", &*id)
        .maybe("rfc822_id", rfc822_id.clone())
        .text("thread_id", &*thread_id)
        .maybe("in_reply_to", first_id(message.in_reply_to()))
        .maybe("sent_at", sent_at)
        .maybe("from_name", from.and_then(mail_parser::Addr::name).map(one_line))
        .text("from_address", from_address)
        .texts("to", people(message.all_to()))
        .texts("cc", people(message.all_cc()))
        .texts("bcc", people(message.all_bcc()))
        .text("subject", subject)
        .text("body_text", body_text(message))
        .texts("labels", all_labels)
        .maybe("list_id", message.list_id().as_text().map(one_line))
        .count("attachment_count", attachments.len())
        .count("size_bytes", raw.len());
    Mail { id, thread, message: data, attachments }
}

/// When it was written: its date, else when the last server received it.
fn sent_at(message: &Message<'_>) -> Option<String> {
    let received = message.received().and_then(mail_parser::Received::date);
    let dates = [message.date().copied(), received];
    let mut written = dates.into_iter().flatten().map(|date| date.to_rfc3339());
    written.find(|text| Instant::parse(text).is_some())
}

fn people<'a, 'm: 'a>(lists: impl Iterator<Item = &'a Address<'m>>) -> Vec<String> {
    let everyone = lists.flat_map(Address::iter);
    let shown = everyone.filter_map(|person| match (person.name(), person.address()) {
        (Some(name), Some(address)) => Some(format!("{} <{address}>", one_line(name))),
        (None, Some(one)) | (Some(one), None) => Some(one_line(one)),
        (None, None) => None,
    });
    shown.collect()
}

/// The first of a list of message ids: the beginning of the thread.
fn first_id(value: &HeaderValue<'_>) -> Option<String> {
    let list = value.as_text_list();
    let first = list.and_then(|list| list.first().map(AsRef::as_ref)).or(value.as_text());
    first.map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned)
}

/// Plain text of all parts that are text; HTML is made readable. A long letter is copied once: the
/// message itself is still held.
fn body_text(message: &Message<'_>) -> String {
    let mut whole = String::new();
    for part in message.text_bodies() {
        if !whole.is_empty() {
            whole.push('\n');
        }
        match &part.body {
            PartType::Html(html) => push_readable(html, &mut whole),
            PartType::Text(text) => push_lines(text, &mut whole),
            _ => {}
        }
    }
    whole.truncate(whole.trim_end().len());
    whole
}

/// Adds text with one kind of line end.
fn push_lines(text: &str, whole: &mut String) {
    whole.reserve_exact(text.len());
    for line in text.split_inclusive("\r\n") {
        match line.strip_suffix("\r\n") {
            Some(line) => {
                whole.push_str(line);
                whole.push('\n');
            }
            None => whole.push_str(line),
        }
    }
}

fn attachments<'m>(
    message: &'m Message<'_>,
    message_id: &str,
    sent_at: Option<&str>,
) -> Vec<MailAttachment<'m>> {
    let parts = message.attachments().enumerate();
    parts.map(|(number, part)| attachment(part, message_id, number, sent_at)).collect()
}

fn attachment<'m>(
    part: &'m MessagePart<'_>,
    message_id: &str,
    number: usize,
    sent_at: Option<&str>,
) -> MailAttachment<'m> {
    let mime_type = part.content_type().map_or_else(
        || "application/octet-stream".to_owned(),
        |kind| {
            let subtype = kind.subtype().unwrap_or("octet-stream");
            format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase()
        },
    );
    let named = part.attachment_name().map(one_line).filter(|name| !name.is_empty());
    let filename = named.unwrap_or_else(|| {
        let nested = part.message().and_then(Message::subject).map(one_line);
        nested.map_or_else(|| format!("part-{}", number + 1), |subject| format!("{subject}.eml"))
    });
    let id = format!("{message_id}-{}", number + 1);
    let data = RecordFields::default()
        .text("id", &*id)
        .text("message_id", message_id)
        .text("filename", &*filename)
        .text("mime_type", &*mime_type)
        .maybe("sent_at", sent_at);
    MailAttachment { id, filename, mime_type, data, content: part.contents() }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
