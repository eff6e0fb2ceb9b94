//! The first link, signing in, signing out, and sessions that nobody planted.

use std::time::{Duration, Instant};

use super::browser::{Browser, PASSWORD};
use crate::client::Call;
use crate::world::World;

/// How often the times of two answers are compared before they count as different.
const MOST_LOOKS: usize = 8;

#[tokio::test]
async fn the_first_link_sets_a_password_once_and_signs_in() {
    let world = World::new().await;
    let code = world.auth.offer_setup().await.unwrap().unwrap();
    let page = format!("/owner/setup?code={}", code.reveal());
    let mut browser = Browser::new(&world);
    assert_eq!(browser.get(&page).await.status, 200);
    let short = [("code", code.reveal()), ("password", "short"), ("password_again", "short")];
    assert_eq!(browser.post("/owner/setup", &short).await.status, 422);
    let good = [("code", code.reveal()), ("password", PASSWORD), ("password_again", PASSWORD)];
    assert_eq!(browser.post("/owner/setup", &good).await.status, 303);
    assert_eq!(browser.get("/owner/access").await.status, 200);
    assert_eq!(Browser::new(&world).post("/owner/setup", &good).await.status, 410);
    assert_eq!(Browser::new(&world).get(&page).await.status, 410);
    assert!(world.auth.offer_setup().await.unwrap().is_none(), "no link once there is an owner");
}

#[tokio::test]
async fn a_page_names_an_icon_and_the_browser_finds_it_there() {
    let world = World::new().await;
    let browser = Browser::new(&world);
    let page = browser.get("/owner/login").await.text().to_owned();
    let link = page.split("<link rel=\"icon\" href=\"").nth(1).expect("a link to an icon");
    let icon = browser.get(link.split('"').next().unwrap()).await;
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
    assert!(icon.text().starts_with("<svg"), "{}", icon.text());
}

#[tokio::test]
async fn signing_in_never_keeps_the_cookie_that_was_there() {
    let world = World::new().await;
    let planted = Browser::signed_in(&world).await;
    let before = planted.cookie.clone();
    let mut victim = Browser::new(&world);
    let login = Call::new("POST", "/owner/login").header("Origin", super::browser::ORIGIN);
    let login = login.header("Cookie", before.as_ref().unwrap());
    let reply = login.body(super::browser::form(&[("password", PASSWORD)])).send(world.addr).await;
    assert_eq!(reply.status, 303);
    assert!(!reply.header("set-cookie").unwrap().starts_with(before.as_ref().unwrap()));
    assert_ne!(reply.header("location"), planted.root.as_deref());
    // Whoever is signed in and types the password once more goes on under another address.
    victim.post("/owner/login", &[("password", PASSWORD)]).await;
    let (cookie, root) = (victim.cookie.clone(), victim.root.clone());
    let csrf_token = victim.csrf_token("/owner/confirm", "/owner/confirm").await;
    let again = [("password", PASSWORD), ("csrf_token", &csrf_token), ("next", "/owner/activity")];
    let reply = victim.post("/owner/confirm", &again).await;
    assert_eq!(victim.led_to(&reply), "/owner/activity");
    assert!(victim.cookie != cookie && victim.root != root);
    assert_eq!(victim.get("/owner/access").await.status, 200);
    let earlier = Browser { world: &world, cookie, root, known: None };
    assert_eq!(earlier.get("/owner/access").await.status, 303, "the earlier session is over");
}

#[tokio::test]
async fn a_cookie_is_kept_from_scripts_and_other_sites() {
    let world = World::new().await;
    Browser::signed_in(&world).await;
    let mut browser = Browser::new(&world);
    let reply = browser.post("/owner/login", &[("password", PASSWORD)]).await;
    let cookie = reply.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/owner/s/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
}

#[tokio::test]
async fn signing_in_leads_to_our_own_pages_only() {
    let world = World::new().await;
    let mut browser = Browser::signed_in(&world).await;
    for (next, place) in [
        ("/owner/activity?since=7d", "/owner/activity?since=7d"),
        ("//evil.example/owner", "/owner/home"),
        ("https://evil.example/", "/owner/home"),
        ("/\\evil.example", "/owner/home"),
        ("/v1/schema", "/owner/home"),
    ] {
        let reply = browser.post("/owner/login", &[("password", PASSWORD), ("next", next)]).await;
        assert_eq!(browser.led_to(&reply), place, "{next}");
    }
}

#[tokio::test]
async fn refusals_look_alike_and_take_alike_with_and_without_a_password() {
    let mut quickest = [Duration::MAX; 2];
    let mut bodies = Vec::new();
    // On a busy machine single answers take longer; a real difference stays, however often one looks.
    for _ in 0..MOST_LOOKS {
        let empty = World::new().await;
        let owned = World::new().await;
        Browser::signed_in(&owned).await;
        for _ in 0..3 {
            for (slot, world) in quickest.iter_mut().zip([&empty, &owned]) {
                // A fresh address each time would be needed to go on without a wait; three are free.
                let began = Instant::now();
                let reply = Browser::new(world).post("/owner/login", &[("password", "no")]).await;
                *slot = (*slot).min(began.elapsed());
                assert_eq!(reply.status, 401);
                bodies.push(reply.text().replace(&world.addr.port().to_string(), "PORT"));
            }
        }
        let wait = Browser::new(&owned).post("/owner/login", &[("password", PASSWORD)]).await;
        assert_eq!((wait.status, wait.header("retry-after").is_some()), (429, true));
        if takes_alike(quickest) {
            break;
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert!(takes_alike(quickest), "{quickest:?}");
}

fn takes_alike(quickest: [Duration; 2]) -> bool {
    let [without, with] = quickest.map(|time| time.as_secs_f64());
    without / with > 0.3 && with / without > 0.3
}

#[tokio::test]
async fn a_session_opens_no_route_of_agents_or_programs() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    assert_eq!(browser.get("/owner/accounts").await.status, 200);
    assert_eq!(browser.get("/v1/streams").await.status, 401);
    assert_eq!(browser.get("/v1/streams/notes/records").await.status, 401);
    let ingest = browser.call("POST", "/v1/ingest/notes").body("{}").send(world.addr).await;
    assert_eq!(ingest.status, 401);
    let cookie = browser.cookie.unwrap();
    let secret = cookie.split_once('=').unwrap().1.to_owned();
    let bearer = Call::get("/v1/streams").bearer(&secret).send(world.addr).await;
    assert_eq!(bearer.status, 401);
}
