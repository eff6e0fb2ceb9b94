//! Changes: what a follower receives, what stays hidden, and what bookmarks tell.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordPage, Sort};
use pdpp_contract::{ErrorCode, FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::mirror::{Mirror, listed};
use crate::world::{World, mail, message};

const QUARTER: &str = "work-mail/messages:id,sent_at,subject@2026-01-01..2026-04-01";

fn messages() -> ListRequest {
    ListRequest::new(StreamName::new("messages").unwrap())
}

fn since(bookmark: &str) -> ListRequest {
    let mut request = messages();
    request.changes_since = Some(bookmark.to_owned());
    request
}

fn note(id: &str, day: &str, subject: &str, body: &str) -> Value {
    message(id, json!({"sent_at": day, "subject": subject, "body": body, "size": 1}))
}

fn deleted(id: &str) -> Value {
    json!({"type": "RECORD", "stream": "messages", "key": id, "op": "delete",
           "emitted_at": "2026-11-02T00:00:00Z"})
}

async fn write(world: &World, lines: &[Value]) {
    let report = world.import("work-mail", &mail(), lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
}

/// The changes since a bookmark in short, and the next bookmark.
async fn changes(reader: &GrantedReader, bookmark: &str) -> (Vec<String>, String) {
    let page = reader.list(since(bookmark)).await.unwrap();
    let short = |record: &pdpp_contract::record::Record| match &record.data {
        Some(data) => {
            let subject = data.get("subject").and_then(|value| value.as_str()).unwrap_or("?");
            format!("{}={subject}", record.id)
        }
        None => format!("{} gone", record.id),
    };
    assert!(!page.has_more);
    (page.data.iter().map(short).collect(), page.next_changes_since.unwrap())
}

#[tokio::test]
async fn each_kind_of_change_shows_as_what_it_is() {
    let world = World::new(31).await;
    let names = ["a", "b", "c", "d", "e"];
    let lines: Vec<_> = names.iter().map(|id| note(id, "2026-02-01", "s", "-")).collect();
    write(&world, &lines).await;
    write(&world, &[note("out", "2026-05-01", "s", "-")]).await;
    let reader = world.reader_leaving_out(&[QUARTER], true).await;
    let before = reader.list(messages()).await.unwrap();
    let (all, bookmark) = changes(&reader, "beginning").await;
    assert_eq!(all, ["a=s", "b=s", "c=s", "d=s", "e=s"]);

    write(&world, &[note("a", "2026-02-01", "s", "hidden"), note("out", "2026-05-02", "t", "-")])
        .await;
    assert_eq!(changes(&reader, &bookmark).await, (vec![], bookmark.clone()));

    let lines = [
        deleted("b"),
        note("c", "2026-05-01", "s", "moved out"),
        note("d", "2026-02-01", "Your verification code is 482913", "-"),
        note("e", "2026-02-01", "other", "-"),
        note("f", "2026-02-01", "new", "-"),
        note("g", "2026-02-01", "short-lived", "-"),
        deleted("g"),
        note("out", "2026-03-01", "moved in", "-"),
        deleted("never"),
    ];
    write(&world, &lines).await;
    let (shown, later) = changes(&reader, &bookmark).await;
    let expected = ["b gone", "c gone", "d gone", "e=other", "f=new", "out=moved in"];
    assert_eq!(shown, expected);
    assert_eq!(changes(&reader, &later).await, (vec![], later.clone()));
    // The old bookmark still stands for what it stood for.
    assert_eq!(changes(&reader, &bookmark).await.0, expected);
    let page = reader.list(since(&bookmark)).await.unwrap();
    let number = |page: &RecordPage, id: &str| {
        let known = page.data.iter().find(|record| record.id.as_str() == id).unwrap();
        known.number.unwrap()
    };
    for id in ["b", "c", "d"] {
        assert_eq!(number(&page, id), number(&before, id), "{id} is named as it was");
    }
    let tombstone = serde_json::to_value(&page.data[0]).unwrap();
    assert_eq!(
        tombstone,
        json!({"object": "record", "id": "b", "stream": "messages", "deleted": true,
               "deleted_at": "2026-11-02T00:00:00Z", "emitted_at": "2026-11-02T00:00:00Z",
               "connection_id": "cin_workmail"})
    );
}

#[tokio::test]
async fn one_bookmark_stands_for_all_connections() {
    let world = World::new(32).await;
    for name in ["work-mail", "home-mail", "work-mail"] {
        let id = format!("m{}", world.store.newest_change().await.unwrap());
        world.import(name, &mail(), &[note(&id, "2026-02-01", "s", "-")]).await;
    }
    let reader = world.reader(&["work-mail/messages", "home-mail/messages"]).await;
    let (all, bookmark) = changes(&reader, "beginning").await;
    assert_eq!(all, ["m0=s", "m1=s", "m2=s"], "in the order they happened");
    for (name, id) in [("home-mail", "m1"), ("work-mail", "m0"), ("home-mail", "m9")] {
        world.import(name, &mail(), &[note(id, "2026-02-01", "t", "-")]).await;
    }
    assert_eq!(changes(&reader, &bookmark).await.0, ["m1=t", "m0=t", "m9=t"]);
}

#[tokio::test]
async fn a_record_that_stops_matching_leaves_and_other_fields_stay_silent() {
    let world = World::new(33).await;
    write(&world, &[note("a", "2026-02-01", "x", "-"), note("b", "2026-02-01", "y", "-")]).await;
    let reader = world.reader(&["work-mail"]).await;
    let field = |name: &str| FieldName::new(name).unwrap();
    let exact = |name: &str, value: &str| Filter {
        field: field(name),
        test: FilterTest::Equals(value.to_owned()),
    };
    let mut question = messages();
    question.fields = Some(vec![field("id"), field("size")]);
    question.filter = vec![exact("subject", "x")];
    let mut mirror = Mirror::new(question.clone());
    assert_eq!(mirror.follow(&reader).await, 1);
    for (line, expected) in [
        (note("a", "2026-02-01", "x", "not asked for"), 0),
        (note("b", "2026-02-01", "z", "-"), 0),
        (note("b", "2026-02-01", "x", "-"), 1),
        (note("a", "2026-02-01", "y", "-"), 1),
        (note("a", "2026-02-01", "z", "-"), 0),
        (deleted("a"), 0),
        (deleted("b"), 1),
    ] {
        write(&world, std::slice::from_ref(&line)).await;
        assert_eq!(mirror.follow(&reader).await, expected, "{line}");
        assert_eq!(mirror.copy, listed(&reader, &question).await, "{line}");
    }
    // A condition that old hashes cannot decide loses nothing either.
    let mut question = messages();
    question.filter = vec![Filter {
        field: field("size"),
        test: FilterTest::Range(pdpp_contract::declaration::RangeOperator::Gte, "5".to_owned()),
    }];
    let mut mirror = Mirror::new(question.clone());
    for size in [4, 5, 6, 3, 2, 7] {
        let data = json!({"sent_at": "2026-02-01", "subject": "s", "size": size});
        write(&world, &[message("n", data)]).await;
        mirror.follow(&reader).await;
        assert_eq!(mirror.copy, listed(&reader, &question).await, "size {size}");
    }
}

#[tokio::test]
async fn hidden_changes_move_neither_bookmarks_nor_cursors_nor_order() {
    let world = World::new(34).await;
    let lines: Vec<_> = (1..=6).map(|n| note(&format!("m{n}"), "2026-02-01", "s", "-")).collect();
    write(&world, &lines).await;
    let reader = world.reader(&[QUARTER]).await;
    let mut request = since("beginning");
    request.limit = Some(2);
    let look = async || {
        let first = reader.list(request.clone()).await.unwrap();
        let all = changes(&reader, "beginning").await;
        serde_json::to_string(&(first, all)).unwrap()
    };
    let before = look().await;
    let hidden: Vec<_> = [2, 1, 6]
        .iter()
        .map(|n| note(&format!("m{n}"), "2026-02-01", "s", "changed"))
        .chain([note("out", "2027-01-01", "s", "-"), deleted("out")])
        .collect();
    write(&world, &hidden).await;
    world.import("home-mail", &mail(), &hidden).await;
    assert_eq!(look().await, before, "equal to the last byte of every bookmark");
}

#[tokio::test]
async fn pages_of_a_session_end_at_its_horizon() {
    let world = World::new(35).await;
    let lines: Vec<_> = (1..=6).map(|n| note(&format!("m{n}"), "2026-02-01", "s", "-")).collect();
    write(&world, &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    let mut mirror = Mirror::new(ListRequest { limit: Some(2), ..messages() });
    let first = reader.list(mirror.start()).await.unwrap();
    let next = mirror.take(&first).unwrap();
    // One already delivered, one still to come, one new, one to come that goes away.
    let lines = [
        note("m1", "2026-02-01", "t", "-"),
        note("m4", "2026-02-01", "t", "-"),
        note("m9", "2026-02-01", "t", "-"),
        deleted("m5"),
    ];
    write(&world, &lines).await;
    let second = reader.list(next).await.unwrap();
    let ids: Vec<_> = second.data.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["m3", "m6"], "nothing from beyond the horizon");
    assert!(mirror.take(&second).is_none());
    assert_eq!(mirror.follow(&reader).await, 4);
    assert_eq!(mirror.copy, listed(&reader, &messages()).await);
}

#[tokio::test]
async fn bookmarks_and_cursors_belong_to_their_question() {
    let world = World::new(36).await;
    let lines: Vec<_> = (1..=9).map(|n| note(&format!("m{n}"), "2026-02-01", "s", "-")).collect();
    write(&world, &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    let (_, bookmark) = changes(&reader, "beginning").await;
    let paged = |request: ListRequest| ListRequest { limit: Some(3), ..request };
    let cursor = reader.list(paged(since("beginning"))).await.unwrap().next_cursor.unwrap();
    let list_cursor = reader.list(paged(messages())).await.unwrap().next_cursor.unwrap();
    let with_cursor = |cursor: &str| ListRequest { cursor: Some(cursor.to_owned()), ..messages() };

    let page = reader.list(with_cursor(&cursor)).await.unwrap();
    let next = page.links.next.clone().flatten();
    assert!(next.is_none_or(|next| next.contains("cursor=") && !next.contains("changes_since")));
    let both = ListRequest { cursor: Some(cursor.clone()), ..since("beginning") };
    assert!(reader.list(both).await.is_ok(), "they agree");

    let narrower = world.reader(&["work-mail/messages:id,subject"]).await;
    let size = FieldName::new("size").unwrap();
    let filter = vec![Filter { field: size.clone(), test: FilterTest::Equals("1".to_owned()) }];
    let fields = Some(vec![size]);
    for (reader, request, param) in [
        (&reader, since(&cursor), "changes_since"),
        (&reader, since(&list_cursor), "changes_since"),
        (&reader, since("nonsense"), "changes_since"),
        (&reader, with_cursor(&bookmark), "cursor"),
        (&reader, ListRequest { cursor: Some(list_cursor), ..since("beginning") }, "cursor"),
        (&reader, ListRequest { cursor: Some(cursor), ..since(&bookmark) }, "cursor"),
        (&reader, ListRequest { filter, ..since(&bookmark) }, "changes_since"),
        (&reader, ListRequest { fields, ..since(&bookmark) }, "changes_since"),
        (&narrower, since(&bookmark), "changes_since"),
    ] {
        let error = reader.list(request.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidCursor, "{request:?}");
        assert_eq!(error.param.as_deref(), Some(param), "{request:?}");
    }
    let sort = |field: Option<&str>| {
        let field = field.map(|name| FieldName::new(name).unwrap());
        Some(Sort { field, descending: true })
    };
    for (request, param) in [
        (ListRequest { sort: sort(None), ..since("beginning") }, "order"),
        (ListRequest { sort: sort(Some("size")), ..since("beginning") }, "sort"),
        (ListRequest { count: CountKind::Exact, ..since("beginning") }, "count"),
    ] {
        let error = reader.list(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest);
        assert_eq!(error.param.as_deref(), Some(param));
    }
}

#[tokio::test]
async fn pruning_expires_a_bookmark_only_if_it_took_something_visible() {
    let world = World::new(37).await;
    write(&world, &[note("a", "2026-02-01", "s", "-"), note("out", "2026-05-01", "s", "-")]).await;
    let narrow = world.reader(&[QUARTER]).await;
    let wide = world.reader(&["work-mail"]).await;
    let (_, narrow_mark) = changes(&narrow, "beginning").await;
    let (_, wide_mark) = changes(&wide, "beginning").await;
    // The body changes, and everything about a record outside the quarter; the grant sees neither.
    for body in ["1", "2", "3"] {
        write(&world, &[note("a", "2026-02-01", "s", body)]).await;
        write(&world, &[note("out", "2026-05-01", body, body)]).await;
    }
    write(&world, &[deleted("out")]).await;
    let newest = world.store.newest_change().await.unwrap();
    assert!(world.store.prune_versions(newest).await.unwrap() > 0);
    assert_eq!(world.store.prune_versions(newest).await.unwrap(), 0, "a second time, nothing");
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
    assert_eq!(changes(&narrow, &narrow_mark).await, (vec![], narrow_mark.clone()));
    let error = wide.list(since(&wide_mark)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::CursorExpired);
    assert_eq!((error.code.status(), error.param.as_deref()), (410, Some("changes_since")));
    assert_eq!(changes(&wide, "beginning").await.0, ["a=s"]);
    // What is visible changes, twice, and the log forgets the first time.
    for subject in ["t", "u"] {
        write(&world, &[note("a", "2026-02-01", subject, "3")]).await;
    }
    assert_eq!(changes(&narrow, &narrow_mark).await.0, ["a=u"]);
    let newest = world.store.newest_change().await.unwrap();
    world.store.prune_versions(newest).await.unwrap();
    let error = narrow.list(since(&narrow_mark)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::CursorExpired);
    assert_eq!(changes(&narrow, "beginning").await.0, ["a=u"]);
}
