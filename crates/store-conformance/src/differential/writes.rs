//! Random writes.

use super::{DECLARATION, NAMES, Pair, Side};
use crate::sample::{Account, declaration, record_id, stream_name, time};
use pdpp_store::ChangeNo;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::WriteMode;

const STREAMS: [&str; 2] = ["notes", "titles"];

impl Pair {
    pub(super) fn account(&mut self) -> usize {
        self.chance.below(NAMES.len())
    }

    pub(super) fn stream(&mut self) -> &'static str {
        self.chance.of(&STREAMS)
    }

    pub(super) async fn write(&mut self) {
        let (account, stream) = (self.account(), self.stream());
        let emitted = format!("2026-04-01T12:00:{:02}Z", self.chance.below(60));
        let count = 1 + self.chance.below(6);
        let records: Vec<String> = (0..count).map(|_| self.chance.record(stream)).collect();
        let mode = self.chance.of(&[WriteMode::KeepGood, WriteMode::AllOrNothing]);
        let batch = |own: &Account| -> Vec<PreparedRecord> {
            records.iter().map(|record| own.prepared(stream, &emitted, record)).collect()
        };
        let (left, right) = (&self.left.accounts[account], &self.right.accounts[account]);
        let outcomes = (left.write(batch(left), mode).await, right.write(batch(right), mode).await);
        self.same(&records, &outcomes.0, &outcomes.1);
    }

    /// Many short records, in batches.
    pub(super) async fn fill(&mut self, records: usize) {
        for batch in 0..records.div_ceil(250) {
            let titles: Vec<String> = (0..250).map(|at| self.title(batch, at)).collect();
            let notes: Vec<String> = (0..30)
                .map(|at| format!(r#"{{"id":"m{batch}-{at}","at":"{}"}}"#, self.chance.time()))
                .collect();
            for side in [&self.left, &self.right] {
                let account = &side.accounts[batch % NAMES.len()];
                account.put("titles", &titles).await;
                account.put("notes", &notes).await;
            }
        }
    }

    /// One of many: a word that every one has, and one that few have; the same days again and again.
    fn title(&mut self, batch: usize, at: usize) -> String {
        let words = self.chance.sentence(3).replace('\u{0}', "");
        let rare = if self.chance.once_in(200) { " quokka" } else { "" };
        let (title, day) = (format!("common {words}{rare}"), self.chance.date());
        format!(r#"{{"id":"m{batch}-{at}","title":"{title}","kind":"red","day":"{day}"}}"#)
    }

    pub(super) async fn delete(&mut self) {
        let (account, stream, key) = (self.account(), self.stream(), self.chance.key());
        let left = self.left.accounts[account].delete(stream, &key).await;
        let right = self.right.accounts[account].delete(stream, &key).await;
        self.same(&key, &left, &right);
    }

    /// Another declaration: one more or one less typed copy, another set of searched fields.
    pub(super) async fn redeclare(&mut self) {
        let account = self.account();
        let mut text = DECLARATION.to_owned();
        if self.chance.once_in(2) {
            text = text.replace(r#""amount": ["gte", "gt", "lte", "lt"]"#, r#""amount": ["gte"]"#);
            text = text.replace(r#""group_by": ["kind", "done"]"#, r#""group_by": ["kind"]"#);
        }
        if self.chance.once_in(2) {
            text = text.replace(r#""format": "date"}"#, r#""format": "date-time"}"#);
        }
        if self.chance.once_in(2) {
            text = text.replace(r#"["title", "body"]"#, r#"["body"]"#);
        }
        let name = NAMES[account];
        for side in [&mut self.left, &mut self.right] {
            let changed = Account::declared(&side.store, name, declaration(&text)).await;
            side.accounts[account] = changed;
        }
    }

    pub(super) async fn prune(&mut self) {
        let newest = self.left.store.newest_change().await.unwrap();
        self.same(&"newest", &newest, &self.right.store.newest_change().await.unwrap());
        let kept = i64::try_from(self.chance.below(200)).unwrap();
        let left = self.left.store.prune_versions(ChangeNo(newest.0 - kept)).await.unwrap();
        let right = self.right.store.prune_versions(ChangeNo(newest.0 - kept)).await.unwrap();
        self.same(&"pruned", &left, &right);
    }

    pub(super) async fn erase(&mut self) {
        let (account, stream) = (self.account(), stream_name(self.stream()));
        let whole = self.chance.once_in(6);
        let key = self.chance.key();
        let erase = async |side: &Side| {
            let (store, id) = (&side.store, &side.accounts[account].id);
            let now = time("2026-05-01T00:00:00Z");
            if whole {
                store.erase_stream(id, &stream, now).await.unwrap()
            } else {
                let id_of = record_id(&key);
                u64::from(store.erase_record(id, &stream, &id_of, now).await.unwrap())
            }
        };
        let outcomes = (erase(&self.left).await, erase(&self.right).await);
        self.same(&(whole, &key), &outcomes.0, &outcomes.1);
    }

    /// A connection goes and comes back empty.
    pub(super) async fn leave(&mut self) {
        if !self.chance.once_in(4) {
            return;
        }
        let account = self.account();
        let now = time("2026-05-01T00:00:00Z");
        let mut erased = Vec::new();
        for side in [&mut self.left, &mut self.right] {
            let id = side.accounts[account].id.clone();
            erased.push(side.store.remove_connection(&id, now).await.unwrap());
            let name = NAMES[account];
            let again = Account::declared(&side.store, name, declaration(DECLARATION)).await;
            side.accounts[account] = again;
        }
        self.same(&"removed", &erased[0], &erased[1]);
    }
}
