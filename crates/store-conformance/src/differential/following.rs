//! Random followers of changes: they come back with their bookmarks, while others write.

use super::limits::Limits;
use super::{Pair, Side};
use crate::sample::field_name;
use pdpp_store::changes::{Changes, ChangesQuery, Known, RecordChange, Resume};
use pdpp_store::records::Condition;
use pdpp_store::{ChangeNo, RecordNo};

/// Pages of one session at most.
const PAGES: usize = 6;

/// Somebody who follows changes.
pub(super) struct Follower {
    limits: Limits,
    conditions: Vec<Condition>,
    known: Known,
}

impl Follower {
    async fn read(&self, side: &Side, query: &ChangesQuery) -> Changes {
        let mut found = side.store.changes(&self.limits.scope(side), query.clone()).await.unwrap();
        if let Changes::Page(page) = &mut found {
            for change in &mut page.changes {
                match change {
                    RecordChange::Present(record) => record.record_no = RecordNo(0),
                    RecordChange::Gone(departed) => departed.record_no = RecordNo(0),
                }
            }
        }
        found
    }
}

impl Pair {
    /// A session of pages. Whoever read its last one comes back with its horizon.
    pub(super) async fn changes(&mut self) {
        let mut follower = self.follower().await;
        let mut query = self.changes_query(&follower);
        for _ in 0..PAGES {
            let left = follower.read(&self.left, &query).await;
            let right = follower.read(&self.right, &query).await;
            self.same(&query, &left, &right);
            let Changes::Page(page) = left else { return };
            match page.last.filter(|_| page.has_more) {
                Some(after) => query.resume = Some(Resume { after, horizon: page.horizon }),
                None => {
                    follower.known = Known::up_to(page.horizon);
                    break;
                }
            }
            if self.chance.once_in(3) {
                self.write().await;
            }
        }
        self.followers.push(follower);
    }

    /// One who came before, or a new one that knows nothing, or everything up to some change.
    async fn follower(&mut self) -> Follower {
        if !self.followers.is_empty() && !self.chance.once_in(3) {
            let place = self.chance.below(self.followers.len());
            return self.followers.swap_remove(place);
        }
        let newest = self.left.store.newest_change().await.unwrap();
        let back = i64::try_from(self.chance.below(80)).unwrap();
        let known = if self.chance.once_in(5) {
            Known::default()
        } else {
            Known::up_to(ChangeNo((newest.0 - back).max(0)))
        };
        Follower { limits: self.limits(), conditions: self.conditions(), known }
    }

    fn changes_query(&mut self, follower: &Follower) -> ChangesQuery {
        ChangesQuery {
            collections: follower.limits.queries(&follower.conditions),
            known: follower.known,
            resume: None,
            limit: 1 + self.chance.below(12),
            max_bytes: self.chance.of(&[usize::MAX, usize::MAX, 400]),
            preview_chars: 20,
            fields: self.chance.once_in(3).then(|| vec![field_name("id"), field_name("title")]),
        }
    }
}
