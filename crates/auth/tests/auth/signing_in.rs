//! The owner's password and sessions, with a clock that is moved.

use jiff::SignedDuration;
use pdpp_auth::{
    LoginRefused, PasswordFault, PasswordText, ProcessKey, SessionKeys, SessionSecret,
    SetupRefused, Visitor,
};
use pdpp_contract::access::{AuditActor, AuditQuery};

use crate::bench::Bench;

const PASSWORD: &str = "three quiet words";

fn typed(text: &str) -> PasswordText {
    PasswordText::new(text.to_owned())
}

fn from(address: &str) -> Visitor {
    Visitor {
        address: address.parse().unwrap(),
        device: "Firefox/1".to_owned(),
        browsers: Vec::new(),
        process: None,
    }
}

async fn owned() -> Bench {
    let bench = Bench::new().await;
    let set = bench.auth.set_owner_password(&bench.owner, typed(PASSWORD)).await;
    set.unwrap().unwrap();
    bench
}

async fn login(bench: &Bench, address: &str, text: &str) -> Result<SessionSecret, LoginRefused> {
    bench.auth.login(typed(text), &from(address)).await
}

async fn lives(bench: &Bench, secret: &SessionSecret) -> bool {
    bench.auth.session(keys(secret)).await.unwrap().is_some()
}

fn keys(secret: &SessionSecret) -> SessionKeys<'_> {
    SessionKeys { path: secret.path(), cookie: secret.cookie(), process: None }
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_and_when_it_is_old() {
    let bench = owned().await;
    let secret = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    bench.clock.forward(SignedDuration::from_hours(11));
    assert!(lives(&bench, &secret).await);
    bench.clock.forward(SignedDuration::from_hours(13));
    assert!(!lives(&bench, &secret).await, "twelve hours without use");

    let secret = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    for _ in 0..20 {
        bench.clock.forward(SignedDuration::from_hours(8));
        assert!(lives(&bench, &secret).await);
        // The use is noted off the request's path; here it is noted for certain.
        let now = pdpp_contract::ports::Clock::now(&*bench.clock);
        touch(&bench, &secret, now).await;
    }
    bench.clock.forward(SignedDuration::from_hours(8));
    assert!(!lives(&bench, &secret).await, "a week after it began");
}

/// Waits until the use of a session is in the store.
async fn touch(bench: &Bench, secret: &SessionSecret, now: jiff::Timestamp) {
    loop {
        let all = bench.store.sessions().await.unwrap();
        if all.first().is_some_and(|one| one.last_seen_at == now) {
            return;
        }
        let _ = bench.auth.session(keys(secret)).await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_session_is_fresh_for_ten_minutes() {
    let bench = owned().await;
    let secret = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    let fresh = async || bench.auth.session(keys(&secret)).await.unwrap().unwrap().is_fresh();
    bench.clock.forward(SignedDuration::from_secs(599));
    assert!(fresh().await);
    bench.clock.forward(SignedDuration::from_secs(1));
    assert!(!fresh().await);
}

#[tokio::test]
async fn wrong_passwords_make_one_address_wait_and_hardly_anybody_else() {
    let bench = owned().await;
    for _ in 0..3 {
        assert!(matches!(login(&bench, "10.0.0.1", "wrong").await, Err(LoginRefused::Wrong)));
    }
    let waits = login(&bench, "10.0.0.1", PASSWORD).await;
    assert!(matches!(waits, Err(LoginRefused::Wait(rest)) if rest.as_secs() == 1), "{waits:?}");
    assert!(login(&bench, "10.0.0.2", PASSWORD).await.is_ok(), "another address does not wait");
    bench.clock.forward(SignedDuration::from_secs(1));
    assert!(matches!(login(&bench, "10.0.0.1", "wrong").await, Err(LoginRefused::Wrong)));
    let waits = login(&bench, "10.0.0.1", PASSWORD).await;
    assert!(matches!(waits, Err(LoginRefused::Wait(rest)) if rest.as_secs() == 2), "{waits:?}");
    bench.clock.forward(SignedDuration::from_secs(2));
    assert!(login(&bench, "10.0.0.1", PASSWORD).await.is_ok());
    assert!(
        matches!(login(&bench, "10.0.0.1", "wrong").await, Err(LoginRefused::Wrong)),
        "forgiven"
    );

    let query = AuditQuery { limit: 100, ..AuditQuery::default() };
    let events = bench.auth.audit_events(&bench.owner, &query).await.unwrap();
    let failed = events.iter().filter(|one| one.event.operation.as_str() == "owner_login_failed");
    let failed: Vec<_> = failed.collect();
    assert_eq!(failed.len(), 5, "attempts that had to wait were not looked at");
    assert!(failed.iter().all(|one| one.event.actor == AuditActor::Nobody));
}

#[tokio::test]
async fn guesses_that_arrive_together_are_counted_one_by_one() {
    let bench = std::sync::Arc::new(owned().await);
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let bench = bench.clone();
        guesses.spawn(async move { login(&bench, "10.0.0.1", "wrong").await });
    }
    let answers = guesses.join_all().await;
    let looked_at = |answer: &&Result<_, _>| matches!(answer, Err(LoginRefused::Wrong));
    assert_eq!(answers.iter().filter(looked_at).count(), 3);
    let waits = |answer: &Result<_, _>| matches!(answer, Err(LoginRefused::Wait(_)));
    assert_eq!(answers.iter().filter(|answer| waits(answer)).count(), 37);
}

#[tokio::test]
async fn strangers_do_not_keep_the_owner_s_browser_out() {
    let bench = owned().await;
    let before = login(&bench, "10.9.9.9", PASSWORD).await.unwrap();
    bench.clock.forward(SignedDuration::from_hours(24));
    assert!(!lives(&bench, &before).await, "its session is over");
    for number in 0..60 {
        let _ = login(&bench, &format!("10.0.{number}.1"), "wrong").await;
    }
    assert!(matches!(login(&bench, "10.9.9.8", PASSWORD).await, Err(LoginRefused::Wait(_))));
    let browsers = vec![before.browser().to_owned()];
    let known = Visitor { browsers, ..from("10.9.9.8") };
    assert!(bench.auth.login(typed(PASSWORD), &known).await.is_ok());
}

#[tokio::test]
async fn a_known_browser_has_five_guesses_an_hour_whatever_else_its_address_may_guess() {
    let bench = owned().await;
    let before = login(&bench, "10.9.9.9", PASSWORD).await.unwrap();
    let known = Visitor { browsers: vec![before.browser().to_owned()], ..from("10.0.0.1") };
    let guess = async || bench.auth.login(typed("wrong"), &known).await;
    for _ in 0..5 {
        assert!(matches!(guess().await, Err(LoginRefused::Wrong)));
    }
    assert!(matches!(guess().await, Err(LoginRefused::Wait(_))), "its own guesses are used up");
    // The address may guess again by now. That guess is not the browser's own and earns it no others.
    bench.clock.forward(SignedDuration::from_mins(15));
    assert!(matches!(guess().await, Err(LoginRefused::Wrong)));
    assert!(matches!(guess().await, Err(LoginRefused::Wait(_))), "an hour has not passed");
}

#[tokio::test]
async fn a_session_guesses_the_password_no_faster_than_the_door_allows() {
    let bench = owned().await;
    let secret = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    let session = bench.auth.session(keys(&secret)).await.unwrap().unwrap();
    let change = async |text: &str| {
        bench.auth.change_password(&session, typed(text), typed("another one")).await.unwrap()
    };
    for _ in 0..3 {
        assert_eq!(change("wrong").await, Err(PasswordFault::Wrong));
    }
    let waits = change(PASSWORD).await;
    assert!(matches!(waits, Err(PasswordFault::Wait(_))), "{waits:?}");
    assert!(login(&bench, "10.0.0.2", PASSWORD).await.is_ok(), "nobody else waits");
    bench.clock.forward(SignedDuration::from_secs(1));
    assert_eq!(change(PASSWORD).await, Ok(()));
}

#[tokio::test]
async fn the_first_link_works_once_and_for_half_an_hour() {
    let bench = Bench::new().await;
    let old = bench.auth.offer_setup().await.unwrap().unwrap();
    let code = bench.auth.offer_setup().await.unwrap().unwrap();
    let visitor = from("127.0.0.1");
    let finish = async |code: &str| bench.auth.finish_setup(code, typed(PASSWORD), &visitor).await;
    assert!(matches!(finish(old.reveal()).await, Err(SetupRefused::Link)), "only the newest");
    assert!(matches!(finish("").await, Err(SetupRefused::Link)));
    bench.clock.forward(SignedDuration::from_mins(30));
    assert!(matches!(finish(code.reveal()).await, Err(SetupRefused::Link)), "too old");
    let code = bench.auth.offer_setup().await.unwrap().unwrap();
    let secret = finish(code.reveal()).await.unwrap();
    assert!(lives(&bench, &secret).await);
    assert!(matches!(finish(code.reveal()).await, Err(SetupRefused::Link)), "used");
    assert!(bench.auth.offer_setup().await.unwrap().is_none());
}

#[tokio::test]
async fn a_new_password_signs_other_browsers_out() {
    let bench = owned().await;
    let (here, there) = (
        login(&bench, "10.0.0.1", PASSWORD).await.unwrap(),
        login(&bench, "10.0.0.2", PASSWORD).await.unwrap(),
    );
    let session = bench.auth.session(keys(&here)).await.unwrap().unwrap();
    let wrong =
        bench.auth.change_password(&session, typed("wrong"), typed("another password")).await;
    assert!(wrong.unwrap().is_err());
    assert!(lives(&bench, &there).await);
    let changed = bench.auth.change_password(&session, typed(PASSWORD), typed("another password"));
    changed.await.unwrap().unwrap();
    assert!(lives(&bench, &here).await && !lives(&bench, &there).await);
    assert!(login(&bench, "10.0.0.3", PASSWORD).await.is_err());
    assert!(login(&bench, "10.0.0.3", "another password").await.is_ok());
}

#[tokio::test]
async fn nothing_secret_of_a_session_is_in_the_store_or_shown() {
    let bench = owned().await;
    let secret = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    let session = bench.auth.session(keys(&secret)).await.unwrap().unwrap();
    let shown = format!("{session:?} {secret:?} {:?}", bench.store.sessions().await.unwrap());
    for part in [secret.path(), secret.cookie(), secret.browser()] {
        assert!(!shown.contains(part), "{shown}");
    }
    assert_ne!(session.csrf("stop"), session.csrf("logout"));
    assert!(session.csrf_matches("stop", &session.csrf("stop")));
    assert!(!session.csrf_matches("stop", &session.csrf("logout")));
    let forged = session.csrf("stop");
    let forged = SessionKeys { cookie: &forged, ..keys(&secret) };
    assert!(bench.auth.session(forged).await.unwrap().is_none());
}

/// Chance that is always the same.
struct Filled(u8);

impl pdpp_contract::ports::Entropy for Filled {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

#[tokio::test]
async fn a_session_opens_with_its_address_its_cookie_and_its_process_together() {
    let bench = owned().await;
    let process = ProcessKey::mint(&Filled(5));
    let visitor = Visitor { process: Some(process.clone()), ..from("10.0.0.1") };
    let secret = bench.auth.login(typed(PASSWORD), &visitor).await.unwrap();
    let other = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    let whole = SessionKeys { process: Some(&process), ..keys(&secret) };
    assert!(bench.auth.session(whole).await.unwrap().is_some());
    let later = ProcessKey::mint(&Filled(6));
    for part in [
        SessionKeys { process: None, ..whole },
        SessionKeys { process: Some(&later), ..whole },
        SessionKeys { path: other.path(), ..whole },
        SessionKeys { cookie: other.cookie(), ..whole },
        SessionKeys { path: secret.cookie(), cookie: secret.path(), ..whole },
        SessionKeys { path: "", cookie: "", ..whole },
    ] {
        assert!(bench.auth.session(part).await.unwrap().is_none());
    }
    assert!(!format!("{whole:?} {process:?}").contains(secret.path()));
}

#[tokio::test]
async fn a_known_browser_keeps_its_cookie_until_the_password_changes() {
    let bench = owned().await;
    let first = login(&bench, "10.0.0.1", PASSWORD).await.unwrap();
    let known = Visitor { browsers: vec![first.browser().to_owned()], ..from("10.0.0.1") };
    let second = bench.auth.login(typed(PASSWORD), &known).await.unwrap();
    assert_eq!(second.browser(), first.browser(), "one browser has one set of guesses");
    assert_ne!((second.path(), second.cookie()), (first.path(), first.cookie()));
    let set = bench.auth.set_owner_password(&bench.owner, typed("another password")).await;
    set.unwrap().unwrap();
    let third = bench.auth.login(typed("another password"), &known).await.unwrap();
    assert_ne!(third.browser(), first.browser());
}
