//! The full check: what it counts, and that nothing a store does in peace disturbs it.

use std::sync::Arc;

use super::sample::{Account, SAMPLE, declaration, record_id, sample, stream_name, time};
use super::{CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::maintenance::VerifyReport;

pub(super) const CASES: CaseTable = cases![
    an_empty_store_is_sound,
    the_check_counts_what_there_is,
    a_long_life_leaves_the_store_sound,
    the_keys_stay_the_same,
    a_stream_left_out_and_taken_back_stays_sound,
];

async fn an_empty_store_is_sound(store: Arc<dyn Store>) {
    assert_eq!(store.verify().await.unwrap(), VerifyReport::default());
    store.check().await.unwrap();
    store.check_writing().await.unwrap();
}

async fn the_check_counts_what_there_is(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let body = "x".repeat(9_000);
    account
        .put("notes", &[format!(r#"{{"id":"1","body":"{body}"}}"#), r#"{"id":"2"}"#.into()])
        .await;
    account.put("notes", &[r#"{"id":"2","title":"t"}"#]).await;
    account.delete("notes", "2").await;
    let expected = VerifyReport {
        connections: 1,
        records: 1,
        versions: 4,
        texts: 1,
        blobs: 0,
        strays: 0,
        faults: Vec::new(),
    };
    assert_eq!(store.verify().await.unwrap(), expected);
}

/// A seeded mix of everything that writes, checked along the way.
async fn a_long_life_leaves_the_store_sound(store: Arc<dyn Store>) {
    let mut dice = Dice(7);
    let mut accounts = vec![Account::open(&store, "a").await, Account::open(&store, "b").await];
    for turn in 0..120 {
        let account = accounts[dice.below(2)].clone();
        let id = dice.below(12).to_string();
        match dice.below(12) {
            0..=5 => {
                let size = [0, 10, 8_200, 20_000][dice.below(4)];
                let body = "é".repeat(size / 2);
                let at = format!("2026-01-{:02}", dice.below(28) + 1);
                let record = format!(
                    r#"{{"id":"{id}","at":"{at}","f{}":{turn},"body":"{body}"}}"#,
                    dice.below(5)
                );
                account.put("notes", &[record]).await;
            }
            6 | 7 => {
                account.delete("notes", &id).await;
            }
            8 => account.put_with_codes("notes", &format!(r#"{{"id":"{id}","n":{turn}}}"#)).await,
            9 => {
                let notes = stream_name("notes");
                let now = time("2026-06-01T00:00:00Z");
                store.erase_record(&account.id, &notes, &record_id(&id), now).await.unwrap();
            }
            10 => {
                let mut other = sample();
                if dice.below(2) == 0 {
                    other.streams[0].query.range_filters.remove("amount");
                }
                accounts[0] = Account::declared(&store, "a", other).await;
            }
            _ => {
                store.remove_connection(&account.id, time("2026-06-01T00:00:00Z")).await.unwrap();
                accounts = vec![Account::open(&store, "a").await, Account::open(&store, "b").await];
            }
        }
        if turn % 10 == 9 {
            assert_eq!(store.verify().await.unwrap().faults, Vec::<String>::new(), "turn {turn}");
        }
    }
}

async fn the_keys_stay_the_same(store: Arc<dyn Store>) {
    assert_eq!(store.sealing_key(), store.sealing_key());
    assert_ne!(store.sealing_key(), [0; 32]);
    let hash = store.hash_key().string("x");
    assert_eq!(store.hash_key().string("x"), hash);
    assert_ne!(store.hash_key().canonical("x"), hash, "a string and a number never hash alike");
}

/// Repeatable numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

async fn a_stream_left_out_and_taken_back_stays_sound(store: Arc<dyn Store>) {
    let query = r#""query": {"aggregations": {"group_by": ["kind"]}}"#;
    let searched = query.replace("}}", r#"}, "search": {"lexical_fields": ["title"]}}"#);
    let whole = declaration(&SAMPLE.replace(query, &searched));
    let account = Account::declared(&store, "a", whole.clone()).await;
    account.put("titles", &[r#"{"id":"1","title":"white heron"}"#]).await;
    let sound = store.verify().await.unwrap();
    assert_eq!((sound.records, sound.faults.len()), (1, 0));
    let mut fewer = whole.clone();
    fewer.streams.retain(|stream| stream.name.as_str() != "titles");
    Account::declared(&store, "a", fewer).await;
    assert_eq!(store.verify().await.unwrap(), sound, "left out");
    store.rebuild_index().await.unwrap();
    assert_eq!(store.verify().await.unwrap(), sound, "left out, index rebuilt");
    Account::declared(&store, "a", whole).await;
    assert_eq!(store.verify().await.unwrap(), sound, "taken back");
}
