//! The two mail accounts: letters become `messages`, `threads` and `attachments` of one declaration.

mod bulk;
pub mod files;
mod household;
mod kitchen;
mod launch;
mod letter;
mod office;
mod renovation;
mod security;
mod travel;

use super::line::{Object, record};
use letter::Letter;

const SYNCED_AT: &str = "2026-11-16T06:10:00Z";
/// Past 2^53, so that a reader who passes numbers through a double is found out.
const FIRST_HISTORY_ID: u64 = 9_007_199_254_740_993;

/// Every record of the work account.
pub fn work_records() -> Vec<String> {
    let mut letters = Vec::new();
    for sheet in [launch::LETTERS, office::LETTERS] {
        letters.extend(letter::read(sheet, "maya-work"));
    }
    letters.extend(bulk::work());
    records(&letters)
}

/// Every record of the personal account.
pub fn personal_records() -> Vec<String> {
    let sheets = [
        renovation::LETTERS,
        kitchen::LETTERS,
        travel::LETTERS,
        household::LETTERS,
        security::LETTERS,
    ];
    let mut letters = Vec::new();
    for sheet in sheets {
        letters.extend(letter::read(sheet, "maya"));
    }
    letters.extend(bulk::personal());
    records(&letters)
}

fn records(letters: &[Letter]) -> Vec<String> {
    let mut threads: Vec<Vec<&Letter>> = Vec::new();
    for letter in letters {
        match threads.iter_mut().find(|seen| seen.iter().any(|one| one.thread == letter.thread)) {
            Some(thread) => thread.push(letter),
            None => threads.push(vec![letter]),
        }
    }
    let mut lines = Vec::new();
    let mut history_id = FIRST_HISTORY_ID;
    for thread in &threads {
        lines.extend(thread_line(thread));
        for (number, letter) in (1_usize..).zip(thread) {
            let id = format!("msg-{}-{number:02}", letter.thread);
            let files: Vec<_> = files::FILES.iter().filter(|file| file.message == id).collect();
            lines.push(message_line(&id, letter, files.len(), history_id));
            lines.extend(files.iter().map(|file| file_line(file, letter)));
            history_id += 2;
        }
    }
    lines
}

fn thread_line(thread: &[&Letter]) -> Option<String> {
    let first = thread.first()?;
    let id = format!("thr-{}", first.thread);
    let mut people: Vec<&str> = Vec::new();
    for address in thread.iter().flat_map(|letter| letter.addresses()) {
        if !people.contains(&address) {
            people.push(address);
        }
    }
    let last_at = thread.iter().rev().find_map(|letter| letter.sent_at.as_deref());
    let data = Object::default()
        .text("thread_id", &id)
        .text("subject", &first.subject)
        .text_or_null("first_message_at", first.sent_at.as_deref())
        .text_or_null("last_message_at", last_at)
        .number("message_count", thread.len())
        .flag("unread", thread.iter().any(|letter| letter.is("unread")))
        .texts("participants", &people);
    Some(record("threads", &[&id], &data, SYNCED_AT))
}

fn message_line(id: &str, letter: &Letter, file_count: usize, history_id: u64) -> String {
    let data = Object::default()
        .text("message_id", id)
        .text("thread_id", &format!("thr-{}", letter.thread))
        .text("subject", &letter.subject)
        .text("from_name", letter.from.name)
        .text("from_address", letter.from.address)
        .texts("to", &letter.to);
    let data = match &letter.sent_at {
        Some(sent_at) => data.text("sent_at", sent_at),
        None => data,
    };
    let data = data
        .texts("labels", &letter.labels)
        .flag("unread", letter.is("unread"))
        .text("body_text", &letter.body)
        .number("size_bytes", letter.body.len() + letter.subject.len() + 1_180)
        .number("attachment_count", file_count)
        .number("history_id", history_id);
    record("messages", &[id], &data, SYNCED_AT)
}

fn file_line(file: &files::File, letter: &Letter) -> String {
    let size_bytes = file.content.len();
    let blob_ref = Object::default()
        .text("blob_id", &format!("blob_sha256_{}", file.sha256))
        .text("mime_type", file.mime_type)
        .number("size_bytes", size_bytes)
        .text("sha256", file.sha256);
    let id = format!("{}/{}", file.message, file.name);
    let data = Object::default()
        .text("attachment_id", &id)
        .text("message_id", file.message)
        .text("filename", file.name)
        .text("mime_type", file.mime_type)
        .number("size_bytes", size_bytes)
        .text_or_null("sent_at", letter.sent_at.as_deref())
        .raw("blob_ref", &blob_ref.json());
    record("attachments", &[&id], &data, SYNCED_AT)
}
