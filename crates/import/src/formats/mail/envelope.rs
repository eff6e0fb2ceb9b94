//! What stays of a message when it travels between mailboxes, and what does not.

use sha2::{Digest, Sha256};

/// Prefixes of replies and forwards that mail programs write, in small letters.
const PREFIXES: &[&str] = &["re:", "fwd:", "fw:", "aw:", "wg:", "sv:", "tr:", "rv:", "antw:"];

/// A digest of the body as every mailbox format keeps it: no carriage returns, no blank lines at
/// the end, and a quoted `>From ` like an unquoted one.
///
/// Header fields are left out: mailboxes add and change theirs (labels, status, received). Only a
/// message without an id of its own is told by them too, or two drafts without a word would be one.
pub fn stable_digest(raw: &[u8], with_header: bool) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut in_body = with_header;
    let mut blank_lines = 0;
    for line in raw.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !in_body {
            in_body = line.is_empty();
        } else if line.is_empty() {
            blank_lines += 1;
        } else {
            for _ in 0..std::mem::take(&mut blank_lines) {
                digest.update(b"\n");
            }
            digest.update(unquoted(line));
            digest.update(b"\n");
        }
    }
    digest.finalize().into()
}

/// A line without the `>` that mbox files put before `From `.
pub fn unquoted(line: &[u8]) -> &[u8] {
    let rest = line.iter().position(|&byte| byte != b'>').unwrap_or(line.len());
    match line.get(rest..) {
        Some(tail) if rest > 0 && tail.starts_with(b"From ") => line.get(1..).unwrap_or_default(),
        _ => line,
    }
}

/// A subject without `Re:`, `Fwd:` and their like.
pub fn without_prefix(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let prefix = PREFIXES.iter().find(|prefix| {
            rest.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
        });
        match prefix {
            Some(prefix) => rest = rest.get(prefix.len()..).unwrap_or_default().trim_start(),
            None => return rest,
        }
    }
}

/// Whether a line is the separator of an mbox file: `From `, a sender and a time of day.
pub fn is_separator(line: &[u8]) -> bool {
    let clock =
        |part: &[u8]| matches!(part, [a, b':', b, ..] if a.is_ascii_digit() && b.is_ascii_digit());
    line.starts_with(b"From ") && line.windows(3).any(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_the_same_in_every_mailbox() {
        let file = b"Subject: a\r\n\r\nFrom here\r\n\r\non\r\n";
        let mbox = b"Status: RO\nSubject: a\n\n>From here\n\non\n\n\n";
        let other = b"Subject: a\n\nFrom here\non\n";
        let body_digest = |raw: &[u8]| stable_digest(raw, false);
        assert_eq!(body_digest(mbox), body_digest(file));
        assert_ne!(body_digest(other), body_digest(file));
        assert_ne!(stable_digest(mbox, true), stable_digest(file, true));
    }

    #[test]
    fn a_subject_loses_its_prefixes() {
        assert_eq!(without_prefix("Re: AW: Fwd:Boiler"), "Boiler");
        assert_eq!(without_prefix("Report"), "Report");
        assert_eq!(without_prefix("Ré: é"), "Ré: é");
    }

    #[test]
    fn a_sentence_is_no_separator() {
        assert!(is_separator(b"From ann@example.org Mon Jan  5 10:00:00 2026\n"));
        assert!(is_separator(b"From - Mon Jan 05 10:00:00 2026\n"));
        assert!(!is_separator(b"From here we went on foot.\n"));
        assert!(!is_separator(b">From ann Mon Jan  5 10:00:00 2026\n"));
    }
}
