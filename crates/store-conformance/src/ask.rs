//! Asking for pages: a query, every page of it, and the checks that any answer must pass.

use std::sync::Arc;

use pdpp_contract::declaration::{FieldKind, RangeOperator};

use super::sample::{field_name, found};
use pdpp_store::Store;
use pdpp_store::records::{
    CollectionQuery, Condition, ListPage, ListQuery, PagePosition, StoredRecord, Test,
};
use pdpp_store::scope::ReadScope;
use pdpp_store::sort_key::SortKey;

/// More pages than any case has.
const MOST_PAGES: usize = 5_000;

/// A list query over any scope.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The field to sort by.
    pub order: Option<&'static str>,
    /// Largest first.
    pub descending: bool,
    /// Conditions on every collection.
    pub conditions: Vec<Condition>,
    /// Records on a page.
    pub limit: usize,
}

impl Ask {
    /// Sorted by a field.
    pub fn by(field: &'static str) -> Self {
        Self { order: Some(field), descending: false, conditions: Vec::new(), limit: 100 }
    }

    /// Sorted by primary key alone.
    pub fn by_key() -> Self {
        Self { order: None, descending: false, conditions: Vec::new(), limit: 100 }
    }

    /// The other direction.
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// With one more condition.
    pub fn only(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    /// With a page size.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The query of one page.
    pub fn query(&self, scope: &ReadScope, after: Option<PagePosition>) -> ListQuery {
        let own = CollectionQuery {
            order_field: self.order.map(field_name),
            conditions: self.conditions.clone(),
        };
        ListQuery {
            collections: scope.collections().iter().map(|_| own.clone()).collect(),
            descending: self.descending,
            after,
            limit: self.limit,
            max_bytes: usize::MAX,
            preview_chars: 100,
            fields: None,
        }
    }

    /// One page.
    pub async fn page(
        &self,
        store: &Arc<dyn Store>,
        scope: &ReadScope,
        after: Option<PagePosition>,
    ) -> ListPage {
        let page = store.list_records(scope, self.query(scope, after)).await.unwrap();
        page.expect("the place to continue after exists")
    }

    /// Every page, as one list of records.
    pub async fn records(&self, store: &Arc<dyn Store>, scope: &ReadScope) -> Vec<StoredRecord> {
        let (mut all, mut after) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let page = self.page(store, scope, after).await;
            assert!(page.records.len() <= self.limit, "a page is too long");
            let last = page.last.as_ref().map(|place| place.record_no);
            assert_eq!(last, page.records.last().map(|record| record.record_no));
            assert!(!page.has_more || last.is_some(), "an empty page says that more follows");
            all.extend(page.records);
            if !page.has_more {
                return all;
            }
            after = page.last;
        }
        panic!("the pages never end");
    }

    /// The ids of every page, in order.
    pub async fn ids(&self, store: &Arc<dyn Store>, scope: &ReadScope) -> Vec<String> {
        self.records(store, scope).await.iter().map(|record| record.id.to_string()).collect()
    }

    /// `connection/id` of every page, in order.
    pub async fn places(&self, store: &Arc<dyn Store>, scope: &ReadScope) -> Vec<String> {
        let place = |record: &StoredRecord| format!("{}/{}", record.connection, record.id);
        self.records(store, scope).await.iter().map(place).collect()
    }

    /// How many records there are, by counting.
    pub async fn count(&self, store: &Arc<dyn Store>, scope: &ReadScope) -> u64 {
        let queries = self.query(scope, None).collections;
        store.count_records(scope, queries, u64::MAX).await.unwrap()
    }

    /// Asserts that exactly these records are there, in this order, however they are asked for:
    /// at every page size, by counting, and one by one.
    pub async fn gives(&self, store: &Arc<dyn Store>, scope: &ReadScope, expected: &[&str]) {
        for limit in 1..=expected.len() + 1 {
            let ids = self.clone().limit(limit).ids(store, scope).await;
            assert_eq!(ids, expected, "pages of {limit}: {self:?}");
        }
        let counted = self.count(store, scope).await;
        assert_eq!(counted, expected.len() as u64, "the count: {self:?}");
        for id in expected {
            let found = found(store, scope, id).await.unwrap();
            assert_eq!(found.len(), 1, "{id} is listed and not found");
        }
        if self.conditions.is_empty() {
            let stats = store.collection_stats(scope).await.unwrap();
            let shown: u64 = stats.iter().map(|stats| stats.record_count).sum();
            assert_eq!(shown, expected.len() as u64, "the visible numbers");
        }
    }
}

/// A field equal to a value written as text.
pub fn equals(kind: FieldKind, field: &str, text: &str) -> Condition {
    let key = SortKey::parse(kind, text).unwrap();
    Condition { field: field_name(field), test: Test::Equals { key, text: text.to_owned() } }
}

/// A field within a bound written as text.
pub fn range(kind: FieldKind, field: &str, operator: RangeOperator, text: &str) -> Condition {
    let key = SortKey::parse(kind, text).unwrap();
    let test = match operator {
        RangeOperator::Gte => Test::AtLeast(key),
        RangeOperator::Gt => Test::Above(key),
        RangeOperator::Lte => Test::AtMost(key),
        RangeOperator::Lt => Test::Below(key),
    };
    Condition { field: field_name(field), test }
}
