//! Groups add up to the list with the same filter, whatever the grant, the filter and the grouping.

use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::{Filter, FilterTest, ListRequest};
use pdpp_contract::{FieldName, ReadApi, StreamName};
use serde_json::{Value, json};

use crate::world::{World, mail, message};

const GRANTS: [&[&str]; 4] = [
    &["work-mail/messages", "home-mail/messages"],
    &["work-mail/messages:id,sent_at,subject,size@2026-02-02..2026-02-20"],
    &["work-mail/messages:id,size,sent_at", "home-mail/messages:id,sent_at@2026-02-10..2026-03-01"],
    &["home-mail/messages:id,sent_at,subject@..2026-02-15"],
];

fn field(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

fn data(n: u64) -> Value {
    let roll = |salt: u64, sides: u64| {
        (n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(salt * 977) >> 33) % sides
    };
    let sent_at = match roll(1, 6) {
        0 => Value::Null,
        1 => json!("unreadable"),
        2 => json!(format!("2026-02-{:02}", 1 + roll(2, 28))),
        _ => json!(format!("2026-02-{:02}T{:02}:30:00+02:00", 1 + roll(2, 28), roll(3, 24))),
    };
    let subject = match roll(4, 5) {
        0 => "Your verification code is 482913".to_owned(),
        kind => format!("subject {kind}"),
    };
    json!({"sent_at": sent_at, "subject": subject, "size": roll(5, 9)})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one property, told from top to bottom")]
async fn groups_add_up_to_the_list() {
    let world = World::new(51).await;
    for (name, base) in [("work-mail", 0), ("home-mail", 1_000)] {
        let line = |n: u64| message(&format!("m{n}"), data(base + n));
        world.import(name, &mail(), &(0..300).map(line).collect::<Vec<_>>()).await;
    }
    let exact = |name: &str, value: &str| Filter {
        field: field(name),
        test: FilterTest::Equals(value.to_owned()),
    };
    let range = |name: &str, operator, value: &str| Filter {
        field: field(name),
        test: FilterTest::Range(operator, value.to_owned()),
    };
    let filters = [
        vec![],
        vec![exact("subject", "subject 2")],
        vec![exact("size", "3"), exact("subject", "subject 1")],
        vec![range("size", RangeOperator::Gte, "4")],
        vec![range("sent_at", RangeOperator::Lt, "2026-02-12"), exact("id", "m7")],
    ];
    let time = |granularity, zone: &str| {
        Grouping::per(TimeGrouping {
            field: field("sent_at"),
            granularity,
            time_zone: Some(zone.to_owned()),
        })
    };
    let groupings = [
        Grouping::by(field("subject")),
        Grouping::by(field("size")),
        time(Granularity::Day, "Asia/Tokyo"),
        time(Granularity::Hour, "America/St_Johns"),
        time(Granularity::Month, "UTC"),
    ];
    let mut checked = 0;
    for (at, grant) in GRANTS.iter().enumerate() {
        let reader = world.reader_leaving_out(grant, at % 2 == 1).await;
        for filter in &filters {
            let mut list = ListRequest::new(StreamName::new("messages").unwrap());
            list.filter.clone_from(filter);
            list.count = CountKind::Exact;
            list.limit = Some(1);
            let Ok(page) = reader.list(list).await else {
                continue;
            };
            let total = page.meta.count.value.unwrap();
            for grouping in &groupings {
                for limit in [1, 3, 100] {
                    let request = AggregateRequest {
                        stream: StreamName::new("messages").unwrap(),
                        metric: Metric::Count,
                        field: None,
                        grouping: grouping.clone(),
                        limit: Some(limit),
                        cursor: None,
                        filter: filter.clone(),
                        connection_id: None,
                    };
                    let Ok(answer) = reader.aggregate(request).await else {
                        continue;
                    };
                    let groups = answer.groups.unwrap();
                    assert!(groups.len() <= usize::try_from(limit).unwrap());
                    assert!(groups.iter().all(|group| group.count > 0));
                    let shown: u64 = groups.iter().map(|group| group.count).sum();
                    assert_eq!(shown + answer.other_count.unwrap(), total, "{grant:?} {filter:?}");
                    assert_eq!(answer.filtered_record_count, total);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 150, "only {checked} answers were compared");
}
