//! Slack, WhatsApp and Spotify exports.

use pdpp_contract::Json;
use proptest::prelude::*;

use crate::bench::{import, import_file, text, zipped};

const USERS: &str =
    r#"[{"id":"U1","name":"ann","profile":{"real_name":"Ann Lee","display_name":"ann.l"}}]"#;
const CHANNELS: &str = r#"[{"id":"C1","name":"general","created":1700000000,"members":["U1","U2"],
  "topic":{"value":"all things"}}]"#;
const DAY: &str = r#"[
  {"type":"message","user":"U1","text":"Hi <@U1>, see <https://x.org|this> &amp; that","ts":"1700000000.000100","thread_ts":"1700000000.000100","reply_count":1,
   "reactions":[{"name":"tada","count":2}],"files":[{"id":"F1","name":"plan.pdf","mimetype":"application/pdf","size":12}]},
  {"type":"message","user":"U2","text":"yes","ts":"1700000060.000200","thread_ts":"1700000000.000100"},
  {"type":"message","text":"no time"}]"#;

#[test]
fn a_workspace_gives_people_channels_threads_and_files() {
    let files = [
        ("users.json", USERS.as_bytes()),
        ("channels.json", CHANNELS.as_bytes()),
        ("general/2023-11-14.json", DAY.as_bytes()),
    ];
    let archive = zipped(&files);
    let outcome = import_file("slack", "export.zip", &archive);
    let first = outcome.find("messages", "user_id", "U1");
    assert_eq!(text(first, "text"), "Hi @ann.l, see this (https://x.org) & that");
    assert_eq!(
        (text(first, "id"), text(first, "channel_name")),
        ("C1:1700000000.000100", "general")
    );
    assert_eq!(text(first, "sent_at"), "2023-11-14T22:13:20.0001Z");
    assert_eq!(first["reactions"].to_canonical(), r#"[":tada: 2"]"#);
    let reply = outcome.find("messages", "text", "yes");
    assert_eq!(text(reply, "thread_id"), text(first, "id"));
    assert_eq!(reply["is_reply"], Json::Bool(true));
    assert_eq!(text(outcome.find("files", "name", "plan.pdf"), "message_id"), text(first, "id"));
    assert_eq!(text(outcome.find("channels", "id", "C1"), "topic"), "all things");
    assert_eq!(outcome.rejected.len(), 1, "the message without a time");
    let unpacked = import("slack", &files);
    assert_eq!(unpacked.records, outcome.records);
}

const ANDROID: &str = "13/02/20, 09:05 - Messages are end-to-end encrypted.\n\
    13/02/20, 09:06 - Ann: First line\nsecond line\n13/02/20, 09:06 - Bo: ok\n\
    13/02/20, 09:06 - Bo: ok\n13/02/20, 09:07 - Bo: IMG-1.jpg (file attached)\n\
    30/02/20, 10:00 - Bo: never\n";

#[test]
fn a_file_of_a_workspace_that_is_given_alone_is_read_once() {
    let day = br#"[{"ts":"1700000000.1","user":"U1","text":"hi"}]"#;
    let people = br#"[{"id":"U1","name":"ann"}]"#;
    for (name, content, stream) in
        [("2026-01-05.json", &day[..], "messages"), ("users.json", &people[..], "users")]
    {
        let outcome = import_file("slack", name, content);
        assert_eq!((outcome.items, outcome.stream(stream).len()), (1, 1), "{name}");
    }
}

#[test]
fn a_chat_gives_messages_notices_and_media() {
    let archive =
        zipped(&[("WhatsApp Chat with Ann.txt", ANDROID.as_bytes()), ("IMG-1.jpg", b"\xff\xd8")]);
    let outcome = import_file("whatsapp", "any.zip", &archive);
    assert_eq!(outcome.rejected.len(), 1, "a day that does not exist");
    assert_eq!(outcome.stream("messages").len(), 5);
    let first = outcome.find("messages", "author", "Ann");
    assert_eq!(text(first, "text"), "First line\nsecond line");
    assert_eq!(text(first, "sent_at"), "2020-02-13T09:06:00Z");
    assert_eq!(text(first, "chat_name"), "Ann");
    let same = outcome.stream("messages").into_iter().filter(|data| text(data, "text") == "ok");
    assert_eq!(same.count(), 2, "two equal messages stay two");
    let media = outcome.find("messages", "kind", "media");
    assert_eq!(text(media, "filename"), "IMG-1.jpg");
    assert!(media.contains_key("blob_ref"));
    assert_eq!(text(outcome.find("messages", "kind", "notice"), "author"), "");
}

#[test]
fn deleted_and_edited_messages_have_their_own_kind() {
    let chat = "13/02/20, 09:05 - Ann: This message was deleted\n\
        13/02/20, 09:06 - Bo: Du hast diese Nachricht gelöscht.\n\
        13/02/20, 09:07 - Ann: At eight <This message was edited>\n\
        13/02/20, 09:08 - Ann: I said: this message was deleted\n";
    let outcome = import_file("whatsapp", "WhatsApp Chat with Ann.txt", chat.as_bytes());
    let kinds = |kind: &str| {
        outcome.stream("messages").into_iter().filter(|data| text(data, "kind") == kind).count()
    };
    assert_eq!((kinds("deleted"), kinds("edited"), kinds("message")), (2, 1, 1));
    assert_eq!(text(outcome.find("messages", "kind", "edited"), "text"), "At eight");
}

#[test]
fn a_chat_of_an_iphone_is_named_by_its_archive() {
    let chat = "\u{200e}[2/13/20, 9:05:00\u{202f}PM] Bo: hi\r\n\u{200e}[2/13/20, 9:06:00\u{202f}PM] Bo: \u{200e}image omitted\r\n";
    let archive = zipped(&[("_chat.txt", chat.as_bytes())]);
    let outcome = import_file("whatsapp", "WhatsApp Chat - Bo.zip", &archive);
    let first = outcome.find("messages", "text", "hi");
    assert_eq!((text(first, "chat_name"), text(first, "sent_at")), ("Bo", "2020-02-13T21:05:00Z"));
    assert_eq!(text(outcome.find("messages", "text", "image omitted"), "kind"), "media");
}

#[test]
fn text_that_is_no_chat_is_refused_line_by_line() {
    let outcome = import_file("whatsapp", "a.txt", b"hello\n\xff\xfe\n\nworld\n");
    assert_eq!((outcome.rejected.len(), outcome.records.len()), (3, 0), "not even a chat");
}

#[test]
fn plays_of_both_forms_are_read() {
    let long = r#"[{"ts":"2024-05-01T10:00:00Z","ms_played":1000,"master_metadata_track_name":"Song",
      "master_metadata_album_artist_name":"Band","spotify_track_uri":"spotify:track:1","skipped":true,"platform":"ios"},
      {"ts":"2024-05-01T11:00:00Z","ms_played":5,"episode_name":"Talk","episode_show_name":"Show"},{"x":1}]"#;
    let short =
        r#"[{"endTime":"2020-01-02 03:04","artistName":"Band","trackName":"Old","msPlayed":7}]"#;
    let files = [
        ("Streaming_History_Audio_2024_1.json", long.as_bytes()),
        ("StreamingHistory_music_0.json", short.as_bytes()),
        ("Userdata.json", b"{}"),
    ];
    let outcome = import("spotify", &files);
    assert_eq!(outcome.rejected.len(), 1);
    assert_eq!(text(outcome.find("plays", "title", "Song"), "artist"), "Band");
    assert_eq!(text(outcome.find("plays", "title", "Talk"), "kind"), "episode");
    assert_eq!(text(outcome.find("plays", "title", "Old"), "played_at"), "2020-01-02T03:04:00Z");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_give_records_or_refusals(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let files: [(&str, &str); 3] = [
            ("whatsapp", "a.txt"),
            ("slack", "general/2026-01-01.json"),
            ("spotify", "endsong_0.json"),
        ];
        for (format, name) in files {
            let _ = import(format, &[(name, &bytes)]);
        }
    }

    #[test]
    fn damaged_days_give_records_or_refusals(at in 0..DAY.len(), byte in any::<u8>()) {
        let mut bytes = DAY.as_bytes().to_vec();
        bytes[at] = byte;
        let outcome = import("slack", &[("general/2026-01-01.json", &bytes)]);
        prop_assert!(outcome.items > 0);
    }
}
