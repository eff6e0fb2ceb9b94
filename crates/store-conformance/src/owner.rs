//! The owner as a person: one password, links and sessions that end, guesses that are counted.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::cases;
use super::sample::{EMITTED, time};
use pdpp_contract::access::{AuditActor, AuditEvent, AuditQuery};
use pdpp_store::Store;
use pdpp_store::owner::NewPassword;
use pdpp_store::sessions::NewSession;
use pdpp_store::tokens::TokenHash;

pub(super) const CASES: super::CaseTable = cases![
    a_link_sets_the_first_password_once,
    a_password_ends_other_sessions_and_forgets_guesses,
    a_session_takes_the_place_of_another,
    sessions_that_ended_are_gone,
    guesses_are_counted_by_name_and_forgotten_after_a_day,
    settings_keep_their_last_value,
    hours_count_what_agents_were_answered,
];

fn now() -> Timestamp {
    time(EMITTED)
}

fn event(operation: &'static str) -> AuditEvent {
    AuditEvent::by_owner(now(), operation)
}

fn password(hash: &str, setup: Option<&str>) -> NewPassword {
    let (password_hash, setup) = (hash.to_owned(), setup.map(TokenHash::of));
    NewPassword { password_hash, setup, keep_session: None }
}

fn session(name: &str, replaces: Option<&str>) -> NewSession {
    NewSession {
        hash: TokenHash::of(name),
        device: name.to_owned(),
        replaces: replaces.map(TokenHash::of),
        forget_before: now() - SignedDuration::from_hours(1),
        forgive: Vec::new(),
    }
}

async fn names(store: &Arc<dyn Store>) -> Vec<String> {
    let mut names: Vec<String> =
        store.sessions().await.unwrap().into_iter().map(|one| one.device).collect();
    names.sort();
    names
}

async fn a_link_sets_the_first_password_once(store: Arc<dyn Store>) {
    let later = now() + SignedDuration::from_mins(30);
    assert!(store.offer_setup(&TokenHash::of("old"), later).await.unwrap());
    assert!(store.offer_setup(&TokenHash::of("new"), later).await.unwrap());
    assert_eq!(store.setup_expires_at(&TokenHash::of("old")).await.unwrap(), None);
    assert_eq!(store.setup_expires_at(&TokenHash::of("new")).await.unwrap(), Some(later));
    let set = async |new, at| {
        let event = AuditEvent { at, ..event("owner_setup") };
        store.set_password(new, event).await.unwrap()
    };
    assert!(!set(password("h", Some("old")), now()).await);
    assert!(!set(password("h", Some("new")), later).await, "dead at the instant itself");
    assert_eq!(store.password_hash().await.unwrap(), None);
    assert!(set(password("h1", Some("new")), now()).await);
    assert_eq!(store.password_hash().await.unwrap().as_deref(), Some("h1"));
    assert!(!set(password("h2", Some("new")), now()).await, "spent");
    assert!(!store.offer_setup(&TokenHash::of("more"), later).await.unwrap());
    assert!(set(password("h3", None), now()).await, "the owner needs no link");
    assert_eq!(store.password_hash().await.unwrap().as_deref(), Some("h3"));
}

async fn a_password_ends_other_sessions_and_forgets_guesses(store: Arc<dyn Store>) {
    for name in ["here", "there"] {
        store.start_session(session(name, None), event("owner_login")).await.unwrap();
    }
    store.note_login_failure(&["a"], event(AuditEvent::LOGIN_FAILED)).await.unwrap();
    let keep_session = Some(TokenHash::of("here"));
    let new = NewPassword { keep_session, ..password("h", None) };
    assert!(store.set_password(new, event("owner_password")).await.unwrap());
    assert_eq!(names(&store).await, ["here"]);
    assert_eq!(store.login_failures("a").await.unwrap(), None);
}

async fn a_session_takes_the_place_of_another(store: Arc<dyn Store>) {
    let old = AuditEvent { at: now() - SignedDuration::from_hours(2), ..event("owner_login") };
    store.start_session(session("ancient", None), old).await.unwrap();
    store.start_session(session("first", None), event("owner_login")).await.unwrap();
    store.note_login_failure(&["a", "b"], event(AuditEvent::LOGIN_FAILED)).await.unwrap();
    let next = NewSession { forgive: vec!["a".to_owned()], ..session("second", Some("first")) };
    store.start_session(next, event("owner_login")).await.unwrap();
    assert_eq!(names(&store).await, ["second"], "the replaced and the old one are gone");
    assert_eq!(store.login_failures("a").await.unwrap(), None);
    assert_eq!(store.login_failures("b").await.unwrap().unwrap().count, 1);
    let again = store.start_session(session("second", None), event("owner_login")).await;
    assert!(again.is_err(), "a hash is kept once");
}

async fn sessions_that_ended_are_gone(store: Arc<dyn Store>) {
    for name in ["a", "b", "c"] {
        store.start_session(session(name, None), event("owner_login")).await.unwrap();
    }
    let (hash, later) = (TokenHash::of("a"), now() + SignedDuration::from_mins(5));
    store.touch_session(&hash, later).await.unwrap();
    store.touch_session(&hash, now()).await.unwrap();
    let found = store.find_session(&hash).await.unwrap().unwrap();
    assert_eq!((found.last_seen_at, found.created_at), (later, now()), "the later time stays");
    assert!(store.end_session(&TokenHash::of("b"), event("owner_logout")).await.unwrap());
    assert!(!store.end_session(&TokenHash::of("b"), event("owner_logout")).await.unwrap());
    assert_eq!(store.end_other_sessions(&hash, event("owner_logout")).await.unwrap(), 1);
    assert_eq!(store.end_other_sessions(&hash, event("owner_logout")).await.unwrap(), 0);
    assert_eq!(names(&store).await, ["a"]);
    let query = AuditQuery { limit: 100, ..AuditQuery::default() };
    let events = store.audit_events(&query).await.unwrap();
    let ended = events.iter().filter(|one| one.event.operation.as_str() == "owner_logout");
    assert_eq!(ended.count(), 2, "what ends nothing leaves no event");
}

async fn guesses_are_counted_by_name_and_forgotten_after_a_day(store: Arc<dyn Store>) {
    let failed =
        |at| AuditEvent { at, actor: AuditActor::Nobody, ..event(AuditEvent::LOGIN_FAILED) };
    store.note_login_failure(&["a", "all"], failed(now())).await.unwrap();
    store.note_login_failure(&["b", "all"], failed(now())).await.unwrap();
    let count = async |who| store.login_failures(who).await.unwrap().map(|found| found.count);
    assert_eq!((count("a").await, count("all").await, count("c").await), (Some(1), Some(2), None));
    let tomorrow = now() + SignedDuration::from_hours(25);
    store.note_login_failure(&["b"], failed(tomorrow)).await.unwrap();
    assert_eq!((count("a").await, count("b").await), (None, Some(1)));
    let query = AuditQuery { limit: 1, ..AuditQuery::default() };
    let events = store.audit_events(&query).await.unwrap();
    assert_eq!(events[0].event.actor, AuditActor::Nobody, "a guess proves nobody");
}

async fn settings_keep_their_last_value(store: Arc<dyn Store>) {
    assert_eq!(store.settings().await.unwrap(), []);
    for (name, value) in [("b", "1"), ("a", "2"), ("b", "3")] {
        store.set_setting(name, value, event("settings_change")).await.unwrap();
    }
    let kept = [("a", "2"), ("b", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(store.settings().await.unwrap(), kept);
}

async fn hours_count_what_agents_were_answered(store: Arc<dyn Store>) {
    let read = |package: &str, at: &str, records_returned| AuditEvent {
        actor: AuditActor::Client("agent".parse().unwrap()),
        package_id: Some(package.parse().unwrap()),
        records_returned,
        ..AuditEvent::by_owner(at.parse().unwrap(), "search")
    };
    let refused = AuditEvent {
        outcome: pdpp_contract::ErrorCode::NotFound.into(),
        ..read("pkg_a", "2026-03-01T10:30:00Z", 9)
    };
    let sign_in = AuditEvent {
        operation: pdpp_contract::access::AuditWord::new("token_issued"),
        ..read("pkg_a", "2026-03-01T10:00:00Z", 0)
    };
    let events = vec![
        read("pkg_a", "2026-02-28T23:59:59Z", 100),
        read("pkg_a", "2026-03-01T10:00:00Z", 1),
        read("pkg_a", "2026-03-01T10:59:59.5Z", 2),
        read("pkg_b", "2026-03-01T10:20:00Z", 4),
        refused,
        read("pkg_a", "2026-03-01T11:00:00Z", 8),
        event("grant_create"),
        sign_in,
    ];
    store.append_audit(events).await.unwrap();
    let since = "2026-03-01T00:00:00Z".parse().unwrap();
    let all = store.active_hours(since, None).await.unwrap();
    let told: Vec<(&str, String, u64, u64)> = all
        .iter()
        .map(|one| (one.package_id.as_str(), one.hour.to_string(), one.calls, one.records))
        .collect();
    let (ten, eleven) = ("2026-03-01T10:00:00Z".to_owned(), "2026-03-01T11:00:00Z".to_owned());
    assert_eq!(told, [("pkg_a", ten.clone(), 2, 3), ("pkg_b", ten, 1, 4), ("pkg_a", eleven, 1, 8)]);
    assert_eq!(all[0].last_at.to_string(), "2026-03-01T10:59:59.5Z");
    let one = store.active_hours(since, Some(&"pkg_b".parse().unwrap())).await.unwrap();
    assert_eq!(one.len(), 1);
    let query = AuditQuery {
        package_id: Some("pkg_a".parse().unwrap()),
        limit: 100,
        ..AuditQuery::default()
    };
    assert_eq!(store.audit_events(&query).await.unwrap().len(), 6);
}
