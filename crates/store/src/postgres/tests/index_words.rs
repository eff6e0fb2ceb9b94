//! The word index against a server: rows newest first over many ranges, and words of older stores.

use crate::error::StoreResult;
use crate::numbers::CollectionNo;
use crate::postgres::driver::{Connection, TransactionBehavior, params};
use crate::postgres::index_words::{Asked, add, each, settle, survey, walk};
use crate::postgres::sql::search::write::PART_BITS;
use crate::postgres::testing::fresh;

const STEP: &str = include_str!("../../../migrations/postgres/0011_words_in_bulk.sql");
const ADD_AS_BEFORE: &str = "
    INSERT INTO search_index (row_no, collection_no, words)
    VALUES (?1, 1, array_to_tsvector(string_to_array(?2, ' ')))";

/// Runs a test in a transaction, when there is a server.
async fn with_index(test: impl FnOnce(&Connection) + Send + 'static) {
    let Some((store, _kept)) = fresh().await else { return };
    let played = store.with_writer(move |session| {
        let transaction =
            session.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        test(&transaction);
        StoreResult::Ok(())
    });
    played.await.unwrap();
}

fn row(record: i64) -> i64 {
    record << PART_BITS
}

fn found(db: &Connection, words: &[(i64, &str)], prefix: bool, most: usize) -> Vec<i64> {
    let words: Vec<(CollectionNo, String)> = words
        .iter()
        .map(|(collection, word)| (CollectionNo(*collection), (*word).to_owned()))
        .collect();
    let mut rows = Vec::new();
    let ground = survey(db, words.iter().map(|(collection, _)| *collection)).unwrap();
    walk(db, &ground, &Asked { words: &words, prefix }, |some| {
        rows.extend(some.iter().map(|row| row >> PART_BITS));
        Ok(rows.len() < most)
    })
    .unwrap();
    rows
}

#[tokio::test]
async fn rows_come_newest_first_from_however_far_back() {
    with_index(|db| {
        // Numbers in many ranges, with gaps of thousands of ranges between them.
        let records = [1, 2, 16_383, 16_384, 40_000, 500_000, 500_001, 90_000_000];
        for record in records {
            add(db, row(record), CollectionNo(1), "apple apricot").unwrap();
            add(db, row(record) + 1, CollectionNo(1), "apple").unwrap();
        }
        add(db, row(40_001), CollectionNo(2), "plum").unwrap();
        add(db, row(3), CollectionNo(1), "pear").unwrap();
        settle(db).unwrap();
        let newest_first = |each: usize| -> Vec<i64> {
            records.iter().rev().flat_map(|record| vec![*record; each]).collect()
        };
        assert_eq!(found(db, &[(1, "apple")], false, usize::MAX), newest_first(2));
        assert_eq!(found(db, &[(1, "apricot")], false, usize::MAX), newest_first(1));
        assert_eq!(found(db, &[(1, "ap")], true, usize::MAX), newest_first(2));
        assert_eq!(found(db, &[(1, "ap")], false, usize::MAX), [0; 0]);
        assert_eq!(found(db, &[(1, "pear"), (2, "plum")], false, usize::MAX), [40_001, 3]);
        assert_eq!(found(db, &[(3, "apple")], false, usize::MAX), [0; 0]);
        assert_eq!(found(db, &[(1, "apple")], false, 1), [90_000_000; 2], "and no further");
    })
    .await;
}

#[tokio::test]
async fn words_of_an_older_store_are_found_after_its_step() {
    with_index(|db| {
        for record in [1, 16_384, 300_000, 90_000_000] {
            db.execute(ADD_AS_BEFORE, params![row(record), "apple pear"]).unwrap();
        }
        db.execute_batch(STEP).unwrap();
        let all = [90_000_000, 300_000, 16_384, 1];
        assert_eq!(found(db, &[(1, "pear")], false, usize::MAX), all);
        let mut words = Vec::new();
        each(db, |word, _| words.push(String::from_utf8(word.to_vec()).unwrap())).unwrap();
        words.sort();
        assert_eq!(words, ["apple", "apple", "apple", "apple", "pear", "pear", "pear", "pear"]);
    })
    .await;
}
