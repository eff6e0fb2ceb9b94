//! Aggregates: exact numbers over what a scope shows.

use std::sync::Arc;

use pdpp_contract::Json;
use pdpp_contract::aggregate::Granularity;
use pdpp_contract::declaration::FieldKind;

use super::sample::{Account, between, declaration, field_name, fields, one};
use super::{Ask, CaseTable, cases, equals};
use pdpp_store::Store;
use pdpp_store::aggregate::{
    Aggregate, AggregateFields, AggregateQuery, GroupPlace, GroupQuery, Measure, MeasuredGroup,
    TimeBuckets,
};
use pdpp_store::records::{CollectionQuery, Condition};
use pdpp_store::scope::ReadScope;

pub(super) const CASES: CaseTable = cases![
    sums_are_exact_over_several_connections,
    extremes_keep_their_spelling,
    groups_are_merged_before_they_are_cut,
    values_are_equal_whatever_their_spelling,
    hidden_records_count_nowhere,
    a_field_outside_the_scope_is_a_missing_value,
    times_fall_into_the_buckets_of_their_zone,
    times_of_several_connections_add_up,
    conditions_narrow_and_groups_add_up,
    every_one_of_many_numbers_is_summed,
];

/// One measure over a field, or a count of groups by it.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) measure: Measure,
    /// The measured field.
    pub(super) field: Option<&'static str>,
    pub(super) by: Option<&'static str>,
    pub(super) time: Option<(&'static str, TimeBuckets)>,
    pub(super) most: usize,
    pub(super) after: Option<GroupPlace>,
}

impl Asked {
    pub(super) fn of(measure: Measure, field: &'static str) -> Self {
        Self { measure, field: Some(field), by: None, time: None, most: 100, after: None }
    }

    pub(super) fn count() -> Self {
        Self { field: None, ..Self::of(Measure::Count, "") }
    }

    pub(super) fn by(self, field: &'static str) -> Self {
        Self { by: Some(field), ..self }
    }

    pub(super) fn per(self, field: &'static str, granularity: Granularity, zone: &str) -> Self {
        Self { time: Some((field, TimeBuckets::new(granularity, zone).unwrap())), ..self }
    }

    fn query(&self, scope: &ReadScope, conditions: &[Condition]) -> AggregateQuery {
        let own = CollectionQuery { order_field: None, conditions: conditions.to_vec() };
        let fields = scope.collections().iter().map(|part| {
            let shown = |field: Option<&str>| {
                field.filter(|field| part.fields.contains(*field)).map(field_name)
            };
            AggregateFields {
                measured: shown(self.field),
                grouped: shown(self.by),
                time: shown(self.time.as_ref().map(|(field, _)| *field)),
            }
        });
        let grouped = self.by.is_some() || self.time.is_some();
        AggregateQuery {
            collections: scope.collections().iter().map(|_| own.clone()).collect(),
            fields: fields.collect(),
            measure: self.measure,
            grouping: grouped.then(|| GroupQuery {
                by_value: self.by.is_some(),
                buckets: self.time.as_ref().map(|(_, buckets)| buckets.clone()),
                after: self.after,
                most: self.most,
            }),
        }
    }
}

pub(super) async fn ask(
    store: &Arc<dyn Store>,
    scope: &ReadScope,
    asked: &Asked,
    conditions: &[Condition],
) -> Aggregate {
    store.aggregate(scope, asked.query(scope, conditions)).await.unwrap()
}

/// The value, or the groups: keys by `/`, what was computed after `=`.
pub(super) async fn measured(store: &Arc<dyn Store>, scope: &ReadScope, asked: Asked) -> String {
    let found = ask(store, scope, &asked, &[]).await;
    let text = |value: &Json| value.to_canonical();
    match found.groups {
        None => found.value.as_ref().map_or(String::new(), text),
        Some(page) => page.groups.iter().map(shown).collect::<Vec<_>>().join(" "),
    }
}

pub(super) fn shown(group: &MeasuredGroup) -> String {
    let keys: Vec<String> =
        [&group.time, &group.key].into_iter().flatten().map(Json::to_canonical).collect();
    let value = group.value.as_ref().map_or(String::new(), Json::to_canonical);
    format!("{}={value}", keys.join("/"))
}

fn groups(field: &'static str, most: usize) -> Asked {
    Asked { most, ..Asked::count().by(field) }
}

fn times(granularity: Granularity, zone: &str) -> Asked {
    Asked::count().per("at", granularity, zone)
}

/// Two connections with amounts.
async fn amounts(store: &Arc<dyn Store>, a: &[&str], b: &[&str]) -> ReadScope {
    let mut parts = Vec::new();
    for (name, amounts) in [("a", a), ("b", b)] {
        let account = Account::open(store, name).await;
        let record = |(at, amount): (usize, &&str)| format!(r#"{{"id":"{at}","amount":{amount}}}"#);
        let records: Vec<String> = amounts.iter().enumerate().map(record).collect();
        account.put("notes", &records).await;
        parts.push(account.all("notes"));
    }
    ReadScope::new(parts)
}

async fn sums_are_exact_over_several_connections(store: Arc<dyn Store>) {
    let scope = amounts(&store, &["0.1", "0.2", "1e-30"], &["12345678901234567890", "-0.3"]).await;
    let sum = measured(&store, &scope, Asked::of(Measure::Sum, "amount")).await;
    assert_eq!(sum, "12345678901234567890.000000000000000000000000000001");
    let none = Account::open(&store, "c").await.scope("notes");
    assert_eq!(measured(&store, &none, Asked::of(Measure::Sum, "amount")).await, "0");
}

async fn extremes_keep_their_spelling(store: Arc<dyn Store>) {
    let scope = amounts(&store, &["5", "1.50", "15e0"], &["1.5", "15.0", "2"]).await;
    assert_eq!(
        measured(&store, &scope, Asked::of(Measure::Least, "amount")).await,
        "1.5",
        "the lowest key"
    );
    assert_eq!(measured(&store, &scope, Asked::of(Measure::Greatest, "amount")).await, "15.0");
    let none = Account::open(&store, "c").await.scope("notes");
    assert_eq!(measured(&store, &none, Asked::of(Measure::Least, "amount")).await, "null");
}

async fn groups_are_merged_before_they_are_cut(store: Arc<dyn Store>) {
    let mut parts = Vec::new();
    for (name, own) in [("a", "x"), ("b", "y")] {
        let account = Account::open(&store, name).await;
        let record = |at: usize| {
            let kind = if at < 3 { own } else { "😀" };
            format!(r#"{{"id":"{at}","kind":"{kind}"}}"#)
        };
        account.put("notes", &(0..5).map(record).collect::<Vec<_>>()).await;
        account.put("notes", &[r#"{"id":"9"}"#]).await;
        parts.push(account.all("notes"));
    }
    let scope = ReadScope::new(parts);
    let first = ask(&store, &scope, &groups("kind", 1), &[]).await;
    assert_eq!(first.records, 12);
    assert_eq!(measured(&store, &scope, groups("kind", 1)).await, "\"😀\"=4");
    let all = measured(&store, &scope, groups("kind", 9)).await;
    assert_eq!(all, "\"😀\"=4 \"x\"=3 \"y\"=3 null=2");
    assert_eq!(measured(&store, &scope, Asked::of(Measure::Distinct, "kind")).await, "3");
}

async fn values_are_equal_whatever_their_spelling(store: Arc<dyn Store>) {
    let scope = amounts(&store, &["1", "1.0", "10e-1"], &["1.00", "-1", "null"]).await;
    assert_eq!(measured(&store, &scope, Asked::of(Measure::Distinct, "amount")).await, "2");
    assert_eq!(measured(&store, &scope, groups("amount", 9)).await, "1=4 -1=1 null=1");
}

async fn hidden_records_count_nowhere(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |id: &str, day: u32| {
        format!(r#"{{"id":"{id}","at":"2026-01-{day:02}","kind":"k","count":{day}}}"#)
    };
    account.put("notes", &[record("1", 1), record("2", 2), record("3", 20)]).await;
    account.put("notes", &[r#"{"id":"4","kind":"k","count":4}"#]).await;
    account.put_with_codes("notes", &record("5", 3)).await;
    account.delete("notes", "1").await;
    let mut collection = account.all("notes");
    collection.time = between("at", "2026-01-01", "2026-01-15");
    collection.leave_out_codes = true;
    let scope = one(collection);
    let sum = Asked::of(Measure::Sum, "count");
    for (asked, expected) in [
        (sum.clone(), "2"),
        (Asked::of(Measure::Greatest, "count"), "2"),
        (groups("kind", 9), "\"k\"=1"),
        (times(Granularity::Day, "UTC"), "\"2026-01-02\"=1"),
        (sum.clone().by("kind"), "\"k\"=2"),
        (sum.by("kind").per("at", Granularity::Day, "UTC"), "\"2026-01-02\"/\"k\"=2"),
    ] {
        assert_eq!(measured(&store, &scope, asked).await, expected);
    }
}

async fn a_field_outside_the_scope_is_a_missing_value(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    for account in [&a, &b] {
        account.put("notes", &[r#"{"id":"1","kind":"k","count":7}"#]).await;
    }
    let mut hidden = b.all("notes");
    hidden.fields = fields(&["id"]);
    let scope = ReadScope::new(vec![a.all("notes"), hidden]);
    assert_eq!(measured(&store, &scope, groups("kind", 9)).await, "\"k\"=1 null=1");
    assert_eq!(measured(&store, &scope, Asked::of(Measure::Sum, "count")).await, "7");
    assert_eq!(ask(&store, &scope, &Asked::of(Measure::Sum, "count"), &[]).await.records, 2);
}

async fn times_fall_into_the_buckets_of_their_zone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let times_of = [
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T00:00:00Z",
        "2026-10-25",
        "no time",
    ];
    let record = |(at, time): (usize, &&str)| format!(r#"{{"id":"{at}","at":"{time}"}}"#);
    let records: Vec<String> = times_of.iter().enumerate().map(record).collect();
    account.put("notes", &records).await;
    let scope = account.scope("notes");
    let hours = times(Granularity::Hour, "Europe/Berlin");
    assert_eq!(
        measured(&store, &scope, hours).await,
        "\"2026-10-25T00:00:00+02:00\"=1 \"2026-10-25T02:00:00+02:00\"=2 \
         \"2026-10-25T02:00:00+01:00\"=1 null=1"
    );
    let days = times(Granularity::Day, "America/New_York");
    let days = measured(&store, &scope, days).await;
    assert_eq!(days, "\"2026-10-24\"=3 \"2026-10-25\"=1 null=1");
    let months = measured(&store, &scope, times(Granularity::Month, "UTC")).await;
    assert_eq!(months, "\"2026-10-01\"=4 null=1");
}

async fn times_of_several_connections_add_up(store: Arc<dyn Store>) {
    let mut parts = Vec::new();
    for (at, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        let account = Account::open(&store, name).await;
        // Many at one instant, some around it, one without a time; no connection like the other.
        let same = (0..9 + at).map(|_| "2026-05-04T12:00:00Z".to_owned());
        let around = (0..4).map(|day| format!("2026-05-{:02}T12:00:00.{at}Z", 3 + day % 3));
        let times = same.chain(around).chain(["no time".to_owned()]).enumerate();
        let record = |(id, time): (usize, String)| format!(r#"{{"id":"{id}","at":"{time}"}}"#);
        account.put("notes", &times.map(record).collect::<Vec<_>>()).await;
        parts.push(account.all("notes"));
    }
    let scope = ReadScope::new(parts);
    let days = measured(&store, &scope, times(Granularity::Day, "UTC")).await;
    assert_eq!(days, "\"2026-05-03\"=10 \"2026-05-04\"=60 \"2026-05-05\"=5 null=5");
    let all = ask(&store, &scope, &times(Granularity::Year, "UTC"), &[]).await;
    assert_eq!(all.records, 80);
}

async fn conditions_narrow_and_groups_add_up(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |at: usize| {
        let (kind, done) = (["x", "y", "z"][at % 3], at.is_multiple_of(2));
        let day = 1 + at % 28;
        format!(
            r#"{{"id":"{at}","at":"2026-01-{day:02}","kind":"{kind}","done":{done},"rate":{at}}}"#
        )
    };
    account.put("notes", &(0..60).map(record).collect::<Vec<_>>()).await;
    let scope = account.scope("notes");
    for conditions in [
        vec![],
        vec![equals(FieldKind::Boolean, "done", "true")],
        vec![equals(FieldKind::String, "kind", "y"), equals(FieldKind::Boolean, "done", "false")],
        vec![equals(FieldKind::Number, "rate", "7")],
    ] {
        let mut list = Ask::by_key();
        list.conditions.clone_from(&conditions);
        let count = list.count(&store, &scope).await;
        for asked in [
            groups("kind", 100),
            groups("done", 100),
            times(Granularity::Week, "Asia/Tokyo"),
            times(Granularity::Week, "Asia/Tokyo").by("kind"),
            Asked::of(Measure::Mean, "rate").by("kind"),
        ] {
            let found = ask(&store, &scope, &asked, &conditions).await;
            let groups = found.groups.unwrap().groups;
            assert_eq!(groups.iter().map(|group| group.records).sum::<u64>(), count);
            assert_eq!(found.records, count);
        }
    }
}

/// More numbers than an index can carry along.
async fn every_one_of_many_numbers_is_summed(store: Arc<dyn Store>) {
    let names: Vec<String> = (0..60).map(|n| format!("f{n}")).collect();
    let properties: String =
        names.iter().map(|f| format!(r#","{f}":{{"type":"number"}}"#)).collect();
    let mut source: serde_json::Value = serde_json::from_str(super::sample::SAMPLE).unwrap();
    let schema = format!(
        r#"{{"type":"object","required":["id"],"properties":{{"id":{{"type":"string"}},
            "at":{{"type":"string","format":"date-time"}}{properties}}}}}"#
    );
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    source["streams"] = serde_json::json!([{
        "name": "wide", "semantics": "mutable_state", "schema": schema, "primary_key": ["id"],
        "selection": {"fields": true, "resources": true},
        "cursor_field": "at", "consent_time_field": "at", "query": {"aggregations": {"sum": names}},
    }]);
    let wide = Account::declared(&store, "wide", declaration(&source.to_string())).await;
    let record = |id: u32| {
        let numbers: String = names.iter().map(|f| format!(r#","{f}":{id}"#)).collect();
        format!(r#"{{"id":"{id}","at":"2026-01-0{id}T00:00:00Z"{numbers}}}"#)
    };
    wide.put("wide", &[record(1), record(2), record(3)]).await;
    let mut late = wide.all("wide");
    late.time = between("at", "2026-01-02T00:00:00Z", "2026-02-01T00:00:00Z");
    for field in [&names[0], &names[27], &names[28], &names[59]] {
        let field: &'static str = field.clone().leak();
        let sum = Asked::of(Measure::Sum, field);
        assert_eq!(measured(&store, &wide.scope("wide"), sum.clone()).await, "6");
        assert_eq!(measured(&store, &one(late.clone()), sum).await, "5");
    }
}
