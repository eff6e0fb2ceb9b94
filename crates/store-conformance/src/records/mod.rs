//! Single records: what comes back, under which key, in which order, for which scope.

mod filters;
mod scopes;
mod sorting;
mod times;

use std::sync::Arc;

use pdpp_contract::Json;
use pdpp_contract::record::TextKind;

use super::sample::{Account, field_name, found, object, one};
use super::{Ask, CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::hashing::TextDigest;
use pdpp_store::scope::ReadScope;

pub(super) const CASES: CaseTable = cases![
    a_record_comes_back_as_it_was_written,
    an_unknown_record_connection_or_stream_is_absent,
    compound_keys_are_found_and_ordered_part_by_part,
    a_key_that_looks_like_an_array_stays_plain,
    odd_and_longest_keys_are_kept,
    a_key_in_two_connections_is_found_in_both,
    long_fields_come_as_beginnings,
    only_the_asked_fields_come,
    members_that_cannot_be_fields_do_no_harm,
    filters::an_exact_filter_finds_the_value_of_a_typed_field,
    filters::an_exact_filter_needs_no_typed_copy,
    filters::an_exact_filter_sees_a_long_field_whole,
    filters::an_exact_filter_tells_long_strings_apart,
    filters::spellings_of_one_number_are_equal,
    filters::big_numbers_filter_exactly,
    filters::every_range_operator_keeps_its_edge,
    filters::a_record_without_a_value_fulfils_no_condition,
    filters::equal_times_are_equal_instants,
    filters::a_filter_compares_values_of_its_own_kind,
    filters::a_container_does_not_equal_its_text,
    filters::conditions_add_up,
    sorting::offsets_sort_as_instants,
    sorting::dates_stand_beside_date_times,
    sorting::big_numbers_and_decimals_sort_by_value,
    sorting::long_strings_sort_by_their_beginning_then_by_key,
    sorting::missing_values_come_last_in_both_directions,
    sorting::without_an_order_field_the_key_orders,
    sorting::a_field_without_a_typed_copy_orders_nothing,
    scopes::only_the_fields_of_the_scope_exist,
    scopes::only_the_records_of_the_scope_exist,
    scopes::records_with_codes_can_be_left_out,
    scopes::an_empty_scope_shows_nothing,
    scopes::a_scope_shows_no_other_connection_or_stream,
    scopes::limits_add_up,
    times::a_time_limit_includes_its_beginning_and_excludes_its_end,
    times::missing_and_unreadable_times_lie_outside,
    times::a_time_limit_needs_no_format,
    times::a_frozen_time_field_needs_no_typed_copy,
    times::a_hidden_time_field_still_limits,
    times::a_time_limit_sees_a_field_that_lives_outside,
];

async fn a_record_comes_back_as_it_was_written(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let text = r#"{"amount":1.10,"count":123456789012345678901234567890,"done":true,"id":"n1",
        "parts":{"b":[1,{"c":null}],"a":"\u0000 \ud83d\ude00 é"},"rate":1e-400,"tags":[],"title":""}"#;
    account.put("notes", &[text]).await;
    let records = found(&store, &account.scope("notes"), "n1").await.unwrap();
    let record = &records[0];
    assert_eq!(Json::Object(record.data.clone()), Json::Object(object(text)));
    assert_eq!(
        Json::Object(record.data.clone()).to_canonical(),
        Json::parse(text).unwrap().to_canonical()
    );
    assert_eq!((record.connection.as_str(), record.stream.as_str()), ("cin_a", "notes"));
    assert_eq!(record.emitted_at, super::sample::EMITTED);
    assert_eq!(record.id.as_str(), "n1");
    assert!(record.long.is_empty());
}

async fn an_unknown_record_connection_or_stream_is_absent(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &[r#"{"id":"n1"}"#]).await;
    assert!(found(&store, &account.scope("notes"), "n2").await.unwrap().is_empty());
    let mut elsewhere = account.all("notes");
    elsewhere.stream = super::sample::stream_name("nowhere");
    let mut nobody = account.all("notes");
    nobody.connection = pdpp_contract::ConnectionId::new("cin_nobody").unwrap();
    for collection in [elsewhere, nobody] {
        let scope = one(collection);
        assert!(found(&store, &scope, "n1").await.unwrap().is_empty());
        assert!(Ask::by("at").ids(&store, &scope).await.is_empty());
        assert_eq!(Ask::by("at").count(&store, &scope).await, 0);
        assert!(store.collection_stats(&scope).await.unwrap().is_empty());
    }
}

async fn compound_keys_are_found_and_ordered_part_by_part(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let pair = |user: &str, day: &str| format!(r#"{{"user":"{user}","day":"{day}","note":"x"}}"#);
    account.put("pairs", &[pair("ab", "1"), pair("a", "9"), pair("a", "10"), pair("a", "")]).await;
    let expected = [r#"["a",""]"#, r#"["a","10"]"#, r#"["a","9"]"#, r#"["ab","1"]"#];
    Ask::by_key().gives(&store, &account.scope("pairs"), &expected).await;
    let sloppy = found(&store, &account.scope("pairs"), r#"["a", "9"]"#).await.unwrap();
    assert!(sloppy.is_empty(), "only the canonical spelling names a record");
}

async fn a_key_that_looks_like_an_array_stays_plain(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let records = [r#"{"id":"[\"a\",\"b\"]"}"#, r#"{"id":"[\"a\"]"}"#, r#"{"id":"[]"}"#];
    account.put("notes", &records).await;
    let expected = [r#"["a","b"]"#, r#"["a"]"#, "[]"];
    Ask::by_key().gives(&store, &account.scope("notes"), &expected).await;
}

async fn odd_and_longest_keys_are_kept(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let longest = "k".repeat(512);
    let widest = "😀".repeat(128);
    let mut keys = vec![
        " ",
        "..",
        "a/b\\c",
        "a b",
        "line\nbreak",
        "\u{1}",
        "\"quoted\"",
        "é",
        "e\u{301}",
        "%00",
        "'; DROP TABLE records; --",
        "\u{202e}rtl",
        "日本",
        &longest,
        &widest,
    ];
    let record =
        |key: &&str| Json::Object([("id".to_owned(), Json::String((*key).to_owned()))].into());
    let records: Vec<String> = keys.iter().map(record).map(|json| json.to_canonical()).collect();
    account.put("notes", &records).await;
    keys.sort_unstable();
    let scope = account.scope("notes");
    Ask::by_key().gives(&store, &scope, &keys).await;
    keys.reverse();
    Ask::by_key().descending().gives(&store, &scope, &keys).await;
}

async fn a_key_in_two_connections_is_found_in_both(store: Arc<dyn Store>) {
    let (b, a) = (Account::open(&store, "b").await, Account::open(&store, "a").await);
    b.put("notes", &[r#"{"id":"n1","title":"of b"}"#]).await;
    a.put("notes", &[r#"{"id":"n1","title":"of a"}"#]).await;
    let scope = ReadScope::new(vec![b.all("notes"), a.all("notes")]);
    let records = found(&store, &scope, "n1").await.unwrap();
    let seen: Vec<_> = records.iter().map(|r| (r.connection.as_str(), r.collection)).collect();
    assert_eq!(
        seen,
        [("cin_a", 1), ("cin_b", 0)],
        "by connection id, with their place in the scope"
    );
    assert_ne!(records[0].record_no, records[1].record_no);
}

async fn long_fields_come_as_beginnings(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = "é😀x".repeat(5_000);
    let tags = format!("[{}]", vec!["\"tag\""; 3_000].join(","));
    account
        .put("notes", &[format!(r#"{{"id":"n1","title":"t","body":"{body}","tags":{tags}}}"#)])
        .await;
    let scope = account.scope("notes");
    let id = super::sample::record_id("n1");
    let record = &store.find_records(&scope, &id, 7).await.unwrap()[0];
    assert_eq!(record.data.keys().collect::<Vec<_>>(), ["id", "title"]);
    let [of_body, of_tags] = record.long.as_slice() else { panic!("two long fields: {record:?}") };
    assert_eq!((of_body.field.as_str(), of_body.kind), ("body", TextKind::String));
    assert_eq!((of_body.chars, of_body.bytes), (15_000, 35_000));
    assert_eq!(of_body.digest, TextDigest::of(&body));
    assert_eq!(of_body.preview, "é😀xé😀xé");
    assert_eq!((of_tags.field.as_str(), of_tags.kind), ("tags", TextKind::Json));
    assert_eq!((of_tags.chars, of_tags.digest), (tags.len() as u64, TextDigest::of(&tags)));
    assert_eq!(of_tags.preview, "[\"tag\",");
    let none = &store.find_records(&scope, &id, 0).await.unwrap()[0];
    assert_eq!(none.long[0].preview, "");
}

async fn only_the_asked_fields_come(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = "x".repeat(9_000);
    account
        .put("notes", &[format!(r#"{{"id":"n1","title":"t","kind":"k","body":"{body}"}}"#)])
        .await;
    let mut collection = account.all("notes");
    collection.fields = super::sample::fields(&["id", "title", "body"]);
    let scope = one(collection);
    let mut query = Ask::by("at").query(&scope, None);
    query.fields = Some(vec![field_name("title"), field_name("kind"), field_name("nothing")]);
    let page = store.list_records(&scope, query).await.unwrap().unwrap();
    let record = &page.records[0];
    assert_eq!(record.data.keys().collect::<Vec<_>>(), ["title"], "asking never widens the scope");
    assert!(record.long.is_empty());
}

async fn members_that_cannot_be_fields_do_no_harm(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (long, wide) = ("y".repeat(9_000), "w".repeat(300));
    let tildes = "~/".repeat(64);
    let names = ["", wide.as_str(), "control\u{7}", tildes.as_str()];
    let member = |(at, name): (usize, &&str)| {
        let value = if at == 1 { "short".to_owned() } else { long.clone() };
        ((*name).to_owned(), Json::String(value))
    };
    let mut data: pdpp_contract::JsonObject = names.iter().enumerate().map(member).collect();
    data.insert("id".to_owned(), Json::String("n1".to_owned()));
    account.put("notes", &[Json::Object(data).to_canonical()]).await;
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["n1"]).await;
    let record = &found(&store, &scope, "n1").await.unwrap()[0];
    assert_eq!(record.data.keys().collect::<Vec<_>>(), ["id"]);
    let mut changed = super::sample::sample();
    changed.streams[0].query.range_filters.clear();
    let account = Account::declared(&store, "a", changed).await;
    Ask::by("at").gives(&store, &account.scope("notes"), &["n1"]).await;
}
