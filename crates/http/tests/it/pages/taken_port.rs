//! What another program leaves in a browser that held this server's port while the server was down.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::browser::{Browser, ORIGIN, PASSWORD, form, set_password};
use super::consent::asked;
use crate::client::Call;
use crate::world::World;

/// Value of an attribute of the first tag that begins like this.
fn attribute<'a>(html: &'a str, tag: &str, name: &str) -> &'a str {
    let (_, rest) = html.split_once(tag).unwrap_or_else(|| panic!("no {tag}: {html}"));
    let (tag, _) = rest.split_once('>').unwrap();
    let (_, value) = tag.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("{tag}"));
    value.split('"').next().unwrap()
}

#[tokio::test]
async fn a_page_states_the_digest_of_all_that_it_loads() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    let consent = asked(&browser, "Agent").await;
    let loaded = [
        ("/owner/login", "<link rel=\"stylesheet\"", "href"),
        ("/owner/access", "<link rel=\"stylesheet\"", "href"),
        ("/owner/nothing", "<link rel=\"stylesheet\"", "href"),
        (&consent, "<link rel=\"stylesheet\"", "href"),
        (&consent, "<script", "src"),
    ];
    for (page, tag, place) in loaded {
        let html = browser.get(page).await.text().to_owned();
        let (place, stated) = (attribute(&html, tag, place), attribute(&html, tag, "integrity"));
        let reply = browser.get(place).await;
        assert_eq!(reply.status, 200, "{place}");
        let digest = ring::digest::digest(&ring::digest::SHA256, reply.text().as_bytes());
        assert_eq!(stated, format!("sha256-{}", STANDARD.encode(digest)), "{page} {place}");
        assert_eq!(html.matches("<script").count(), usize::from(page == consent), "{page}");
    }
}

#[tokio::test]
async fn signing_in_clears_what_another_program_left_in_the_browser() {
    let world = World::new().await;
    set_password(&world).await;
    let body = form(&[("password", PASSWORD)]);
    let post = Call::new("POST", "/owner/login").header("Origin", ORIGIN).body(body);
    for call in [Call::get("/owner/login"), Call::get("/owner/setup"), post] {
        let reply = call.send(world.addr).await;
        assert_eq!(reply.header("clear-site-data"), Some("\"cache\""), "{call:?}");
        let direct = call.header("Sec-Fetch-Dest", "document").send(world.addr).await;
        let cleared = direct.header("clear-site-data");
        assert_eq!(cleared, Some("\"cache\", \"storage\""), "workers too: {}", direct.status);
    }
}

#[tokio::test]
async fn a_script_gets_no_page_and_signs_nobody_in() {
    let world = World::filled().await;
    let mut browser = Browser::signed_in(&world).await;
    let consent = asked(&browser, "Agent").await;
    let marks = [
        ("Sec-Fetch-Dest", "empty"),
        ("Sec-Fetch-Dest", "iframe"),
        ("Sec-Fetch-Dest", "image"),
        ("Service-Worker-Navigation-Preload", "true"),
        ("Service-Worker-Navigation-Preload", "anything"),
    ];
    let pages =
        ["/owner", "/owner/login", "/owner/setup", "/owner/access", "/owner/home", "/device"];
    for (name, value) in marks {
        for page in pages.into_iter().chain([&*consent, "/oauth/authorize?client_id=x"]) {
            let reply = browser.call("GET", page).header(name, value).send(world.addr).await;
            assert_eq!(reply.status, 403, "{name}: {value}: {page}");
            assert_eq!(reply.header("clear-site-data"), Some("\"cache\""), "{page}");
            assert_eq!(reply.header("location"), None, "{page}");
            assert!(!reply.text().contains("<form"), "{page}: {}", reply.text());
        }
        let login = Call::new("POST", "/owner/login").header("Origin", ORIGIN).header(name, value);
        let reply = login.body(form(&[("password", PASSWORD)])).send(world.addr).await;
        assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{name}: {value}");
    }
    let twice = browser.call("GET", "/owner/home").header("Sec-Fetch-Dest", "document");
    assert_eq!(twice.send(world.addr).await.status, 200, "what a browser opens itself");
    let twice = browser.call("GET", "/owner/home").header("Sec-Fetch-Dest", "document");
    let twice = twice.header("Sec-Fetch-Dest", "empty").send(world.addr).await;
    assert_eq!(twice.status, 403, "one mark is enough");
    // The consent page's own script asks for a draft, with the page's CSRF token.
    let draft = format!("{consent}/draft");
    let script = browser.call("POST", &draft).header("Origin", ORIGIN);
    let script = script.header("Sec-Fetch-Dest", "empty");
    let reply = script.clone().body("csrf_token=x").send(world.addr).await;
    assert!(reply.text().contains("out of date"), "{}", reply.text());
    let token = browser.csrf_token(&consent, &draft).await;
    let reply = script.body(form(&[("csrf_token", &token)])).send(world.addr).await;
    assert_eq!(reply.status, 200, "not led to a page that it does not get");
    assert!(reply.text().contains("id=\"consent\""), "{}", reply.text());
    assert_eq!(browser.post("/owner/logout", &[]).await.status, 403, "still signed in");
}

#[tokio::test]
async fn a_worker_that_another_program_left_is_given_a_script_that_removes_it() {
    let world = World::new().await;
    for place in ["/sw.js", "/owner/login", "/v1/streams", "/assets/consent.js", "/a/b?c=d"] {
        let call = Call::get(place).header("Service-Worker", "script");
        let reply = call.send(world.addr).await;
        assert_eq!(reply.status, 200, "{place}");
        let kind = reply.header("content-type").unwrap();
        assert_eq!(kind, "text/javascript; charset=utf-8", "{place}");
        assert!(reply.text().contains("registration.unregister()"), "{place}: {}", reply.text());
    }
    let other =
        Call::get("/sw.js").header("Service-Worker", "script").header("Host", "evil.example");
    assert_eq!(other.send(world.addr).await.status, 421, "for this server's own names only");
}
