//! Damage: each kind of it is found by the full check, and what is broken is said to be broken.

use std::sync::Arc;

use pdpp_contract::declaration::SourceDeclaration;
use pdpp_contract::key::RecordKey;
use pdpp_contract::ports::Entropy;
use pdpp_contract::{AccessMode, ConnectionId, ConnectionName, Json};

use crate::access::grants::{GrantStore, NewGrant, NewPackage};
use crate::access::tokens::{NewToken, TokenHash};
use crate::maintenance::Maintenance;
use crate::records::connections::{ConnectionStore, NewConnection};
use crate::sqlite::Backend;
use crate::sqlite::errors::from_driver;
use crate::writes::prepare::{Classification, RecordWrite, StreamShape, prepare};
use crate::writes::{RecordWriter, WriteMode};
use crate::{StoreError, StoreOptions};
use pdpp_contract::access::AuditEvent;

/// What is done to a store, and a word of the fault that must be found.
const DAMAGE: &[(&str, &str)] = &[
    ("UPDATE records SET emitted_at = '2020-01-01T00:00:00Z' WHERE record_no = 1", "newest version"),
    ("UPDATE versions SET emitted_at = '2020-01-01T00:00:00Z'", "newest version"),
    ("UPDATE records SET flags = flags + 1 WHERE record_no = 1", "typed copy"),
    ("UPDATE versions SET flags = flags + 1 WHERE record_no = 1", "newest version"),
    ("UPDATE projection_1 SET flags = flags + 1 WHERE record_no = 1", "typed copy"),
    ("UPDATE records SET flags = flags | 64; UPDATE versions SET flags = flags | 64 WHERE deleted = 0;
      UPDATE projection_1 SET flags = flags | 64", "unknown marks"),
    ("UPDATE records SET flags = 0; UPDATE projection_1 SET flags = 0; UPDATE versions SET flags = 0",
     "mark for long texts"),
    ("UPDATE records SET flags = 0; UPDATE projection_1 SET flags = 0; UPDATE versions SET flags = 0",
     "revised records"),
    ("UPDATE record_keys SET key_order = x'3132' WHERE record_no = 1", "typed copy"),
    ("UPDATE projection_1 SET key_order = x'3132' WHERE record_no = 1", "typed copy"),
    ("UPDATE versions SET time_key = zeroblob(13) WHERE record_no = 1", "newest version"),
    ("UPDATE versions SET time_key = x'00' WHERE record_no = 1", "wrong form"),
    ("UPDATE versions SET time_key = NULL WHERE record_no = 1", "newest version"),
    ("UPDATE versions SET deleted = 1 WHERE record_no = 2", "newest version"),
    ("UPDATE versions SET deleted = 0 WHERE record_no = 3", "keys that lost their record"),
    ("DELETE FROM records WHERE record_no = 1", "keys that lost their record"),
    ("UPDATE records SET collection_no = 77 WHERE record_no = 1", "another stream"),
    ("UPDATE records SET json = replace(json, 'first', 'worst')", "newest version"),
    ("UPDATE records SET json = x'ff00' WHERE record_no = 1", "Blob"),
    ("UPDATE declarations SET json = replace(json, 'amount', 'anount')", "declaration"),
    ("UPDATE grants SET grant_json = 'x'", "grant grt_1 cannot be read"),
    ("UPDATE grants SET grant_json = '{\"streams\":[]}'", "grant grt_1 cannot be read"),
    ("UPDATE grants SET package_no = 99", "without a package"),
    ("UPDATE grants SET connection_id = 'a/b'", "grants.connection_id"),
    ("UPDATE packages SET expires_at = 'zzz'", "packages.expires_at"),
    ("UPDATE packages SET client = ''", "packages.client"),
    ("UPDATE tokens SET fingerprint = '0123456789ab'", "token 0123456789ab"),
    ("UPDATE tokens SET created_at = 'zzz'", "differs from what was issued"),
    ("UPDATE tokens SET package_no = 99", "differs from what was issued"),
    ("DELETE FROM change_counter", "counts"),
    ("DROP TABLE search_rows", "search index: no such table"),
    ("DROP TABLE packages", "grants and tokens: no such table"),
];

struct Sevens;

impl Entropy for Sevens {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// A store with a revised record, one with a long text, a deleted one, and a grant.
async fn store(directory: &tempfile::TempDir) -> Backend {
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(Sevens));
    let store = Backend::open(options).await.unwrap();
    let sample = include_str!("../../../../store-conformance/src/sample.json");
    let declaration = SourceDeclaration::parse(sample).unwrap();
    let shape = StreamShape::new(&declaration, declaration.stream("notes").unwrap());
    let id = ConnectionId::new("cin_a").unwrap();
    let new = NewConnection {
        id: id.clone(),
        name: ConnectionName::new("a").unwrap(),
        display_name: None,
        declaration,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    store.ensure_connection(new).await.unwrap();
    let long = format!(r#"{{"id":"2","body":"{}"}}"#, "long ".repeat(3_000));
    for (key, json) in [
        ("1", Some(r#"{"id":"1","at":"2026-01-01","title":"draft"}"#)),
        ("1", Some(r#"{"id":"1","at":"2026-01-02","title":"first"}"#)),
        ("2", Some(long.as_str())),
        ("3", Some(r#"{"id":"3","at":"2026-01-03"}"#)),
        ("3", None),
    ] {
        let key = RecordKey::new(vec![key.to_owned()]).unwrap();
        let data = json.map(|json| match Json::parse(json) {
            Ok(Json::Object(data)) => data,
            other => panic!("{other:?}"),
        });
        let write = RecordWrite {
            id: key.id().unwrap(),
            key_order: key.sort_bytes(),
            emitted_at: "2026-04-01T12:00:00Z".to_owned(),
            data,
            carries: Classification::default(),
        };
        let batch = vec![prepare(&shape, &store.secrets.hashing, write)];
        store.write_records(&id, batch, WriteMode::KeepGood).await.unwrap().unwrap();
    }
    let now = jiff::Timestamp::UNIX_EPOCH;
    let package = NewPackage {
        package_id: "pkg_1".parse().unwrap(),
        client: "claude".parse().unwrap(),
        access_mode: AccessMode::Continuous,
        created_at: now,
        expires_at: Some(now),
        grants: vec![NewGrant {
            grant_id: "grt_1".parse().unwrap(),
            connection_id: id,
            grant_json: r#"{"streams":[{"name":"notes"}]}"#.to_owned(),
        }],
        token: Some(NewToken {
            hash: TokenHash::of("token"),
            label: None,
            created_at: now,
            expires_at: None,
        }),
    };
    store.issue_package(package, AuditEvent::by_owner(now, "grant_create")).await.unwrap();
    store
}

async fn damaged(directory: &tempfile::TempDir, sql: &'static str) -> Backend {
    let store = store(directory).await;
    assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new());
    store.with_writer(move |db| db.execute_batch(sql).map_err(from_driver)).await.unwrap();
    store
}

#[tokio::test]
async fn every_kind_of_damage_is_found() {
    for (sql, word) in DAMAGE {
        let directory = tempfile::tempdir().unwrap();
        let store = damaged(&directory, sql).await;
        let report = store.verify().await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        assert!(report.faults.iter().any(|fault| fault.contains(word)), "{sql}: {report:?}");
    }
}

#[tokio::test]
async fn a_damaged_store_says_so_and_is_not_merely_unavailable() {
    let directory = tempfile::tempdir().unwrap();
    let store = damaged(&directory, "DELETE FROM change_counter").await;
    let error = store.check().await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
    let words = error.to_string();
    assert!(words.starts_with("the store is damaged: "), "{words}");
    assert!(words.ends_with("; run pdpp verify, then restore a backup"), "{words}");
}

#[tokio::test]
async fn a_file_of_another_kind_is_no_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    std::fs::create_dir(&path).unwrap();
    let opened = Backend::open(StoreOptions::new(path, Arc::new(Sevens))).await;
    assert!(matches!(opened.err(), Some(StoreError::NotAStore)));
}
