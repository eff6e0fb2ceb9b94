//! The log in words: alike things in one line, and no two reasons in one.

use pdpp_auth::{AuditActor, AuditEvent, AuditWord, GrantSelector};
use pdpp_contract::PackageId;

use super::browser::Browser;
use crate::world::{World, connection_id};

/// Calls of one agent, noted under its package: operation, stream, account, records, outcome.
type Noted = (&'static str, Option<&'static str>, Option<&'static str>, u64, &'static str);

async fn package(world: &World) -> PackageId {
    world.agent(&["blue", "red"]).await;
    let owner = world.auth.local_owner();
    let client = GrantSelector::Client("agent".parse().unwrap());
    world.auth.package(&owner, &client).await.unwrap().remove(0).package_id
}

async fn note(world: &World, package: &PackageId, calls: &[Noted]) {
    let at = "2026-11-15T11:00:00Z".parse().unwrap();
    let event = |(operation, stream, account, records, outcome): &Noted| AuditEvent {
        actor: AuditActor::Client("agent".parse().unwrap()),
        package_id: Some(package.clone()),
        stream: stream.map(|stream| stream.parse().unwrap()),
        connection_ids: account.map(connection_id).into_iter().collect(),
        records_returned: *records,
        outcome: AuditWord::new(outcome),
        ..AuditEvent::by_owner(at, operation)
    };
    world.store.append_audit(calls.iter().map(event).collect()).await.unwrap();
}

/// Every line of the list of reads on the page of one access, the newest first.
async fn told(world: &World, package: &PackageId) -> Vec<String> {
    let browser = Browser::signed_in(world).await;
    let page = browser.get(&format!("/owner/access/{package}")).await.text().to_owned();
    let (_, reads) = page.split_once("<h2>Activity</h2>").unwrap();
    let lines = reads.split("<li").skip(1).map(|line| {
        let (_, words) = line.split_once('>').unwrap();
        words.split(" <span").next().unwrap().to_owned()
    });
    lines.collect()
}

#[tokio::test]
async fn refusals_for_different_reasons_are_told_apart() {
    let world = World::filled().await;
    let package = package(&world).await;
    let calls = [
        ("mcp_query_records", Some("notes"), None, 0, "field_not_granted"),
        ("mcp_query_records", Some("notes"), None, 0, "invalid_sort"),
        ("mcp_query_records", Some("notes"), Some("blue"), 0, "field_not_granted"),
        ("mcp_query_records", None, None, 0, "ambiguous_connection"),
        ("mcp_query_records", None, None, 0, "grant_stream_not_allowed"),
        ("mcp_query_records", None, None, 0, "ambiguous_connection"),
        // As it was noted before the code was.
        ("mcp_query_records", None, None, 0, "refused"),
    ];
    note(&world, &package, &calls).await;
    let mut lines = told(&world, &package).await;
    lines.retain(|line| line.starts_with("Query records"));
    assert_eq!(
        lines,
        [
            "Query records: refused.",
            "Query records: no account given, in 2 calls.",
            "Query records: refused (grant stream not allowed).",
            "Query records of notes: refused (field not granted), in 2 calls.",
            "Query records of notes: refused (invalid sort).",
        ]
    );
}

#[tokio::test]
async fn a_read_of_one_record_or_none_says_of_what() {
    let world = World::filled().await;
    let package = package(&world).await;
    let calls = [
        ("mcp_query_records", Some("notes"), Some("blue"), 3, "ok"),
        ("mcp_fetch", Some("notes"), Some("blue"), 1, "ok"),
        ("list_records", Some("notes"), None, 0, "ok"),
        ("mcp_query_records", Some("long_gone"), None, 0, "ok"),
        ("mcp_search", None, Some("red"), 1, "ok"),
    ];
    note(&world, &package, &calls).await;
    let mut lines = told(&world, &package).await;
    lines.retain(|line| !line.starts_with("Allowed"));
    assert_eq!(
        lines,
        [
            "Searched: 1 record from The red one.",
            "Read 0 records of long gone.",
            "Read 0 notes.",
            "Read 1 record of notes from The blue one.",
            "Read 3 notes from The blue one.",
        ]
    );
}

#[tokio::test]
async fn the_former_address_leads_to_the_activity_page() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    let reply = browser.get("/owner/reads?since=7d").await;
    assert_eq!(reply.status, 303);
    assert_eq!(browser.led_to(&reply), "/owner/activity?since=7d");
}
