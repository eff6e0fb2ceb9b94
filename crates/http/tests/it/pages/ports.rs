//! Other ports of the same host: what a browser sends them opens nothing, and what they plant does no
//! harm. The routes come from the router, so that a new page is looked at as well.

use std::io::ErrorKind;

use pdpp_http::{HttpOptions, owner_paths};
use tokio::net::TcpListener;

use super::browser::{Browser, ORIGIN, PASSWORD, form, set_password};
use crate::client::{Call, Reply};
use crate::world::World;

/// Every place of the owner's, with this session's part of the address.
fn places(session: &str) -> Vec<String> {
    let filled = |path: &str| {
        let parts = path.split('/').map(|part| match part {
            "{session}" => session,
            part if part.starts_with('{') => "x",
            part => part,
        });
        parts.collect::<Vec<_>>().join("/")
    };
    let all: Vec<String> = owner_paths().into_iter().map(filled).collect();
    assert!(all.len() > 25 && all.iter().all(|path| !path.contains('{')), "{all:?}");
    all
}

/// The login page, a page that says that nothing is here, or that the form is not ours. Never more.
fn opens_nothing(reply: &Reply, what: &str) {
    let place = reply.header("location").unwrap_or_default();
    let html = reply.text();
    let is_login = reply.status == 303 && place.starts_with("/owner/login")
        || reply.status == 200 && html.contains("name=\"password\"")
        || reply.status == 410 && html.contains("This link is no longer valid")
        // The method is not one of this place, or the password is wrong.
        || [401, 404, 405, 429].contains(&reply.status);
    assert!(is_login, "{what}: {} {place} {html}", reply.status);
    assert!(!html.contains("Sign out") && !html.contains("wants to read"), "{what}: {html}");
    assert!(!html.contains("/owner/s/") && !place.contains("/owner/s/"), "{what}: {place}");
}

async fn everywhere(world: &World, session: &str, headers: &[(&str, &str)]) {
    for place in places(session) {
        for method in ["GET", "POST"] {
            let mut call = Call::new(method, &place);
            if method == "POST" {
                call = call.header("Origin", ORIGIN).body(form(&[("csrf_token", "x")]));
            }
            for (name, value) in headers {
                call = call.header(name, value);
            }
            let reply = call.send(world.addr).await;
            opens_nothing(&reply, &format!("{method} {place} {headers:?}"));
        }
    }
}

#[tokio::test]
async fn what_another_port_is_sent_opens_nothing() {
    let world = World::filled().await;
    let mut browser = Browser::signed_in(&world).await;
    let (cookie, known) = (browser.cookie.clone().unwrap(), browser.known.clone().unwrap());
    let session = browser.root.clone().unwrap().rsplit('/').next().unwrap().to_owned();
    // A page can send its visitor anywhere on its own port: it gets every cookie of the paths it knows.
    everywhere(&world, "x", &[("Cookie", &known)]).await;
    // Even the session's cookie opens nothing without its address, nor the address without its cookie.
    everywhere(&world, "x", &[("Cookie", &cookie)]).await;
    everywhere(&world, &session, &[]).await;
    everywhere(&world, &session, &[("Cookie", &known)]).await;
    let swapped = format!("pdpp_owner_session={session}");
    everywhere(&world, &session, &[("Cookie", &swapped)]).await;
    // Two sessions of one owner are two sessions.
    browser.post("/owner/login", &[("password", PASSWORD)]).await;
    everywhere(&world, &session, &[("Cookie", &browser.cookie.clone().unwrap())]).await;
    let own = Call::get(&format!("/owner/s/{session}/access")).header("Cookie", &cookie);
    assert_eq!(own.send(world.addr).await.status, 200, "the first one is still open");
}

#[tokio::test]
async fn a_cookie_goes_to_its_session_s_own_address_alone() {
    let world = World::new().await;
    Browser::signed_in(&world).await;
    let login = Call::new("POST", "/owner/login").header("Origin", ORIGIN);
    let reply = login.body(form(&[("password", PASSWORD)])).send(world.addr).await;
    let root = reply.header("location").unwrap().strip_suffix("/home").unwrap();
    assert_eq!(root.len(), "/owner/s/".len() + 32, "{root}");
    let set: Vec<&String> = reply
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie")
        .map(|(_, value)| value)
        .collect();
    assert_eq!(set.len(), 2, "{set:?}");
    assert!(set[0].starts_with("pdpp_owner_session=") && set[0].contains(&format!("Path={root};")));
    assert!(set[1].starts_with("pdpp_owner_browser=") && set[1].contains("Path=/owner/login;"));
    assert!(set.iter().all(|one| one.contains("HttpOnly") && one.contains("SameSite=Lax")));
    for name in ["cache-control", "referrer-policy"] {
        assert!(["private, no-store", "no-referrer"].contains(&reply.header(name).unwrap()));
    }
}

#[tokio::test]
async fn planted_cookies_neither_open_nor_lock_out() {
    let world = World::filled().await;
    let mut browser = Browser::signed_in(&world).await;
    let (own, root) = (browser.cookie.clone().unwrap(), browser.root.clone().unwrap());
    let junk = "ab".repeat(32);
    let planted = [
        format!("pdpp_owner_session={junk}"),
        "pdpp_owner_session=".to_owned(),
        "pdpp_owner_session=x; pdpp_owner_session=y=z".to_owned(),
        vec![format!("pdpp_owner_session={junk}"); 10].join("; "),
        format!("pdpp_owner_browser={junk}.{junk}; pdpp_owner_browser=x"),
        format!("__Host-pdpp_owner_session={junk}"),
    ];
    let open = async |cookie: String| {
        let call = Call::get(&format!("{root}/access")).header("Cookie", &cookie);
        call.send(world.addr).await
    };
    for planted in &planted {
        for cookie in [format!("{own}; {planted}"), format!("{planted}; {own}")] {
            assert_eq!(open(cookie.clone()).await.status, 200, "{cookie}");
        }
        opens_nothing(&open(planted.clone()).await, planted);
    }
    // Browsers send the cookie with the longest path first, which is ours, however many there are.
    let many = vec![format!("pdpp_owner_session={junk}"); 150].join("; ");
    assert_eq!(open(format!("{own}; {many}")).await.status, 200);
    browser.known = Some(format!("{}; {}", planted.join("; "), browser.known.unwrap()));
    let reply = browser.post("/owner/login", &[("password", PASSWORD)]).await;
    assert_eq!(reply.status, 303, "signing in goes on as well: {}", reply.text());
}

#[tokio::test]
async fn on_plain_http_a_session_ends_with_its_process() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    assert_eq!(browser.get("/owner/access").await.status, 200);
    let (cookie, root) = (browser.cookie.clone(), browser.root.clone());
    let world = world.restarted(HttpOptions::default()).await;
    let after = Browser { world: &world, cookie, root, known: None };
    opens_nothing(&after.get("/owner/access").await, "after the process ended");
    let sessions = world.auth.sessions(&world.auth.local_owner()).await.unwrap();
    assert_eq!(sessions, [], "and is not shown as signed in");
}

#[tokio::test]
async fn behind_https_a_session_outlives_its_process_and_only_there() {
    let options = || HttpOptions {
        public_url: Some("https://data.example.org".to_owned()),
        ..HttpOptions::default()
    };
    let world = World::with(options()).await;
    set_password(&world).await;
    let public = "data.example.org";
    let login = |host: &str, origin: &str| {
        let call = Call::new("POST", "/owner/login").header("Host", host).header("Origin", origin);
        call.body(form(&[("password", PASSWORD)]))
    };
    let open = async |world: &World, reply: &Reply, host: &str| {
        let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap();
        let call = Call::get(reply.header("location").unwrap()).header("Cookie", cookie);
        call.header("Host", host).send(world.addr).await.status
    };
    let there = login(public, "https://data.example.org").send(world.addr).await;
    let here = login("localhost", "http://localhost").send(world.addr).await;
    let cookie = there.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Secure-") && cookie.contains("; Secure"), "{cookie}");
    assert_eq!(
        (open(&world, &there, public).await, open(&world, &here, "localhost").await),
        (200, 200)
    );
    assert_eq!(
        open(&world, &there, "localhost").await,
        303,
        "a name of its own, a session of its own"
    );
    assert_eq!(open(&world, &here, public).await, 303);
    let world = world.restarted(options()).await;
    assert_eq!(open(&world, &there, public).await, 200, "nobody else can answer under https");
    assert_eq!(open(&world, &here, "localhost").await, 303, "this one was plain");
}

#[tokio::test]
async fn a_browser_that_was_signed_in_before_has_guesses_that_others_cannot_use_up() {
    let world = World::new().await;
    let mut owner = Browser::signed_in(&world).await;
    let mut stranger = Browser::new(&world);
    for _ in 0..40 {
        stranger.post("/owner/login", &[("password", "a guess")]).await;
        world.clock.advance(jiff::SignedDuration::from_secs(31));
    }
    stranger.post("/owner/login", &[("password", "a guess")]).await;
    let waits = stranger.post("/owner/login", &[("password", PASSWORD)]).await;
    assert_eq!(waits.status, 429, "whoever is not known waits");
    // Its cookie may be seen by other ports: it buys five guesses an hour …
    for _ in 0..5 {
        let reply = owner.post("/owner/login", &[("password", "not quite")]).await;
        assert_eq!(reply.status, 401);
    }
    assert_eq!(owner.post("/owner/login", &[("password", PASSWORD)]).await.status, 429);
    let mut early = Browser { known: owner.known.clone(), ..Browser::new(&world) };
    world.clock.advance(jiff::SignedDuration::from_mins(59));
    stranger.post("/owner/login", &[("password", "a guess")]).await;
    stranger.post("/owner/login", &[("password", "a guess")]).await;
    assert_eq!(early.post("/owner/login", &[("password", PASSWORD)]).await.status, 429);
    world.clock.advance(jiff::SignedDuration::from_mins(1));
    stranger.post("/owner/login", &[("password", "a guess")]).await;
    assert_eq!(owner.post("/owner/login", &[("password", PASSWORD)]).await.status, 303);
    // … and nothing else.
    let known = owner.known.clone().unwrap();
    everywhere(&world, "x", &[("Cookie", &known)]).await;
}

#[tokio::test]
async fn a_question_of_an_agent_always_asks_for_the_password() {
    let world = World::new().await;
    let browser = Browser::signed_in(&world).await;
    let call = Call::get("/oauth/authorize?client_id=x&state=s");
    let cookies =
        format!("{}; {}", browser.cookie.clone().unwrap(), browser.known.clone().unwrap());
    for call in [call.clone(), call.header("Cookie", &cookies)] {
        let reply = call.send(world.addr).await;
        let place = reply.header("location").unwrap();
        assert!(place.starts_with("/owner/login?next=/oauth/authorize"), "{place}");
        let page = Call::get(place).send(world.addr).await.text().to_owned();
        assert!(page.contains("An app requests access to your data"), "{page}");
    }
    for place in ["/device", "/oauth/consent/areq_x"] {
        let reply = Call::get(place).header("Cookie", &cookies).send(world.addr).await;
        assert_eq!(reply.header("location").unwrap(), format!("/owner/login?next={place}"));
    }
}

#[tokio::test]
async fn nobody_else_listens_on_our_port_of_the_other_loopback_address() {
    // To a browser both are `localhost`: one origin, and one place for a session's cookie.
    if TcpListener::bind("[::1]:0").await.is_err() {
        return; // This machine has one loopback address only.
    }
    let world = World::new().await;
    let other = TcpListener::bind(("::1", world.addr.port())).await.map(drop);
    assert_eq!(other.unwrap_err().kind(), ErrorKind::AddrInUse);
}
