//! Random lists, records, searches and related records.

use pdpp_contract::FieldName;
use pdpp_contract::declaration::{Conversation, FieldKind};

use super::{Pair, Side, unnumbered};
use crate::sample::{fields, record_id};
use crate::{Ask, equals};
use pdpp_store::related::{FindRelated, RelatedGroup, RelatedPage, RelatedQuery};
use pdpp_store::scope::ReadScope;
use pdpp_store::search::{MatchedRow, NeighbourQuery, SearchMatches, SearchQuery, Term};
use pdpp_store::words::words;
use pdpp_store::{ChangeNo, RecordNo};

impl Pair {
    pub(super) async fn list(&mut self) {
        let limits = self.limits();
        let order = self.chance.of(&[None, Some("at"), Some("day"), Some("title"), Some("amount")]);
        let ask = Ask {
            order,
            descending: self.chance.once_in(2),
            conditions: self.conditions(),
            limit: 1 + self.chance.below(9),
        };
        let read = async |side: &Side| {
            let scope = limits.scope(side);
            let (mut pages, mut after) = (Vec::new(), None);
            for _ in 0..4 {
                let page = ask.page(&side.store, &scope, after).await;
                after = page.last;
                let records: Vec<_> = page.records.into_iter().map(unnumbered).collect();
                pages.push((records, page.has_more, page.reduced));
                if !page.has_more {
                    break;
                }
            }
            (pages, ask.count(&side.store, &scope).await)
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&ask, &left, &right);
    }

    pub(super) async fn find(&mut self) {
        let (limits, key) = (self.limits(), self.chance.key());
        let read = async |side: &Side| {
            let found = side.store.find_records(&limits.scope(side), &record_id(&key), 50).await;
            let found: Vec<_> = found.unwrap().into_iter().map(unnumbered).collect();
            (found, side.store.collection_stats(&limits.scope(side)).await.unwrap())
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&key, &left, &right);
    }

    pub(super) async fn search(&mut self) {
        let limits = self.limits();
        let mut text = self.chance.sentence(2);
        if self.chance.once_in(4) {
            text.push_str(self.chance.of(&[" common", " quokka"]));
        }
        let mut terms: Vec<Term> =
            words(&text).into_iter().map(|word| Term { text: word.term, prefix: false }).collect();
        if self.chance.once_in(4) {
            terms.push(Term { text: "z".to_owned(), prefix: true });
        }
        let searched = |(_, stream): &(usize, &str)| {
            fields(if *stream == "notes" { &["title", "body"] } else { &["title"] })
        };
        let query = SearchQuery {
            terms,
            fields: limits.parts.iter().map(searched).collect(),
            collections: limits.queries(&self.conditions()),
            cap: self.chance.of(&[3, 20, 1_000]),
            seen_through: None,
        };
        let read = async |side: &Side| {
            let scope = limits.scope(side);
            let mut found = side.store.search(&scope, query.clone()).await.unwrap();
            let numbers = found.rows.iter().map(|row| row.record_no).collect();
            let records = side.store.records_by_number(&scope, numbers, 40).await.unwrap();
            let around = neighbours(side, &scope, &query, &found).await;
            found.rows.iter_mut().for_each(|row| row.record_no = RecordNo(0));
            found.as_of = ChangeNo::NONE;
            (found, records.into_iter().map(unnumbered).collect::<Vec<_>>(), around)
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&query, &left, &right);
    }

    pub(super) async fn relate(&mut self) {
        let limits = self.limits();
        let condition = equals(FieldKind::String, "kind", self.chance.kind());
        let by_key = FindRelated::ByKey { condition, order_field: None, limit: 4 };
        let query = RelatedQuery {
            groups: vec![
                RelatedGroup {
                    collection: 0,
                    find: FindRelated::ById(record_id(&self.chance.key())),
                },
                RelatedGroup { collection: 0, find: by_key },
            ],
            max_records: 5,
            max_bytes: 100_000,
            preview_chars: 30,
        };
        let read = async |side: &Side| {
            let pages = side.store.related_records(&limits.scope(side), query.clone()).await;
            let page = |page: RelatedPage| {
                let records: Vec<_> = page.records.into_iter().map(unnumbered).collect();
                (records, page.has_more, page.reduced)
            };
            pages.unwrap().into_iter().map(page).collect::<Vec<_>>()
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&query, &left, &right);
    }
}

/// What stands around the records that were found, when their kind holds them together.
async fn neighbours(
    side: &Side,
    scope: &ReadScope,
    search: &SearchQuery,
    found: &SearchMatches,
) -> Vec<(Vec<u8>, MatchedRow, i8, u64)> {
    let kind = Conversation {
        field: FieldName::new("kind").unwrap(),
        order_field: Some(FieldName::new("day").unwrap()),
    };
    let sources: Vec<_> = found.rows.iter().map(|row| (row.collection, row.record_no)).collect();
    let key = |number: RecordNo| {
        let own = found.rows.iter().find(|row| row.record_no == number);
        own.map(|row| row.key_order.clone()).unwrap_or_default()
    };
    let query = NeighbourQuery {
        search: search.clone(),
        conversations: scope.collections().iter().map(|_| Some(kind.clone())).collect(),
        sources,
        as_of: found.as_of,
    };
    let around = side.store.neighbours(scope, query).await.unwrap().neighbours;
    let told = around.into_iter().map(|own| {
        let row = MatchedRow { record_no: RecordNo(0), ..own.row };
        (key(own.source), row, own.distance, own.gap_seconds)
    });
    told.collect()
}
