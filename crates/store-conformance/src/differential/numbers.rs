//! Random aggregates, several at once: on Postgres their sessions then help each other, or find none free.

use futures_util::future::join_all;
use pdpp_contract::FieldName;

use super::limits::Limits;
use super::{Pair, Side};
use crate::sample::field_name;
use pdpp_store::aggregate::{
    Aggregate, AggregateFields, AggregateQuery, GroupPlace, GroupQuery, Measure,
};

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
        let (measure, measured) = match self.chance.below(9) {
            0 => (Measure::Sum, "amount"),
            1 => (Measure::Mean, "amount"),
            2 => (Measure::Distinct, "title"),
            3 => (Measure::Least, "at"),
            4 => (Measure::Greatest, "amount"),
            5 => (Measure::Greatest, "day"),
            6 => (Measure::Distinct, "day"),
            _ => (Measure::Count, ""),
        };
        let grouped = self.chance.of(&["kind", "at", "done", "title"]);
        let by_value = self.chance.once_in(2);
        let buckets = self.chance.once_in(2).then(|| self.chance.buckets());
        let own = |field: &str, stream: &str| {
            let has = !field.is_empty() && (stream == "notes" || SHARED.contains(&field));
            has.then(|| field_name(field))
        };
        let mut fields = Vec::new();
        for (_, stream) in &limits.parts {
            fields.push(AggregateFields {
                measured: own(measured, stream),
                grouped: own(grouped, stream).filter(|_| by_value),
                time: buckets.as_ref().and_then(|_| self.time_field(stream)),
            });
        }
        let most = 1 + self.chance.below(if by_value { 5 } else { 100 });
        // A place that no group has: the next page goes on by its position.
        let after =
            self.chance.once_in(3).then(|| GroupPlace { position: 1 + most as u64, last: 0 });
        let grouping =
            (by_value || buckets.is_some()).then(|| GroupQuery { by_value, buckets, after, most });
        AggregateQuery {
            collections: limits.queries(&self.conditions()),
            fields,
            measure,
            grouping,
        }
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
