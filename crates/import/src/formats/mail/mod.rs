//! Mail: messages from mbox files, single files and Maildir folders, told apart by their content.

mod eml;
mod envelope;
mod gmail;
mod mbox;
mod message;
mod structure;

use crate::format::{Format, Importer, Recognise};
use crate::sink::{Flow, Sink};
use crate::survey::{Claim, CountBy, ItemCount, base};
pub use envelope::is_separator;
use message::Mail;
pub use message::parse_any;
use pdpp_contract::import::Rejected;

/// What mail looks like.
pub const DECLARATION: &str = include_str!("../declarations/mail.json");
/// Largest message that is read; its attachments count.
pub const MAX_MESSAGE_BYTES: usize = 128 * 1024 * 1024;

/// Files beside mail that programs and Takeout write.
const OTHER_ENDINGS: [&str; 6] = [".msf", ".html", ".json", ".dat", ".csv", ".ds_store"];

/// How many lines of a message's header are looked at.
const HEADER_LINES: usize = 40;
/// Header fields that every message has some of, and hardly any other file begins with.
const MAIL_FIELDS: [&str; 9] = [
    "From",
    "To",
    "Date",
    "Subject",
    "Message-ID",
    "Received",
    "Return-Path",
    "Delivered-To",
    "MIME-Version",
];

/// Each file is a message.
const MESSAGE_FILES: Option<ItemCount> =
    Some(ItemCount { what: ("message", "messages"), by: CountBy::Files });

/// Mail in one file.
pub static MBOX: Format = Format {
    name: "mbox",
    help: "Read mail from mbox files, such as Gmail's Takeout",
    reads: "mailboxes, such as Gmail's Takeout (with its labels)",
    recognise: Recognise {
        rank: 20,
        claims: |file| {
            let is_mailbox = file.ends_with(&[".mbox"])
                || (mbox::is_mailbox(file.name()) && is_separator(file.first_line().as_bytes()));
            is_mailbox.then(Claim::file)
        },
        beside: None,
        counts: Some(ItemCount {
            what: ("message", "messages"),
            by: CountBy::LinesThatBegin("From "),
        }),
    },
    importer: Importer::Declared { declaration: DECLARATION, import: mbox::import },
};

/// Mail, one message per file.
pub static EML: Format = Format {
    name: "eml",
    help: "Read mail from .eml files",
    reads: "one message per file; the folder is a label",
    recognise: Recognise {
        rank: 30,
        claims: |file| {
            let is_letter = file.ends_with(&[".eml"])
                || (eml::is_message(file.name()) && begins_as_message(file.head()));
            is_letter.then(Claim::file)
        },
        beside: None,
        counts: MESSAGE_FILES,
    },
    importer: Importer::Declared { declaration: DECLARATION, import: eml::import },
};

/// Mail, one message per file, in the folders of a mail server.
pub static MAILDIR: Format = Format {
    name: "maildir",
    help: "Read mail from the folders of a mail server",
    reads: "the folders of a mail server, one message per file; the folder is a label",
    recognise: Recognise {
        rank: 60,
        claims: |file| {
            let is_delivered = matches!(base(file.folder()), "cur" | "new");
            let is_letter = is_delivered
                && eml::is_message(file.name())
                && (file.base().contains(":2,") || begins_as_message(file.head()));
            is_letter.then(Claim::file)
        },
        beside: None,
        counts: MESSAGE_FILES,
    },
    importer: Importer::Declared { declaration: DECLARATION, import: eml::import },
};

/// Whether a text begins with the header of a message: header fields alone, several of them those of mail.
fn begins_as_message(start: &str) -> bool {
    let mut fields_of_mail = 0;
    for line in start.lines().take_while(|line| !line.is_empty()).take(HEADER_LINES) {
        if line.starts_with([' ', '\t']) {
            continue; // It goes on from the line before.
        }
        let Some((name, _)) = line.split_once(':') else { return false };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return false;
        }
        let is_of_mail = MAIL_FIELDS.iter().any(|known| known.eq_ignore_ascii_case(name));
        fields_of_mail += usize::from(is_of_mail);
    }
    fields_of_mail >= 2
}

/// Puts one message that a mail server sent: as an import of the same mailbox would.
pub fn put_message(sink: &mut Sink<'_>, raw: &[u8]) -> Flow {
    put(sink, raw, &[])
}

/// Puts one message: the message, its thread when it began one, and its attachments.
fn put(sink: &mut Sink<'_>, raw: &[u8], labels: &[String]) -> Flow {
    let message = match message::parse(raw) {
        Ok(message) => message,
        Err(rejected) => return sink.reject(rejected),
    };
    match message::records(raw, &message, labels) {
        Ok(mail) => put_mail(sink, mail),
        Err(rejected) => sink.reject(rejected),
    }
}

fn put_mail(sink: &mut Sink<'_>, mail: Mail<'_>) -> Flow {
    let Mail { id, thread, message, attachments } = mail;
    if let Some((thread_id, data)) = thread {
        sink.record("threads", &thread_id, data)?;
    }
    sink.record("messages", &id, message)?;
    for mut attachment in attachments {
        let (mime_type, filename) = (&attachment.mime_type, &attachment.filename);
        let kept = match sink.file(&mut attachment.content, mime_type, filename) {
            Ok(kept) => kept,
            Err(error) => {
                let why = format!("the attachment cannot be kept: {error}");
                let code = pdpp_contract::ErrorCode::PayloadTooLarge;
                sink.reject(Rejected::new(code, why, attachment.filename.as_bytes()))?;
                continue;
            }
        };
        let data = attachment
            .data
            .number("size_bytes", kept.blob.size_bytes)
            .text("sha256", kept.blob.id.hex())
            .blob("blob_ref", &kept.blob, mime_type, filename)
            .file_text("text", kept.text.as_ref());
        sink.record("attachments", &attachment.id, data)?;
    }
    Ok(())
}
