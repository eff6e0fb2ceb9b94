//! Random reads inside random scopes.

use pdpp_contract::declaration::{FieldKind, RangeOperator};

use super::{Pair, Side, unnumbered};
use crate::aggregate::{AggregateQuery, Measure};
use crate::changes::{Change, Changes, ChangesQuery, Known};
use crate::conformance::sample::{between, field_name, fields, ids, record_id};
use crate::conformance::{Ask, equals, range};
use crate::field_path::FieldPath;
use crate::records::{CollectionQuery, Condition};
use crate::related::{FindRelated, RelatedGroup, RelatedQuery};
use crate::scope::{CollectionScope, ReadScope};
use crate::search::{SearchQuery, Term};
use crate::text::{TextAnswer, TextRead};
use crate::words::words;

/// What of which collections a read may see; the same in both stores.
struct Limits {
    parts: Vec<(usize, &'static str)>,
    few_fields: bool,
    since: Option<&'static str>,
    only: Option<Vec<String>>,
    leave_out_codes: bool,
}

impl Limits {
    fn scope(&self, side: &Side) -> ReadScope {
        let part = |(account, stream): &(usize, &'static str)| {
            let mut part: CollectionScope = side.accounts[*account].all(stream);
            if self.few_fields {
                part.fields = fields(&["id", "title"]);
            }
            if *stream == "notes" {
                part.time = self.since.and_then(|since| between("at", since, ""));
            }
            if let Some(only) = &self.only {
                part.records = ids(&only.iter().map(String::as_str).collect::<Vec<_>>());
            }
            part.leave_out_codes = self.leave_out_codes;
            part
        };
        ReadScope::new(self.parts.iter().map(part).collect())
    }
}

impl Pair {
    fn limits(&mut self) -> Limits {
        let all = [(0, "notes"), (0, "titles"), (1, "notes"), (1, "titles")];
        let mut parts: Vec<_> = all.into_iter().filter(|_| !self.chance.once_in(3)).collect();
        if parts.is_empty() {
            parts.push((self.chance.below(2), self.stream()));
        }
        let only = self.chance.once_in(10).then(|| (0..5).map(|_| self.chance.key()).collect());
        Limits {
            parts,
            few_fields: self.chance.once_in(4),
            since: self.chance.once_in(4).then(|| self.chance.instant()),
            only,
            leave_out_codes: self.chance.once_in(3),
        }
    }

    fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if self.chance.once_in(3) {
            conditions.push(equals(FieldKind::String, "kind", self.chance.kind()));
        }
        if self.chance.once_in(8) {
            let words = 1 + self.chance.below(2);
            conditions.push(equals(FieldKind::String, "title", &self.chance.sentence(words)));
        }
        if self.chance.once_in(6) {
            let all =
                [RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];
            let (operator, number) = (self.chance.of(&all), self.chance.number());
            conditions.push(range(FieldKind::Number, "amount", operator, number));
        }
        conditions
    }

    fn queries(&mut self, limits: &Limits) -> Vec<CollectionQuery> {
        let conditions = self.conditions();
        let query = |(_, stream): &(usize, &str)| CollectionQuery {
            order_field: (*stream == "notes").then(|| field_name("at")),
            conditions: conditions.clone(),
        };
        limits.parts.iter().map(query).collect()
    }

    pub(super) async fn list(&mut self) {
        let limits = self.limits();
        let order = self.chance.of(&[None, Some("at"), Some("title"), Some("amount")]);
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

    pub(super) async fn window(&mut self) {
        let (limits, key) = (self.limits(), self.chance.key());
        let path = self.chance.of(&["body", "title", "parts", "parts/long", "parts/short", "kind"]);
        let ask = if self.chance.once_in(2) {
            let start = u64::try_from(self.chance.below(12_000)).unwrap();
            TextRead::Range { start, limit: 300 }
        } else {
            let q = self.chance.word().to_lowercase();
            TextRead::Match { q, before: 20, after: 40, limit: 200 }
        };
        let Ok(field) = FieldPath::parse(path) else { return };
        let read = async |side: &Side| {
            let scope = limits.scope(side);
            let answer = side.store.read_text(&scope, &record_id(&key), &field, ask.clone()).await;
            match answer.unwrap() {
                TextAnswer::Text(mut window) => {
                    window.record_no = 0;
                    TextAnswer::Text(window)
                }
                other => other,
            }
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&(&key, path, &ask), &left, &right);
    }

    pub(super) async fn aggregate(&mut self) {
        let limits = self.limits();
        let (field, measure) = match self.chance.below(6) {
            0 => ("amount", Measure::Sum),
            1 => ("kind", Measure::Groups { most: 1 + self.chance.below(5) }),
            2 => ("title", Measure::Distinct),
            3 => ("at", Measure::Least),
            4 => ("amount", Measure::Greatest),
            _ => ("done", Measure::Groups { most: 3 }),
        };
        let has = |stream: &str| stream == "notes" || matches!(field, "kind" | "title");
        let query = AggregateQuery {
            collections: self.queries(&limits),
            fields: limits
                .parts
                .iter()
                .map(|(_, stream)| has(stream).then(|| field_name(field)))
                .collect(),
            measure,
        };
        let left = self.left.store.aggregate(&limits.scope(&self.left), query.clone()).await;
        let right = self.right.store.aggregate(&limits.scope(&self.right), query.clone()).await;
        self.same(&query, &left.unwrap(), &right.unwrap());
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
            collections: self.queries(&limits),
            cap: self.chance.of(&[3, 20, 1_000]),
            as_of: None,
        };
        let read = async |side: &Side| {
            let scope = limits.scope(side);
            let mut found = side.store.search(&scope, query.clone()).await.unwrap();
            let numbers = found.rows.iter().map(|row| row.record_no).collect();
            let records = side.store.records_by_number(&scope, numbers, 40).await.unwrap();
            found.rows.iter_mut().for_each(|row| row.record_no = 0);
            (found, records.into_iter().map(unnumbered).collect::<Vec<_>>())
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&query, &left, &right);
    }

    pub(super) async fn changes(&mut self) {
        let limits = self.limits();
        let newest = self.left.store.newest_change().await.unwrap();
        let back = i64::try_from(self.chance.below(80)).unwrap();
        let known = if self.chance.once_in(5) {
            Known::default()
        } else {
            Known { change_no: (newest - back).max(0), prunings: 0 }
        };
        let query = ChangesQuery {
            collections: self.queries(&limits),
            known,
            resume: None,
            limit: 1 + self.chance.below(12),
            max_bytes: usize::MAX,
            preview_chars: 20,
            fields: None,
        };
        let read = async |side: &Side| {
            let found = side.store.changes(&limits.scope(side), query.clone()).await.unwrap();
            match found {
                Changes::Expired => Changes::Expired,
                Changes::Page(mut page) => {
                    for change in &mut page.changes {
                        if let Change::Present(record) = change {
                            record.record_no = 0;
                        }
                    }
                    Changes::Page(page)
                }
            }
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
            let page = |page: crate::related::RelatedPage| {
                let records: Vec<_> = page.records.into_iter().map(unnumbered).collect();
                (records, page.has_more, page.reduced)
            };
            pages.unwrap().into_iter().map(page).collect::<Vec<_>>()
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        self.same(&query, &left, &right);
    }
}
