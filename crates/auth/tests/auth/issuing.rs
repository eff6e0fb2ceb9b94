//! What an issued grant says.

use pdpp_auth::AuthError;
use pdpp_contract::access::AuditQuery;
use pdpp_contract::{AccessMode, StreamGrant};

use crate::bench::{Bench, connection, request};

/// A stream's name and its fields by name: their order in a grant means nothing.
fn shown(stream: &StreamGrant) -> (&str, Vec<&str>) {
    let mut fields: Vec<&str> = stream.fields.iter().map(AsRef::as_ref).collect();
    fields.sort_unstable();
    (stream.name.as_str(), fields)
}

#[tokio::test]
async fn a_whole_connection_is_written_out_stream_by_stream_and_field_by_field() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    let [grant] = issued.grants.as_slice() else { panic!("one connection, one grant") };
    let streams: Vec<_> = grant.streams.iter().map(shown).collect();
    let messages = vec!["body", "from", "id", "sent_at", "subject"];
    assert_eq!(streams, [("messages", messages), ("labels", vec!["id", "name"])]);
    assert!(grant.streams.iter().all(|s| s.connection_ids == [connection("cin_work")]));
    assert!(grant.streams.iter().all(|s| s.time_constraint.is_none()));
    assert_eq!(grant.source_declaration.version, "7");
    assert_eq!(issued.added_key_fields, []);
    assert_eq!(grant.check(), Ok(()));
}

#[tokio::test]
async fn key_fields_are_added_and_said() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["cin_work/messages:subject", "work-mail/labels:id"]).await;
    assert_eq!(shown(&issued.grants[0].streams[0]), ("messages", vec!["id", "subject"]));
    let [added] = issued.added_key_fields.as_slice() else { panic!("one key field was added") };
    assert_eq!((added.stream.as_str(), added.field.as_str()), ("messages", "id"));
    assert_eq!(added.connection_id, connection("cin_work"));
}

#[tokio::test]
async fn several_specs_for_one_connection_become_one_grant() {
    let bench = Bench::new().await;
    let specs = ["work-mail/messages:subject", "home-mail/labels", "cin_work/messages:from"];
    let issued = bench.issue(&specs).await;
    let [work, home] = issued.grants.as_slice() else { panic!("one grant per connection") };
    assert_eq!(shown(&work.streams[0]), ("messages", vec!["from", "id", "subject"]));
    assert_eq!(shown(&home.streams[0]), ("labels", vec!["id", "name"]));
}

#[tokio::test]
async fn two_windows_on_one_stream_are_refused_and_equal_ones_are_not() {
    let bench = Bench::new().await;
    let different =
        ["work-mail/messages:subject@2026-01-01..", "work-mail/messages:from@2026-02-01.."];
    let refused = bench.try_issue(&different).await.unwrap_err();
    let AuthError::BadSpec(fault) = refused else { panic!("{refused}") };
    assert!(fault.reason.contains("another time range"), "{fault}");
    let bounded = ["work-mail/messages:subject@2026-01-01..", "work-mail"];
    assert!(matches!(bench.try_issue(&bounded).await, Err(AuthError::BadSpec(_))));
    let equal = [
        "work-mail/messages:subject@2026-01-01..",
        "work-mail/messages:from@2026-01-01T01:00:00+01:00..",
    ];
    let issued = bench.issue(&equal).await;
    assert_eq!(shown(&issued.grants[0].streams[0]), ("messages", vec!["from", "id", "subject"]));
}

#[tokio::test]
async fn a_time_range_is_frozen_on_the_field_the_source_declares() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail/messages:subject@2026-01-01..2026-02-01"]).await;
    let constraint = issued.grants[0].streams[0].time_constraint.as_ref().unwrap();
    assert_eq!(constraint.field.as_str(), "sent_at");
    assert_eq!(constraint.since.as_deref(), Some("2026-01-01T00:00:00Z"));
    assert_eq!(constraint.until.as_deref(), Some("2026-02-01T00:00:00Z"));
}

#[tokio::test]
async fn a_time_range_on_streams_without_time_is_refused_by_name() {
    let bench = Bench::new().await;
    for spec in ["work-mail@2026-01-01..", "work-mail/labels@..2026-01-01"] {
        let refused = bench.try_issue(&[spec]).await.unwrap_err();
        let AuthError::NotTimeBound { connection, streams } = refused else { panic!("{refused}") };
        assert_eq!(connection, "work-mail");
        assert_eq!(streams, ["labels".parse().unwrap()]);
    }
}

#[tokio::test]
async fn what_is_not_declared_is_refused_and_nothing_is_issued() {
    let bench = Bench::new().await;
    let refused = bench.try_issue(&["work-mail", "school-mail"]).await.unwrap_err();
    assert!(matches!(&refused, AuthError::UnknownConnection { name } if name == "school-mail"));
    let refused = bench.try_issue(&["work-mail/orders"]).await.unwrap_err();
    assert!(matches!(refused, AuthError::UnknownStream { .. }));
    let refused = bench.try_issue(&["work-mail/messages:subject,cc"]).await.unwrap_err();
    assert!(matches!(&refused, AuthError::UnknownField { field, .. } if field.as_str() == "cc"));
    assert!(matches!(bench.try_issue(&[]).await, Err(AuthError::BadSpec(_))));
    assert_eq!(bench.auth.packages(&bench.owner).await.unwrap(), []);
    let every = AuditQuery { limit: 10, ..AuditQuery::default() };
    assert_eq!(bench.store.audit_events(&every).await.unwrap(), []);
}

#[tokio::test]
async fn a_package_lives_ninety_days_and_a_single_use_one_hour() {
    let bench = Bench::new().await;
    let continuous = bench.issue(&["work-mail"]).await;
    assert_eq!(continuous.expires_at.to_string(), "2026-05-30T12:00:00.25Z");
    let mut once = request(&["work-mail"]);
    once.access_mode = AccessMode::SingleUse;
    let issued = bench.auth.issue_package(&bench.owner, once.clone()).await.unwrap();
    assert_eq!(issued.expires_at.to_string(), "2026-03-01T13:00:00.25Z");
    once.expires_in = Some("2w".parse().unwrap());
    let issued = bench.auth.issue_package(&bench.owner, once).await.unwrap();
    assert_eq!(issued.expires_at.to_string(), "2026-03-15T12:00:00.25Z");
    assert_eq!(issued.grants[0].expires_at.as_deref(), Some("2026-03-15T12:00:00.25Z"));
}

#[tokio::test]
async fn the_owner_sees_what_was_issued() {
    let bench = Bench::new().await;
    let mut asked = request(&["work-mail/labels"]);
    asked.leave_out_codes = true;
    let issued = bench.auth.issue_package(&bench.owner, asked).await.unwrap();
    let [summary] = &bench.auth.packages(&bench.owner).await.unwrap()[..] else { panic!() };
    assert_eq!(summary.package_id, issued.package_id);
    assert_eq!(summary.client.as_str(), "claude");
    assert_eq!(summary.grants[0].grant.as_ref(), Some(&issued.grants[0]));
    assert!(issued.grants[0].leave_out_codes);
    assert!(issued.package_id.as_str().starts_with("pkg_"));
    assert!(issued.grants[0].grant_id.as_str().starts_with("grt_"));
}
