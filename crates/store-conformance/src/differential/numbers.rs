//! Random aggregates, several at once: on Postgres their sessions then help each other, or find none free.

use futures_util::future::join_all;
use pdpp_contract::FieldName;

use super::limits::Limits;
use super::{Pair, Side};
use crate::sample::field_name;
use pdpp_store::aggregate::{Aggregate, AggregateQuery, Measure};

/// Fields that both streams have.
const SHARED: [&str; 3] = ["kind", "title", "day"];

impl Pair {
    pub(super) async fn aggregate(&mut self) {
        let count = 1 + self.chance.below(3);
        let asked: Vec<_> = (0..count)
            .map(|_| {
                let limits = self.limits();
                let query = self.aggregate_query(&limits);
                (limits, query)
            })
            .collect();
        let read = async |side: &Side| -> Vec<Aggregate> {
            let answers = asked.iter().map(|(limits, query)| async {
                side.store.aggregate(&limits.scope(side), query.clone()).await.unwrap()
            });
            join_all(answers).await
        };
        let (left, right) = (read(&self.left).await, read(&self.right).await);
        for ((limits, query), (left, right)) in asked.iter().zip(left.iter().zip(&right)) {
            self.same(&(&limits.parts, query), left, right);
        }
    }

    fn aggregate_query(&mut self, limits: &Limits) -> AggregateQuery {
        let collections = limits.queries(&self.conditions());
        if self.chance.once_in(2) {
            let buckets = self.chance.buckets();
            let measure = Measure::Times { buckets, most: 1 + self.chance.below(100) };
            let fields = limits.parts.iter().map(|(_, stream)| self.time_field(stream)).collect();
            return AggregateQuery { collections, fields, measure };
        }
        let (field, measure) = match self.chance.below(9) {
            0 => ("amount", Measure::Sum),
            1 => ("kind", Measure::Groups { most: 1 + self.chance.below(5) }),
            2 => ("title", Measure::Distinct),
            3 => ("at", Measure::Least),
            4 => ("amount", Measure::Greatest),
            5 => ("day", Measure::Greatest),
            6 => ("day", Measure::Distinct),
            7 => ("at", Measure::Groups { most: 4 }),
            _ => ("done", Measure::Groups { most: 3 }),
        };
        let own = |stream: &str| stream == "notes" || SHARED.contains(&field);
        let fields = limits.parts.iter().map(|(_, stream)| own(stream).then(|| field_name(field)));
        AggregateQuery { collections, fields: fields.collect(), measure }
    }

    /// A field to count by; now and then a part has none.
    fn time_field(&mut self, stream: &str) -> Option<FieldName> {
        if self.chance.once_in(9) {
            return None;
        }
        let field = if stream == "notes" { self.chance.of(&["at", "day"]) } else { "day" };
        Some(field_name(field))
    }
}
