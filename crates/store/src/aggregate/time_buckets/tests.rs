//! Clocks that go back and forth, dates in every zone, long and short buckets.

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::{Instant, Json};

use super::*;
use crate::SortKey;

fn counted(granularity: Granularity, zone: &str, times: &[&str]) -> Vec<(String, u64)> {
    let mut counts = BucketCounts::new(TimeBuckets::new(granularity, zone).unwrap());
    for time in times {
        let seconds = Instant::parse(time).unwrap().unix_seconds();
        if time.len() == 10 { counts.add_date(seconds) } else { counts.add(seconds) }
    }
    let named = |(key, count): (Option<String>, u64)| (key.unwrap_or_default(), count);
    shown(counts).into_iter().map(named).collect()
}

fn shown(counts: BucketCounts) -> Vec<(Option<String>, u64)> {
    let (buckets, counts) = counts.ordered();
    let key = |bucket: Option<Bucket>| bucket.and_then(|bucket| buckets.key(bucket));
    counts.into_iter().map(|(bucket, count)| (key(bucket), count)).collect()
}

fn keys(granularity: Granularity, zone: &str, times: &[&str]) -> Vec<String> {
    counted(granularity, zone, times).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn keys_counted_apart_and_brought_together_are_counted_once() {
    let texts = ["2026-10-24", "2026-10-25", "2026-10-25", "2026-10-26"];
    let zone = || BucketCounts::new(TimeBuckets::new(Granularity::Hour, "Asia/Tokyo").unwrap());
    let key = |text: &str| SortKey::of(FieldKind::Date, &Json::String(text.to_owned())).unwrap();
    let keys = texts.map(key);
    for split in 0..=keys.len() {
        let (mut one, mut other) = (zone(), zone());
        one.add_keys(keys[..split].iter().map(SortKey::as_bytes), true);
        other.add_keys(keys[split..].iter().map(SortKey::as_bytes), true);
        other.add_keys([b"no key".as_slice()], true);
        one.merge(other);
        let found: Vec<_> = shown(one).into_iter().map(|(_, count)| count).collect();
        assert_eq!(found, [1, 2, 1, 1], "{split}");
    }
    let mut instants = zone();
    instants.add_keys(keys[..1].iter().map(SortKey::as_bytes), false);
    assert_eq!(shown(instants)[0].0.as_deref(), Some("2026-10-24T09:00:00+09:00"));
}

#[test]
fn the_hour_that_comes_twice_is_two_buckets() {
    let times = [
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T00:59:59Z",
        "2026-10-25T02:00:00Z",
    ];
    let expected = [
        ("2026-10-25T02:00:00+02:00".to_owned(), 2),
        ("2026-10-25T02:00:00+01:00".to_owned(), 1),
        ("2026-10-25T03:00:00+01:00".to_owned(), 1),
    ];
    assert_eq!(counted(Granularity::Hour, "Europe/Berlin", &times), expected);
    assert_eq!(keys(Granularity::Day, "Europe/Berlin", &times), ["2026-10-25"]);
}

#[test]
fn a_day_has_the_hours_its_zone_gives_it() {
    let times: Vec<String> = (0..48)
        .map(|hour| format!("2026-03-{:02}T{:02}:00:00Z", 28 + hour / 24, hour % 24))
        .collect();
    let times: Vec<&str> = times.iter().map(String::as_str).collect();
    let counts = counted(Granularity::Day, "Europe/Berlin", &times);
    let expected = [
        ("2026-03-28".to_owned(), 23),
        ("2026-03-29".to_owned(), 23),
        ("2026-03-30".to_owned(), 2),
    ];
    assert_eq!(counts, expected);
    assert_eq!(counted(Granularity::Hour, "Europe/Berlin", &times).len(), 48);
}

#[test]
fn a_date_is_its_own_day_in_every_zone() {
    for zone in ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu"] {
        let found = counted(Granularity::Day, zone, &["2026-03-01", "2026-03-01T12:00:00+14:00"]);
        assert_eq!(found.iter().map(|(_, count)| count).sum::<u64>(), 2);
        assert!(found.iter().any(|(key, _)| key == "2026-03-01"), "{zone}: {found:?}");
        assert_eq!(keys(Granularity::Month, zone, &["2026-03-01"]), ["2026-03-01"]);
    }
    let hour = |zone| keys(Granularity::Hour, zone, &["2026-03-01"]);
    assert_eq!(hour("America/Los_Angeles"), ["2026-03-01T00:00:00-08:00"]);
    assert_eq!(hour("UTC"), ["2026-03-01T00:00:00Z"]);
    // In Cairo clocks once jumped from midnight to one.
    let gap = keys(Granularity::Hour, "Africa/Cairo", &["2024-04-26"]);
    assert_eq!(gap, ["2024-04-26T01:00:00+03:00"]);
}

#[test]
fn longer_buckets_begin_where_people_expect() {
    let at = ["2026-11-15T12:00:00Z"];
    for (granularity, expected) in [
        (Granularity::Minute, "2026-11-15T12:00:00Z"),
        (Granularity::Week, "2026-11-09"),
        (Granularity::Month, "2026-11-01"),
        (Granularity::Quarter, "2026-10-01"),
        (Granularity::Year, "2026-01-01"),
    ] {
        assert_eq!(keys(granularity, "UTC", &at), [expected]);
    }
    // Monday begins in Auckland while it is Sunday in London.
    assert_eq!(keys(Granularity::Week, "Pacific/Auckland", &at), ["2026-11-16"]);
    assert_eq!(keys(Granularity::Year, "UTC", &["1969-12-31T23:59:59Z"]), ["1969-01-01"]);
    assert_eq!(keys(Granularity::Year, "UTC", &["9999-06-01T00:00:00Z"]), ["9999-01-01"]);
}

#[test]
fn half_hour_shifts_and_unknown_zones() {
    // On Lord Howe Island clocks go back by half an hour, from two to half past one.
    let times = ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z", "2026-04-04T15:45:00Z"];
    assert_eq!(
        keys(Granularity::Hour, "Australia/Lord_Howe", &times),
        ["2026-04-05T01:00:00+11:00", "2026-04-05T01:00:00+10:30", "2026-04-05T02:00:00+10:30"]
    );
    assert!(TimeBuckets::new(Granularity::Day, "Europe/Atlantis").is_none());
}

#[test]
fn a_range_gives_every_instant_the_bucket_it_would_get_alone() {
    for zone in ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran"] {
        for granularity in [Granularity::Hour, Granularity::Day, Granularity::Week] {
            let times: Vec<i64> = (0..3_000).map(|n| 1_140_000_000 + n * 7_919).collect();
            let buckets = TimeBuckets::new(granularity, zone).unwrap();
            let mut together = BucketCounts::new(buckets.clone());
            let mut alone = BucketCounts::new(buckets);
            for time in &times {
                together.add(*time);
                alone.add(*time);
                alone.settle();
            }
            assert_eq!(shown(together), shown(alone), "{zone} {granularity:?}");
        }
    }
}
