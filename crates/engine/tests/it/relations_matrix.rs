//! Relations and blobs for every subset of connections, streams, fields and times: each answer is
//! compared with one worked out from the plain data, and hidden data changes none.

use std::collections::BTreeMap;

use pdpp_contract::blob::{BlobId, BlobRequest};
use pdpp_contract::expand::{Expand, Expanded};
use pdpp_contract::query::{ListRequest, RecordRequest};
use pdpp_contract::record::Record;
use pdpp_contract::{ErrorCode, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::blobs::upload;
use crate::expand::related;
use crate::non_interference::{masked, show};
use crate::world::{World, message, thread};

const CONNECTIONS: [&str; 2] = ["home-mail", "work-mail"];
const WINDOWS: [(&str, u32, u32); 4] = [
    ("", 0, 99),
    ("@2026-02-03..", 3, 99),
    ("@..2026-02-03", 0, 3),
    ("@2026-02-05..2026-02-06", 5, 6),
];

/// Threads and messages that refer to each other and to files.
fn declaration() -> Value {
    let mut declaration = related();
    let properties = &mut declaration["streams"][0]["schema"]["properties"];
    properties["blob_ref"] = json!({"type": "object"});
    declaration["streams"][1]["query"]["expand"][0]["max_limit"] = json!(50);
    declaration
}

/// One message of the plain data.
struct Sent {
    connection: &'static str,
    id: String,
    thread: String,
    day: u32,
    coded: bool,
}

fn messages() -> Vec<Sent> {
    let mut all = Vec::new();
    for connection in CONNECTIONS {
        for day in 1..=6 {
            let thread = format!("t{}", day % 3);
            all.push(Sent { connection, id: format!("m{day}"), thread, day, coded: day == 5 });
        }
    }
    all
}

/// The blob of each connection's odd days; even days share one.
fn content(sent: &Sent) -> String {
    if sent.day.is_multiple_of(2) {
        "shared".to_owned()
    } else {
        format!("{}{}", sent.connection, sent.day)
    }
}

async fn filled() -> (World, BTreeMap<String, BlobId>) {
    let world = World::new(101).await;
    let mut blobs = BTreeMap::new();
    for connection in CONNECTIONS {
        let mut lines: Vec<Value> = (0..4).map(|n| thread(&format!("t{n}"), "T")).collect();
        for sent in messages().iter().filter(|sent| sent.connection == connection) {
            let blob = upload(&world, content(sent).as_bytes()).await;
            blobs.insert(content(sent), blob);
            let subject = if sent.coded { "Your verification code is 482913" } else { "s" };
            lines.push(message(
                &sent.id,
                json!({"sent_at": format!("2026-02-{:02}", sent.day), "subject": subject,
                       "thread_id": sent.thread, "blob_ref": {"blob_id": blob}}),
            ));
        }
        assert_eq!(world.import(connection, &declaration(), &lines).await.rejected, 0);
    }
    (world, blobs)
}

/// One grant of the matrix.
struct Allowed {
    connections: Vec<&'static str>,
    fields: Vec<&'static str>,
    threads: bool,
    window: (&'static str, u32, u32),
    leave_out_codes: bool,
}

impl Allowed {
    fn specs(&self) -> Vec<String> {
        let mut specs = Vec::new();
        for connection in &self.connections {
            let fields = self.fields.join(",");
            specs.push(format!("{connection}/messages:id,{fields}{}", self.window.0));
            if self.threads {
                specs.push(format!("{connection}/threads"));
            }
        }
        specs.iter().map(|spec| spec.replace(",@", "@").trim_end_matches(',').to_owned()).collect()
    }

    fn sees(&self, sent: &Sent) -> bool {
        self.connections.contains(&sent.connection)
            && (self.window.1..self.window.2).contains(&sent.day)
            && !(self.leave_out_codes && sent.coded)
    }

    fn shows(&self, field: &str) -> bool {
        self.fields.contains(&field)
    }
}

fn every_grant() -> Vec<Allowed> {
    let mut grants = Vec::new();
    for connections in [vec!["home-mail"], vec!["work-mail"], CONNECTIONS.to_vec()] {
        for subset in 0..8_u32 {
            let all = ["thread_id", "blob_ref", "subject"];
            let fields: Vec<_> = (0..).zip(all).filter(|(at, _)| subset & (1 << at) != 0).collect();
            for window in WINDOWS {
                for (threads, leave_out_codes) in [(true, false), (true, true), (false, true)] {
                    grants.push(Allowed {
                        connections: connections.clone(),
                        fields: fields.iter().map(|(_, field)| *field).collect(),
                        threads,
                        window,
                        leave_out_codes,
                    });
                }
            }
        }
    }
    grants
}

fn list(stream: &str, relation: &str, limit: Option<u32>) -> ListRequest {
    let mut request = ListRequest::new(StreamName::new(stream).unwrap());
    request.expand = vec![Expand { relation: relation.to_owned(), limit }];
    request.limit = Some(50);
    request
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_grant_follows_exactly_the_relations_and_blobs_it_shows() {
    let (world, blobs) = filled().await;
    let grants = every_grant();
    assert_eq!(grants.len(), 3 * 8 * 4 * 3);
    for allowed in grants {
        let specs = allowed.specs();
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let reader = world.reader_leaving_out(&specs, allowed.leave_out_codes).await;
        check_threads(&reader, &allowed).await;
        check_messages(&reader, &allowed).await;
        check_blobs(&reader, &allowed, &blobs).await;
    }
}

async fn check_threads(reader: &GrantedReader, allowed: &Allowed) {
    let page = reader.list(list("threads", "messages", Some(50))).await;
    if !allowed.threads {
        assert_eq!(page.unwrap_err().code, ErrorCode::GrantStreamNotAllowed);
        return;
    }
    if !allowed.shows("thread_id") {
        assert_eq!(page.unwrap_err().code, ErrorCode::InvalidExpand, "{:?}", allowed.specs());
        return;
    }
    for record in page.unwrap().data {
        let Expanded::Many(list) = &record.expanded["messages"] else { panic!("a list") };
        assert!(!list.has_more);
        let shown: Vec<&str> = list.data.iter().map(|one| one.id.as_str()).collect();
        let sent = messages();
        let own = sent.iter().filter(|sent| {
            record.connection_id.as_str() == format!("cin_{}", sent.connection.replace('-', ""))
                && sent.thread == record.id.as_str()
                && allowed.sees(sent)
        });
        // Without its cursor field the stream is ordered by key; keys and days agree here.
        let mut expected: Vec<&str> = own.map(|sent| sent.id.as_str()).collect();
        expected.reverse();
        assert_eq!(shown, expected, "{:?}", allowed.specs());
        assert!(list.data.iter().all(|one| within(one, allowed)));
    }
}

/// Whether a message has no field beyond the grant.
fn within(record: &Record, allowed: &Allowed) -> bool {
    let names = record.data.as_ref().unwrap().keys();
    names.into_iter().all(|name| name == "id" || allowed.shows(name))
}

async fn check_messages(reader: &GrantedReader, allowed: &Allowed) {
    let page = reader.list(list("messages", "thread", None)).await;
    if !allowed.threads || !allowed.shows("thread_id") {
        assert_eq!(page.unwrap_err().code, ErrorCode::InvalidExpand, "{:?}", allowed.specs());
        return;
    }
    let data = page.unwrap().data;
    assert_eq!(data.len(), messages().iter().filter(|sent| allowed.sees(sent)).count());
    for record in data {
        let Expanded::One(Some(one)) = &record.expanded["thread"] else { panic!("its thread") };
        assert_eq!(one.connection_id, record.connection_id, "never of another connection");
        let thread = record.data.as_ref().unwrap()["thread_id"].as_str().map(str::to_owned);
        assert_eq!(Some(one.id.to_string()), thread);
    }
}

async fn check_blobs(reader: &GrantedReader, allowed: &Allowed, blobs: &BTreeMap<String, BlobId>) {
    for (text, blob) in blobs {
        let sent = messages();
        let mut referring = sent.iter().filter(|sent| content(sent) == *text);
        let expected = allowed.shows("blob_ref") && referring.any(|sent| allowed.sees(sent));
        let request =
            BlobRequest { blob_id: *blob, connection_id: None, offset_bytes: 0, max_bytes: 99 };
        match reader.blob(request).await {
            Ok(piece) => {
                assert!(expected, "{text} under {:?}", allowed.specs());
                assert_eq!(piece.bytes, text.as_bytes());
            }
            Err(error) => {
                assert!(!expected, "{text} under {:?}", allowed.specs());
                assert_eq!(error.code, ErrorCode::BlobNotFound);
            }
        }
    }
}

/// The grant of the comparison: threads, and messages of a quarter with their thread and file.
const GRANT: &[&str] =
    &["work-mail/threads", "work-mail/messages:id,thread_id,blob_ref@2026-02-01..2026-02-10"];

fn note(id: &str, day: u32, thread: &str, body: &str, blob: BlobId) -> Value {
    message(
        id,
        json!({"sent_at": format!("2026-02-{day:02}"), "subject": body, "thread_id": thread,
               "blob_ref": {"blob_id": blob, "mime_type": "text/plain"}}),
    )
}

/// A store with what the grant shows; a busy one has more of everything around it.
async fn store(seed: u64, busy: bool) -> World {
    let world = World::new(seed).await;
    let (shown, hidden) = (upload(&world, b"shown").await, BlobId([1; 32]));
    if busy {
        let more = upload(&world, b"hidden bytes").await;
        let lines = [thread("t1", "Elsewhere"), note("x", 5, "t1", "x", more)];
        world.import("other-mail", &declaration(), &lines).await;
        let lines: Vec<_> = (20..28)
            .map(|day| note(&format!("h{day}"), day, "t1", "outside", more))
            .chain([note("h0", 11, "t2", "outside", shown)])
            .collect();
        world.import("work-mail", &declaration(), &lines).await;
    }
    let mut lines = vec![thread("t1", "One"), thread("t2", "Two")];
    lines.extend((1..=5).map(|day| note(&format!("m{day}"), day, "t1", "s", shown)));
    lines.push(note("lost", 6, "t9", "s", hidden));
    world.import("work-mail", &declaration(), &lines).await;
    if busy {
        let again: Vec<_> =
            (1..=5).map(|day| note(&format!("m{day}"), day, "t1", "changed", shown)).collect();
        world.import("work-mail", &declaration(), &again).await;
    }
    world
}

async fn transcript(reader: &GrantedReader) -> Vec<String> {
    let mut out = Vec::new();
    for (stream, relation) in [
        ("threads", "messages"),
        ("messages", "thread"),
        ("threads", "nowhere"),
        ("threads", "thread"),
    ] {
        for limit in [None, Some(1), Some(3), Some(50), Some(51)] {
            show(&mut out, reader.list(list(stream, relation, limit)).await);
            for id in ["t1", "t2", "m1", "lost", "h0", "h20"] {
                let stream = StreamName::new(stream).unwrap();
                let mut request = RecordRequest::new(stream, RecordId::new(id).unwrap());
                request.expand = list("threads", relation, limit).expand;
                match reader.record(request).await {
                    Ok(detail) => {
                        out.push(detail.etag);
                        show(&mut out, Ok(detail.record));
                    }
                    Err(error) => show::<Value>(&mut out, Err(error)),
                }
            }
        }
    }
    let digest = |bytes: &[u8]| {
        use sha2::Digest;
        BlobId(sha2::Sha256::digest(bytes).into())
    };
    for blob in [digest(b"shown"), digest(b"hidden bytes"), BlobId([1; 32]), BlobId([2; 32])] {
        for offset_bytes in [0, 3, 5, 99] {
            let request =
                BlobRequest { blob_id: blob, connection_id: None, offset_bytes, max_bytes: 9 };
            match reader.blob(request).await {
                Ok(piece) => out.push(format!("{piece:?}")),
                Err(error) => show::<Value>(&mut out, Err(error)),
            }
        }
    }
    out
}

#[tokio::test]
async fn what_a_grant_hides_changes_no_related_record_and_no_blob() {
    let (plain, busy) = (store(102, false).await, store(103, true).await);
    let (a, b) = (plain.reader(GRANT).await, busy.reader(GRANT).await);
    let (one, other) = (masked(transcript(&a).await), masked(transcript(&b).await));
    assert!(one.len() > 100 && one.iter().any(|line| line.contains("m5")));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    // The comparison itself can fail: a wider grant tells the two apart.
    let (a, b) = (plain.reader(&["work-mail"]).await, busy.reader(&["work-mail"]).await);
    assert_ne!(masked(transcript(&a).await), masked(transcript(&b).await));
}

#[tokio::test]
async fn a_hidden_write_changes_no_related_record_and_no_blob() {
    let world = store(104, false).await;
    let reader = world.reader(GRANT).await;
    let before = transcript(&reader).await;
    let shown = upload(&world, b"shown").await;
    let more = upload(&world, b"hidden bytes").await;
    let elsewhere = [thread("t1", "Elsewhere"), note("x", 5, "t1", "x", more)];
    world.import("other-mail", &declaration(), &elsewhere).await;
    assert_eq!(transcript(&reader).await, before, "another connection");
    let outside = [note("h0", 11, "t2", "outside", shown), note("h20", 20, "t1", "outside", more)];
    world.import("work-mail", &declaration(), &outside).await;
    assert_eq!(transcript(&reader).await, before, "outside the time range");
    let revised: Vec<_> =
        (1..=5).map(|day| note(&format!("m{day}"), day, "t1", "changed", shown)).collect();
    world.import("work-mail", &declaration(), &revised).await;
    assert_eq!(transcript(&reader).await, before, "a hidden field");
}
