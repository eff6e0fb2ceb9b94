//! Telegram Desktop's exports, of one chat and of the whole account.

use pdpp_contract::Json;

use crate::bench::{import, text};

/// One chat, as its own menu exports it.
const CHAT: &str = r#"{
 "name": "Choir",
 "type": "private_supergroup",
 "id": 1234567890,
 "messages": [
  {"id": 1, "type": "service", "date": "2025-03-01T18:00:00", "date_unixtime": "1740848400", "actor": "Ann Lee", "actor_id": "user11",
   "action": "invite_members", "members": ["Bo", "Cy"], "text": "", "text_entities": []},
  {"id": 2, "type": "message", "date": "2025-03-01T18:01:00", "date_unixtime": "1740848460", "edited": "2025-03-01T18:05:00",
   "edited_unixtime": "1740848700", "from": "Ann Lee", "from_id": "user11",
   "text": ["Rehearsal at ", {"type": "bold", "text": "eight"}, ", see ", {"type": "text_link", "text": "the plan", "href": "https://x.org/plan"}],
   "text_entities": [], "reactions": [{"type": "emoji", "count": 2, "emoji": "👍"}]},
  {"id": 3, "type": "message", "date": "2025-03-01T18:02:00", "date_unixtime": "1740848520", "from": null, "from_id": "user12",
   "reply_to_message_id": 2, "photo": "photos/photo_1@01-03-2025_18-02-00.jpg", "width": 10, "height": 10, "text": "The hall", "text_entities": []},
  {"id": 4, "type": "message", "date": "2025-03-01T18:03:00", "date_unixtime": "1740848580", "from": "Bo", "from_id": "user12",
   "forwarded_from": "Cy", "file": "(File not included. Change data exporting settings to download.)", "file_name": "score.pdf",
   "mime_type": "application/pdf", "text": "", "text_entities": []},
  {"id": 5, "type": "message", "date": "2025-03-01T18:04:00", "date_unixtime": "1740848640", "from": "Bo", "from_id": "user12",
   "poll": {"question": "Which day?", "closed": false, "total_voters": 1, "answers": [{"text": "Friday", "voters": 1, "chosen": true}]},
   "text": "", "text_entities": []},
  {"type": "message", "text": "no id"}
 ]
}"#;

/// The whole account; older versions write local times alone.
const ACCOUNT: &str = r#"{
 "about": "Here is the data you requested.",
 "personal_information": {"user_id": 11, "first_name": "Ann"},
 "contacts": {"about": "…", "list": [{"user_id": 0, "first_name": "Bo", "last_name": "", "phone_number": "0049 1", "date": "2024-01-01T00:00:00"}]},
 "chats": {"about": "…", "list": [
   {"type": "saved_messages", "id": 11, "messages": [{"id": 1, "type": "message", "date": "2024-07-01T10:00:00", "from": "Ann", "from_id": "user11", "text": "remember"}]},
   {"name": null, "type": "personal_chat", "id": 13, "messages": []}
 ]},
 "left_chats": {"about": "…", "list": [{"name": "Old", "type": "private_group", "id": 14, "messages": [
   {"id": 1, "type": "message", "date": "2020-07-01T10:00:00", "from": "Cy", "from_id": "user13", "file": "chats/chat_003/files/plan.txt", "mime_type": "text/plain", "text": ""}]}]}
}"#;

#[test]
fn a_chat_gives_messages_notices_replies_edits_and_media() {
    let outcome = import(
        "telegram",
        &[
            ("ChatExport/result.json", CHAT.as_bytes()),
            ("ChatExport/photos/photo_1@01-03-2025_18-02-00.jpg", b"\xff\xd8"),
            ("Other/photos/photo_1@01-03-2025_18-02-00.jpg", b"another one"),
        ],
    );
    assert_eq!(outcome.rejected.len(), 1, "the message without an id");
    let chat = outcome.find("chats", "name", "Choir");
    assert_eq!(text(chat, "first_message_at"), "2025-03-01T17:00:00Z");
    assert_eq!(text(chat, "last_message_at"), "2025-03-01T17:04:00Z");
    let notice = outcome.find("messages", "kind", "notice");
    assert_eq!(text(notice, "text"), "invite members: Bo, Cy");
    assert_eq!((text(notice, "author"), text(notice, "action")), ("Ann Lee", "invite_members"));
    let edited = outcome.find("messages", "id", "1234567890:2");
    assert_eq!(text(edited, "text"), "Rehearsal at eight, see the plan (https://x.org/plan)");
    assert_eq!(text(edited, "edited_at"), "2025-03-01T17:05:00Z");
    assert_eq!(edited["reactions"].to_canonical(), r#"["👍 2"]"#);
    let photo = outcome.find("messages", "media_type", "photo");
    assert_eq!(text(photo, "reply_to"), "1234567890:2");
    let Json::Object(file) = &photo["blob_ref"] else { panic!("no file") };
    assert_eq!(file["size_bytes"], Json::Number("2".to_owned()), "the file of this chat");
    let absent = outcome.find("messages", "filename", "score.pdf");
    assert_eq!((absent.get("blob_ref"), text(absent, "forwarded_from")), (None, "Cy"));
    outcome.find("messages", "text", "Which day?\n- Friday");
}

#[test]
fn an_account_gives_all_chats_and_contacts_and_names_what_is_not_read() {
    let files: [(&str, &[u8]); 2] =
        [("result.json", ACCOUNT.as_bytes()), ("chats/chat_003/files/plan.txt", b"call")];
    let outcome = import("telegram", &files);
    assert_eq!(outcome.rejected, []);
    let names: Vec<&str> =
        outcome.stream("chats").into_iter().map(|chat| text(chat, "name")).collect();
    assert_eq!(names, ["Saved messages", "Deleted account", "Old"]);
    assert_eq!(
        text(outcome.find("messages", "text", "remember"), "sent_at"),
        "2024-07-01T10:00:00Z"
    );
    assert!(outcome.find("messages", "filename", "plan.txt").contains_key("blob_ref"));
    assert_eq!(text(outcome.find("contacts", "name", "Bo"), "id"), "0049 1");
    assert_eq!(outcome.notes, ["parts of the export that are not read: personal_information"]);
}

#[test]
fn a_cut_export_keeps_what_stands_before_the_cut() {
    let outcome = import("telegram", &[("result.json", &CHAT.as_bytes()[..900])]);
    assert_eq!((outcome.stream("messages").len(), outcome.rejected.len()), (2, 1));
}
