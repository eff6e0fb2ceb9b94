//! Flags and folders as labels, as the importers of mailboxes write them.

use std::collections::BTreeSet;

/// What stands between two labels of one message in one folder.
const BETWEEN: char = '\t';

/// The labels of a message in one folder, as they are remembered.
pub fn marks(folder_label: &str, flags: &[String]) -> String {
    let has = |wanted: &str| flags.iter().any(|flag| flag.eq_ignore_ascii_case(wanted));
    let mut labels = vec![folder_label.replace(BETWEEN, " ")];
    if !has("\\Seen") {
        labels.push("Unread".to_owned());
    }
    for (flag, label) in [
        ("\\Draft", "Draft"),
        ("\\Flagged", "Flagged"),
        ("\\Answered", "Replied"),
        ("\\Deleted", "Trash"),
    ] {
        if has(flag) {
            labels.push(label.to_owned());
        }
    }
    labels.join(&BETWEEN.to_string())
}

/// The labels of a message over all the folders it stands in, each once, folders first.
pub fn labels<'a>(all_marks: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut folders, mut flags) = (BTreeSet::new(), BTreeSet::new());
    for marks in all_marks {
        let mut parts = marks.split(BETWEEN);
        folders.extend(parts.next().filter(|folder| !folder.is_empty()));
        flags.extend(parts);
    }
    folders.into_iter().chain(flags).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_labels_of_all_its_places() {
        let flags = |flags: &[&str]| flags.iter().map(ToString::to_string).collect::<Vec<_>>();
        let inbox = marks("INBOX", &flags(&["\\Flagged", "$Forwarded"]));
        let work = marks("Work/Bills", &flags(&["\\Seen", "\\Answered"]));
        assert_eq!(inbox, "INBOX\tUnread\tFlagged");
        let all = labels([inbox.as_str(), work.as_str(), inbox.as_str()].into_iter());
        assert_eq!(all, ["INBOX", "Work/Bills", "Flagged", "Replied", "Unread"]);
    }
}
