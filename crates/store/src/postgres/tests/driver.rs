//! The driver against a server: rows that are collected, numbers, and transactions that failed.

use std::time::Instant;

use crate::Database;
use crate::error::{StoreError, StoreResult};
use crate::insert::{Insert, NumberedInsert, insert, numbered_insert};
use crate::postgres::connection::Server;
use crate::postgres::driver::{
    Connection, Error, Transaction, TransactionBehavior, add_numbered, add_row, params, run,
};
use crate::postgres::errors::from_driver;
use crate::postgres::spawn;
use crate::postgres::testing::fresh;

const ADD_CHUNK: Insert = insert!(text_chunks(chunk_no, text));
const ADD_TEXT: NumberedInsert =
    numbered_insert!(texts(text_no; record_no, kind, chars, bytes, digest, path));
const COUNT_CHUNKS: &str = "SELECT count(*) FROM text_chunks";

/// Runs a test on a session that writes, when there is a server.
async fn with_session(test: impl FnOnce(&mut Connection) + Send + 'static) {
    let Some((store, _kept)) = fresh().await else { return };
    let played = store.with_writer(move |session| {
        test(session);
        StoreResult::Ok(())
    });
    played.await.unwrap();
}

fn begin(session: &mut Connection) -> Transaction<'_> {
    session.transaction_with_behavior(TransactionBehavior::Immediate).unwrap()
}

fn add_chunks(db: &Connection, numbers: std::ops::Range<i64>) {
    for number in numbers {
        add_row(db, &ADD_CHUNK, params![number, "text"]).unwrap();
    }
}

fn chunks(db: &Connection) -> i64 {
    db.query_row(COUNT_CHUNKS, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn whatever_is_asked_sees_the_rows_that_were_added_before() {
    with_session(|session| {
        let transaction = begin(session);
        add_chunks(&transaction, 0..3);
        assert_eq!(chunks(&transaction), 3, "few rows go out by themselves");
        add_chunks(&transaction, 3..500);
        assert_eq!(chunks(&transaction), 500, "many rows are copied");
        add_chunks(&transaction, 500..510);
        run(&transaction, "DELETE FROM text_chunks WHERE chunk_no >= ?1", [505_i64]).unwrap();
        transaction.commit().unwrap();
        assert_eq!(chunks(session), 505);
    })
    .await;
}

#[tokio::test]
async fn rows_of_a_transaction_that_was_dropped_are_gone() {
    with_session(|session| {
        let transaction = begin(session);
        add_chunks(&transaction, 0..100);
        drop(transaction);
        let transaction = begin(session);
        add_chunks(&transaction, 0..1);
        transaction.commit().unwrap();
        assert_eq!(chunks(session), 1);
    })
    .await;
}

#[tokio::test]
async fn each_row_gets_a_number_of_its_own_reserved_or_not() {
    with_session(|session| {
        let transaction = begin(session);
        transaction.reserve(&ADD_TEXT, 20).unwrap();
        let add = |at: i64| {
            let values = params![at, 0_i64, 0_i64, 0_i64, [0_u8; 32], "/a"];
            add_numbered(&transaction, &ADD_TEXT, values).unwrap()
        };
        let numbers: Vec<i64> = (0..30).map(add).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
        let list = "SELECT text_no FROM texts ORDER BY record_no LIMIT 100";
        let kept: Vec<i64> = transaction
            .prepare(list)
            .and_then(|mut list| list.query_map([], |row| row.get(0))?.collect())
            .unwrap();
        assert_eq!(kept, numbers);
    })
    .await;
}

#[tokio::test]
async fn a_failure_that_was_passed_over_keeps_a_transaction_from_its_commit() {
    with_session(|session| {
        let transaction = begin(session);
        add_chunks(&transaction, 0..20);
        add_chunks(&transaction, 0..20);
        assert!(transaction.query_row(COUNT_CHUNKS, [], |row| row.get::<_, i64>(0)).is_err());
        assert!(transaction.commit().is_err(), "it kept nothing");
        assert_eq!(chunks(session), 0);
    })
    .await;
}

#[tokio::test]
async fn a_failure_shows_at_the_commit_at_the_latest() {
    with_session(|session| {
        let transaction = begin(session);
        add_chunks(&transaction, 0..20);
        add_chunks(&transaction, 0..20);
        assert!(transaction.commit().is_err());
        assert_eq!(chunks(session), 0);
    })
    .await;
}

#[tokio::test]
async fn only_a_few_megabytes_are_sent_ahead() {
    with_session(|session| {
        let transaction = begin(session);
        let piece = "x".repeat(256 * 1024);
        for number in 0..40_i64 {
            run(&transaction, &ADD_CHUNK.statement, params![number, piece]).unwrap();
            assert!(transaction.sent_ahead() <= 32, "{} pieces", transaction.sent_ahead());
        }
        assert_eq!(chunks(&transaction), 40);
    })
    .await;
}

#[tokio::test]
async fn what_is_past_a_limit_of_the_server_is_not_tried_again() {
    with_session(|session| {
        let columns = vec!["1"; 1_700].join(", ");
        let names: String = (0..1_700).map(|at| format!(", c{at} bytea")).collect();
        let table = format!("CREATE TABLE wide (record_no bigint{names})");
        for sql in [format!("SELECT {columns}"), table] {
            let error = from_driver(session.execute_batch(&sql).unwrap_err());
            assert!(matches!(error, StoreError::TooLarge(_)), "{error:?}");
            assert!(!error.to_string().contains("try again"), "{error}");
        }
        let values: Vec<String> =
            (0..1_000).map(|at| format!("decode('{at:030}', 'hex')")).collect();
        let names: Vec<String> = (0..1_000).map(|at| format!("c{at} bytea")).collect();
        let sql = format!(
            "CREATE TABLE wide ({}); INSERT INTO wide VALUES ({})",
            names.join(", "),
            values.join(", ")
        );
        let error = from_driver(session.execute_batch(&sql).unwrap_err());
        assert!(error.to_string().contains("row is too big"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_not_sent() {
    let Some((store, kept)) = fresh().await else { return };
    let server = Server::parse(&Database::new(kept.0.url())).unwrap();
    let late = spawn(move || {
        let session = server.connect()?;
        session.set_deadline(Some(Instant::now()));
        let added = session.execute_batch("INSERT INTO text_chunks VALUES (1, 'late')");
        let (is_sound, is_unanswered) = (session.is_sound(), session.is_unanswered());
        server.cancel(session);
        Ok((added, is_sound, is_unanswered))
    });
    let (added, is_sound, is_unanswered) = late.await.unwrap();
    assert!(matches!(added, Err(Error::Late)), "{added:?}");
    assert_eq!((is_sound, is_unanswered), (false, false));
    assert_eq!(store.with_writer(|session| Ok(chunks(session))).await.unwrap(), 0);
}
