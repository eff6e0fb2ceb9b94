//! What a read may see and what it asks of records: drawn once, the same in both stores.

use pdpp_contract::declaration::{FieldKind, RangeOperator};

use super::{NAMES, Pair, Side};
use crate::sample::{between, field_name, fields, ids};
use crate::{equals, range};
use pdpp_store::records::{CollectionQuery, Condition};
use pdpp_store::scope::{CollectionScope, ReadScope};

const OPERATORS: [RangeOperator; 4] =
    [RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];

/// What of which collections a read may see.
pub(super) struct Limits {
    /// An account and a stream each.
    pub parts: Vec<(usize, &'static str)>,
    few_fields: bool,
    /// Ends of a span of time; an empty one is open.
    time: Option<(String, String)>,
    only: Option<Vec<String>>,
    leave_out_codes: bool,
    leave_out_secrets: bool,
}

impl Limits {
    /// Everything of one collection.
    pub(super) fn one(account: usize, stream: &'static str) -> Self {
        let parts = vec![(account, stream)];
        Self {
            parts,
            few_fields: false,
            time: None,
            only: None,
            leave_out_codes: false,
            leave_out_secrets: false,
        }
    }

    pub(super) fn scope(&self, side: &Side) -> ReadScope {
        let part = |(account, stream): &(usize, &'static str)| {
            let mut part: CollectionScope = side.accounts[*account].all(stream);
            if self.few_fields {
                part.fields = fields(&["id", "title"]);
            }
            if *stream == "notes" {
                part.time =
                    self.time.as_ref().and_then(|(since, until)| between("at", since, until));
            }
            if let Some(only) = &self.only {
                part.records = ids(&only.iter().map(String::as_str).collect::<Vec<_>>());
            }
            part.leave_out_codes = self.leave_out_codes;
            part.leave_out_secrets = self.leave_out_secrets;
            part
        };
        ReadScope::new(self.parts.iter().map(part).collect())
    }

    /// The same query for every part.
    pub(super) fn queries(&self, conditions: &[Condition]) -> Vec<CollectionQuery> {
        let query = |(_, stream): &(usize, &str)| CollectionQuery {
            order_field: (*stream == "notes").then(|| field_name("at")),
            conditions: conditions.to_vec(),
        };
        self.parts.iter().map(query).collect()
    }
}

impl Pair {
    pub(super) fn limits(&mut self) -> Limits {
        let all = (0..NAMES.len()).flat_map(|account| [(account, "notes"), (account, "titles")]);
        let mut parts: Vec<_> = all.filter(|_| !self.chance.once_in(3)).collect();
        if parts.is_empty() {
            parts.push((self.account(), self.stream()));
        }
        let only = self.chance.once_in(10).then(|| (0..5).map(|_| self.chance.key()).collect());
        Limits {
            parts,
            few_fields: self.chance.once_in(4),
            time: self.chance.once_in(4).then(|| (self.end_of_time(), self.end_of_time())),
            only,
            leave_out_codes: self.chance.once_in(3),
            leave_out_secrets: self.chance.once_in(3),
        }
    }

    fn end_of_time(&mut self) -> String {
        if self.chance.once_in(3) { String::new() } else { self.chance.instant() }
    }

    pub(super) fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if self.chance.once_in(3) {
            conditions.push(equals(FieldKind::String, "kind", self.chance.kind()));
        }
        if self.chance.once_in(8) {
            let words = 1 + self.chance.below(2);
            conditions.push(equals(FieldKind::String, "title", &self.chance.sentence(words)));
        }
        if self.chance.once_in(12) {
            conditions.push(equals(FieldKind::Date, "day", &self.chance.date()));
        }
        for (field, kind) in [
            ("amount", FieldKind::Number),
            ("at", FieldKind::DateTime),
            ("day", FieldKind::Date),
            ("title", FieldKind::String),
        ] {
            if self.chance.once_in(8) {
                let operator = self.chance.of(&OPERATORS);
                conditions.push(range(kind, field, operator, &self.bound(kind)));
            }
        }
        conditions
    }

    fn bound(&mut self, kind: FieldKind) -> String {
        match kind {
            FieldKind::Number => self.chance.number().to_owned(),
            FieldKind::Date | FieldKind::DateTime => self.chance.instant(),
            _ => {
                let words = 1 + self.chance.below(4);
                self.chance.sentence(words)
            }
        }
    }
}
