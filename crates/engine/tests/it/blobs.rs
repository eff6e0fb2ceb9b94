//! Blobs: who sees the bytes, what becomes of them, and what the store forgets.

use pdpp_contract::blob::{BlobId, BlobPiece, BlobRequest};
use pdpp_contract::query::ListRequest;
use pdpp_contract::{ApiError, ErrorCode, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, connection_id, mail, message};

/// Messages with one attachment or a list of them.
pub fn attached() -> Value {
    let mut declaration = mail();
    let properties = &mut declaration["streams"][0]["schema"]["properties"];
    properties["blob_ref"] = json!({"type": ["object", "null"]});
    properties["files"] = json!({"type": "array"});
    declaration
}

pub fn refers(id: &str, day: u32, blob: BlobId) -> Value {
    let reference = json!({"blob_id": blob, "mime_type": "text/plain", "filename": "a.txt"});
    message(
        id,
        json!({"sent_at": format!("2026-02-{day:02}"), "subject": "s", "blob_ref": reference}),
    )
}

pub async fn upload(world: &World, bytes: &[u8]) -> BlobId {
    let mut blob = world.engine.new_blob(&world.auth.local_owner()).await.unwrap();
    for part in bytes.chunks(7) {
        blob.write(part.to_vec()).await.unwrap();
    }
    blob.keep(None, "text/plain".to_owned()).await.unwrap().blob_id
}

async fn read(reader: &GrantedReader, blob: BlobId) -> Result<BlobPiece, ApiError> {
    let request =
        BlobRequest { blob_id: blob, connection_id: None, offset_bytes: 0, max_bytes: 1_000 };
    reader.blob(request).await
}

/// Files of blobs and of uploads.
pub fn files(world: &World) -> usize {
    let folders = std::fs::read_dir(world.dir.path().join("blobs"));
    let folders = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    folders.map(|folder| std::fs::read_dir(folder).unwrap().count()).sum()
}

#[tokio::test]
async fn a_blob_is_seen_through_a_granted_record_and_not_otherwise() {
    let world = World::new(81).await;
    let blob = upload(&world, b"the bytes").await;
    let lines = [refers("old", 1, blob), refers("new", 20, blob)];
    assert_eq!(world.import("work-mail", &attached(), &lines).await.rejected, 0);
    world.import("home-mail", &attached(), &[]).await;
    let unknown = BlobId([7; 32]);
    let wide = world.reader(&["work-mail"]).await;
    let told = serde_json::to_string(&read(&wide, unknown).await.unwrap_err()).unwrap();
    assert!(told.contains("blob_not_found"), "{told}");
    for (allow, seen) in [
        ("work-mail", true),
        ("work-mail/messages:id,blob_ref", true),
        ("work-mail/messages:id,blob_ref@2026-02-10..", true),
        ("work-mail/messages:id,blob_ref@2026-02-21..", false),
        ("work-mail/messages:id,subject,sent_at", false),
        ("work-mail/threads", false),
        ("home-mail", false),
    ] {
        let reader = world.reader(&[allow]).await;
        match read(&reader, blob).await {
            Ok(piece) => {
                assert!(seen, "{allow}");
                assert_eq!((piece.bytes.as_slice(), piece.size_bytes), (&b"the bytes"[..], 9));
                assert_eq!(piece.mime_type.as_deref(), Some("text/plain"));
                assert_eq!(piece.filename.as_deref(), Some("a.txt"));
            }
            Err(error) => {
                assert!(!seen, "{allow}");
                assert_eq!(serde_json::to_string(&error).unwrap(), told, "{allow}");
            }
        }
    }
}

#[tokio::test]
async fn codes_and_lists_of_references_count_and_records_say_where_bytes_are() {
    let world = World::new(82).await;
    let (plain, coded) = (upload(&world, b"plain").await, upload(&world, b"coded").await);
    let reference = |blob: BlobId| json!({"blob_id": blob});
    let lines = [
        message("a", json!({"files": [{"other": 1}, reference(plain)], "subject": "s"})),
        message(
            "b",
            json!({"subject": "Your verification code is 482913", "files": [reference(coded)]}),
        ),
    ];
    world.import("work-mail", &attached(), &lines).await;
    let reader = world.reader_leaving_out(&["work-mail"], true).await;
    assert_eq!(read(&reader, plain).await.unwrap().bytes, b"plain");
    assert_eq!(read(&reader, coded).await.unwrap_err().code, ErrorCode::BlobNotFound);
    let page = reader.list(ListRequest::new(StreamName::new("messages").unwrap())).await.unwrap();
    let data = serde_json::to_value(page.data[0].data.as_ref().unwrap()).unwrap();
    let url = format!("/v1/blobs/{plain}");
    assert_eq!(data["files"], json!([{"other": 1}, {"blob_id": plain, "fetch_url": url}]));
}

#[tokio::test]
async fn a_blob_goes_with_its_last_reference() {
    let world = World::new(83).await;
    let (one, two) = (upload(&world, b"one").await, upload(&world, b"two").await);
    assert_eq!(upload(&world, b"one").await, one, "the same bytes are the same blob");
    assert_eq!(files(&world), 2);
    let lines = [refers("a", 1, one), refers("b", 2, one), refers("c", 3, two)];
    world.import("work-mail", &attached(), &lines).await;
    world.import("home-mail", &attached(), &[refers("a", 1, two)]).await;
    let reader = world.reader(&["work-mail", "home-mail"]).await;
    let owner = world.auth.local_owner();
    let delete = async |name: &str, id: &str| {
        let stream = StreamName::new("messages").unwrap();
        let id = id.parse().unwrap();
        world.engine.delete_record(&owner, &connection_id(name), &stream, &id).await.unwrap();
    };
    delete("work-mail", "a").await;
    assert!(read(&reader, one).await.is_ok(), "another record still refers to it");
    // A record that refers to something else now, by an ordinary write.
    world.import("work-mail", &attached(), &[refers("b", 2, two)]).await;
    assert_eq!(read(&reader, one).await.unwrap_err().code, ErrorCode::BlobNotFound);
    assert_eq!(files(&world), 1);
    world
        .store
        .remove_connection(&connection_id("work-mail"), jiff::Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    assert!(read(&reader, two).await.is_ok(), "the other connection still refers to it");
    delete("home-mail", "a").await;
    assert_eq!(files(&world), 0);
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn what_a_killed_import_left_goes_at_once_and_what_a_living_one_brings_stays() {
    let world = World::new(85).await;
    let blobs = world.dir.path().join("blobs");
    let kept = upload(&world, b"kept").await;
    world.import("work-mail", &attached(), &[refers("a", 1, kept)]).await;
    let (left, waiting) = (upload(&world, b"left").await, upload(&world, b"waiting").await);
    let living = world.store.begin_arrivals().await.unwrap();
    let (both, brought) = (upload(&world, b"both").await, upload(&world, b"brought").await);
    let mut growing = world.engine.new_blob(&world.auth.local_owner()).await.unwrap();
    growing.write(b"half".to_vec()).await.unwrap();
    let list = [kept, left, both].map(|blob| blob.hex() + "\n").concat();
    std::fs::write(blobs.join("uploads/1-1.list"), list).unwrap();
    std::fs::write(blobs.join("uploads/1-2"), b"half").unwrap();
    std::fs::create_dir_all(blobs.join("ab")).unwrap();
    std::fs::write(blobs.join("ab").join("0".repeat(62)), b"stray").unwrap();

    let report = world.store.verify().await.unwrap();
    assert_eq!((report.strays, report.faults), (1, Vec::new()));
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let early = at("2026-11-15T11:00:00Z");
    assert_eq!(world.store.collect_blobs(early).await.unwrap(), 3, "left, half and stray");
    let report = world.store.verify().await.unwrap();
    assert_eq!((report.blobs, report.strays, report.faults), (4, 0, Vec::new()));
    growing.keep(None, String::new()).await.unwrap();
    // Later the upload that waits has waited too long; what the living import holds stays.
    assert_eq!(world.store.collect_blobs(at("2026-11-15T13:00:00Z")).await.unwrap(), 1);
    world.import("work-mail", &attached(), &[refers("b", 1, both), refers("c", 1, brought)]).await;
    drop(living);
    let _ = (left, waiting);
    assert_eq!(world.store.verify().await.unwrap().blobs, 4, "kept, both, brought, growing");
}

#[tokio::test]
async fn what_nobody_refers_to_is_collected_and_a_full_check_reads_every_byte() {
    let world = World::new(84).await;
    let (kept, stray) = (upload(&world, b"kept").await, upload(&world, b"stray").await);
    world.import("work-mail", &attached(), &[refers("a", 1, kept)]).await;
    let mut broken_off = world.engine.new_blob(&world.auth.local_owner()).await.unwrap();
    broken_off.write(b"half".to_vec()).await.unwrap();
    assert_eq!(files(&world), 3);
    drop(broken_off);
    assert_eq!(files(&world), 2, "an upload that broke off leaves nothing");
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    assert_eq!(
        world.store.collect_blobs(at("2026-11-15T11:00:00Z")).await.unwrap(),
        0,
        "too young"
    );
    assert_eq!(world.store.collect_blobs(at("2026-11-15T13:00:00Z")).await.unwrap(), 1);
    assert_eq!(files(&world), 1);
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());

    let hex = kept.hex();
    let (folder, name) = hex.split_at(2);
    let path = world.dir.path().join("blobs").join(folder).join(name);
    std::fs::write(&path, b"evil").unwrap();
    let faults = world.store.verify().await.unwrap().faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
    std::fs::remove_file(&path).unwrap();
    let faults = world.store.verify().await.unwrap().faults;
    assert_eq!(faults, [format!("{kept}: the file is missing")]);
    let _ = stray;
}

#[tokio::test]
async fn bytes_that_are_not_what_was_announced_are_not_kept() {
    let world = World::new(85).await;
    let mut blob = world.engine.new_blob(&world.auth.local_owner()).await.unwrap();
    blob.write(b"bytes".to_vec()).await.unwrap();
    let error = blob.keep(Some(BlobId([1; 32])), "text/plain".to_owned()).await.unwrap_err();
    assert_eq!((error.code, error.param.as_deref()), (ErrorCode::InvalidArgument, Some("sha256")));
    assert_eq!(files(&world), 0);
}
