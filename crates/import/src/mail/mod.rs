//! Mail: messages from mbox files, single files and Maildir folders, told apart by their content.

mod eml;
mod envelope;
mod mbox;
mod message;
mod readable;
mod structure;

use crate::item::Refused;
use crate::sink::{Flow, Sink};
pub use envelope::is_separator;
use message::Mail;
pub use {eml::import as import_files, mbox::import as import_mbox};

/// What mail looks like.
pub const DECLARATION: &str = include_str!("../declarations/mail.json");
/// Largest message that is read; its attachments count.
const MAX_MESSAGE_BYTES: usize = 128 * 1024 * 1024;

/// Files beside mail that programs and Takeout write.
const OTHER_ENDINGS: [&str; 6] = [".msf", ".html", ".json", ".dat", ".csv", ".ds_store"];

/// Puts one message: the message, its thread when it began one, and its attachments.
fn put(sink: &mut Sink<'_>, raw: &[u8], labels: &[String]) -> Flow {
    let message = match message::parse(raw) {
        Ok(message) => message,
        Err(refused) => return sink.refuse(refused),
    };
    match message::records(raw, &message, labels) {
        Ok(mail) => put_mail(sink, mail),
        Err(refused) => sink.refuse(refused),
    }
}

fn put_mail(sink: &mut Sink<'_>, mail: Mail<'_>) -> Flow {
    let Mail { id, thread, message, attachments } = mail;
    if let Some((thread_id, data)) = thread {
        sink.record("threads", &thread_id, data)?;
    }
    sink.record("messages", &id, message)?;
    for mut attachment in attachments {
        let kept = match sink.blob(&mut attachment.content) {
            Ok(kept) => kept,
            Err(error) => {
                let why = format!("the attachment cannot be kept: {error}");
                let code = pdpp_contract::ErrorCode::PayloadTooLarge;
                sink.refuse(Refused::new(code, why, attachment.filename.as_bytes()))?;
                continue;
            }
        };
        let data = attachment
            .data
            .number("size_bytes", kept.size_bytes)
            .text("sha256", kept.id.hex())
            .blob("blob_ref", &kept, &attachment.mime_type, &attachment.filename);
        sink.record("attachments", &attachment.id, data)?;
    }
    Ok(())
}
