//! `eml` and `maildir`: one message per file. In a Maildir the folder is a label.

use std::io::{BufRead, Read};

use pdpp_contract::ErrorCode;

use super::envelope::is_separator;
use super::{MAX_MESSAGE_BYTES, OTHER_ENDINGS, put};
use crate::export::Export;
use crate::sink::{Flow, Sink};
use pdpp_contract::import::Rejected;

/// Files that mail servers keep beside the messages of a Maildir.
const SERVER_FILES: [&str; 4] = ["dovecot", "courier", "maildirfolder", "subscriptions"];

/// Reads every file as a message.
pub fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    export.each(sink, &is_message, &mut |name, reader, sink| read_file(name, reader, sink))
}

/// Messages in `tmp` are not delivered yet; what servers keep for themselves is no message.
pub fn is_message(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    let file = parts.next().unwrap_or_default().to_ascii_lowercase();
    let of_server = SERVER_FILES.iter().any(|prefix| file.starts_with(prefix));
    let other = OTHER_ENDINGS.iter().any(|ending| file.ends_with(ending));
    parts.next() != Some("tmp") && !of_server && !other && !file.starts_with('.')
}

fn read_file(name: &str, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    sink.begin_item();
    let mut raw = Vec::new();
    let limit = u64::try_from(MAX_MESSAGE_BYTES).unwrap_or(u64::MAX);
    if let Err(error) = reader.take(limit + 1).read_to_end(&mut raw) {
        return sink.unreadable(error);
    }
    if raw.len() > MAX_MESSAGE_BYTES {
        let why = format!("the message is larger than {} MiB", MAX_MESSAGE_BYTES >> 20);
        return sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &raw));
    }
    put(sink, without_separator(&raw), &labels(name))
}

/// Some programs save a message with the separator of the mailbox it was in.
fn without_separator(raw: &[u8]) -> &[u8] {
    let end = raw.iter().position(|&byte| byte == b'\n').map_or(raw.len(), |end| end + 1);
    match raw.split_at_checked(end) {
        Some((first, rest)) if is_separator(first) => rest,
        _ => raw,
    }
}

/// The folder in a Maildir and the flags of the file name.
fn labels(name: &str) -> Vec<String> {
    let Some((folder, file)) = name.rsplit_once('/') else { return Vec::new() };
    let folder = match folder.rsplit_once('/') {
        Some((above, "cur" | "new")) => above,
        None if matches!(folder, "cur" | "new") => "INBOX",
        _ => folder,
    };
    let mut labels = vec![folder.trim_start_matches('.').replace('.', "/")];
    let flags = file.rsplit_once(":2,").map_or("", |(_, flags)| flags);
    let flag = |letter: char| match letter {
        'D' => Some("Draft"),
        'F' => Some("Flagged"),
        'R' => Some("Replied"),
        'T' => Some("Trash"),
        _ => None,
    };
    labels.extend(flags.chars().filter_map(flag).map(str::to_owned));
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_and_the_flags_are_labels() {
        assert_eq!(labels(".Work.Bills/cur/12.x:2,FS"), ["Work/Bills", "Flagged"]);
        assert_eq!(labels("cur/12.x:2,S"), ["INBOX"]);
        assert_eq!(labels("letter.eml"), [""; 0]);
    }

    #[test]
    fn what_a_server_keeps_for_itself_is_no_message() {
        assert!(is_message("cur/1.host:2,S"));
        assert!(!is_message("tmp/1.host"));
        assert!(!is_message("dovecot-uidlist"));
        assert!(!is_message(".DS_Store"));
        assert!(!is_message("inbox/1.json"));
    }
}
