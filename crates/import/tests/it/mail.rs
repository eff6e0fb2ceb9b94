//! Mail: mailboxes, single files and folders give the same records.

use pdpp_contract::Json;
use proptest::prelude::*;

use crate::bench::{import, import_file, text};

const FIRST: &str = "From: Ann Lee <ann@example.org>\nTo: Bo <bo@example.org>, cy@example.org\n\
    Date: Mon, 5 Jan 2026 10:00:00 +0100\nMessage-ID: <1@example.org>\nSubject: Boiler\n\
    X-Gmail-Labels: Home,Bills\n\nThe plumber comes on Friday.\nFrom there we see.\n";
const REPLY: &str = "From: Bo <bo@example.org>\nTo: ann@example.org\n\
    Date: Mon, 5 Jan 2026 11:00:00 +0100\nMessage-ID: <2@example.org>\nIn-Reply-To: <1@example.org>\n\
    References: <1@example.org>\nSubject: Re: Boiler\nMIME-Version: 1.0\n\
    Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n\
    <p>Good &amp; <b>well</b></p>\n--b\nContent-Type: text/plain; name=\"plan.txt\"\n\
    Content-Disposition: attachment; filename=\"plan.txt\"\n\ncall first\n--b--\n";

fn mailbox(messages: &[&str]) -> Vec<u8> {
    let quoted = |message: &&str| message.replace("\nFrom there", "\n>From there");
    let with_line = |message| format!("From x@y Mon Jan  5 10:00:00 2026\n{message}\n");
    messages.iter().map(quoted).map(with_line).collect::<String>().into_bytes()
}

#[test]
fn a_mailbox_gives_messages_threads_and_attachments() {
    let outcome = import_file("mbox", "all.mbox", &mailbox(&[FIRST, REPLY]));
    assert_eq!(outcome.rejected, []);
    let first = outcome.find("messages", "subject", "Boiler");
    assert_eq!(text(first, "sent_at"), "2026-01-05T10:00:00+01:00");
    assert_eq!(text(first, "from_name"), "Ann Lee");
    assert_eq!(text(first, "body_text"), "The plumber comes on Friday.\nFrom there we see.");
    assert_eq!(first["labels"].to_canonical(), r#"["Home","Bills"]"#);
    assert_eq!(first["to"].to_canonical(), r#"["Bo <bo@example.org>","cy@example.org"]"#);
    let reply = outcome.find("messages", "subject", "Re: Boiler");
    assert_eq!(text(reply, "body_text").trim(), "Good & well");
    assert_eq!(text(reply, "thread_id"), text(first, "thread_id"));
    let thread = outcome.find("threads", "subject", "Boiler");
    assert_eq!(text(thread, "id"), text(first, "thread_id"));
    let plan = outcome.find("attachments", "filename", "plan.txt");
    assert_eq!(text(plan, "message_id"), text(reply, "id"));
    assert_eq!(plan["size_bytes"], Json::Number("10".to_owned()));
    assert!(plan["blob_ref"].as_object().unwrap().contains_key("blob_id"));
}

#[test]
fn labels_of_gmail_are_decoded_before_they_are_split() {
    let labels = |written: &str| {
        let message = FIRST.replace("Home,Bills", written);
        let outcome = import_file("mbox", "all.mbox", &mailbox(&[&message]));
        outcome.find("messages", "subject", "Boiler")["labels"].to_canonical()
    };
    let encoded =
        "=?UTF-8?Q?Archiviert,Wichtig,Kategorie:_Pers=C3=B6nlich,B=C3=BC?=\n =?UTF-8?Q?cher?=";
    assert_eq!(labels(encoded), r#"["Archiviert","Wichtig","Kategorie: Persönlich","Bücher"]"#);
    assert_eq!(labels(r#"Home,"Tax, 2026""#), r#"["Home","Tax, 2026"]"#);
}

#[test]
fn gmail_says_which_thread_a_message_belongs_to() {
    let thread = "X-GM-THRID: 1790000000000000001\n";
    let stray = REPLY.replace("References: <1@example.org>", "References: <lost@example.org>");
    let mailbox = mailbox(&[&format!("{thread}{FIRST}"), &format!("{thread}{stray}")]);
    let outcome = import_file("mbox", "all.mbox", &mailbox);
    let first = outcome.find("messages", "subject", "Boiler");
    let reply = outcome.find("messages", "subject", "Re: Boiler");
    assert_eq!(text(first, "thread_id"), text(reply, "thread_id"));
    assert_eq!(text(outcome.find("threads", "subject", "Boiler"), "id"), text(first, "thread_id"));
}

#[test]
fn the_same_messages_are_the_same_records_in_any_order_and_any_mailbox() {
    let one = import_file("mbox", "all.mbox", &mailbox(&[FIRST, REPLY]));
    let other = import_file("mbox", "all.mbox", &mailbox(&[REPLY, FIRST]));
    assert_eq!(one.records, other.records);
    let windows = FIRST.replace('\n', "\r\n");
    let files = [("a.eml", windows.as_bytes()), ("b.eml", REPLY.as_bytes())];
    let files = import("eml", &files);
    assert_eq!(files.records.keys().collect::<Vec<_>>(), one.records.keys().collect::<Vec<_>>());
}

#[test]
fn a_maildir_folder_is_a_label() {
    let files = [("cur/1.host:2,S", FIRST.as_bytes()), (".Sent/cur/2.host:2,S", REPLY.as_bytes())];
    let outcome = import("eml", &files);
    let labels = |subject| outcome.find("messages", "subject", subject)["labels"].to_canonical();
    assert_eq!(labels("Boiler"), r#"["Home","Bills","INBOX"]"#);
    assert_eq!(labels("Re: Boiler"), r#"["Sent"]"#);
}

#[test]
fn what_is_no_message_is_refused_by_name() {
    let outcome = import("eml", &[("a.eml", b""), ("b.eml", FIRST.as_bytes())]);
    assert_eq!(outcome.stream("messages").len(), 1);
    assert_eq!(outcome.rejected.len(), 1);
    assert_eq!((outcome.rejected[0].0.as_str(), outcome.rejected[0].1), ("a.eml", 1));
}

#[test]
fn a_message_that_says_only_what_it_is_made_of_is_kept() {
    let bare = REPLY.split_once("Content-Type").map(|(_, rest)| format!("Content-Type{rest}"));
    let outcome = import_file("eml", "a.eml", bare.unwrap().as_bytes());
    assert_eq!(outcome.rejected, []);
    assert_eq!(text(outcome.stream("messages")[0], "body_text"), "Good & well");
    assert_eq!(outcome.stream("attachments").len(), 1);
}

#[test]
fn a_line_without_end_is_one_message() {
    let mut mailbox = mailbox(&[FIRST]);
    mailbox.extend(std::iter::repeat_n(b'x', 3_000_000));
    let outcome = import_file("mbox", "all.mbox", &mailbox);
    assert_eq!(outcome.stream("messages").len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_give_records_or_refusals(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let outcome = import_file("mbox", "any.mbox", &bytes);
        prop_assert_eq!(outcome.items == 0, bytes.iter().all(u8::is_ascii_whitespace));
    }

    #[test]
    fn damaged_mail_gives_records_or_refusals(at in 0..REPLY.len(), byte in any::<u8>()) {
        let mut bytes = REPLY.as_bytes().to_vec();
        bytes[at] = byte;
        let outcome = import_file("eml", "a.eml", &bytes);
        prop_assert!(outcome.items > 0);
    }
}
