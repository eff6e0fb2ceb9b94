//! What another program leaves in a browser that held this server's port while the server was down.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::browser::Browser;
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
async fn the_login_page_clears_pages_that_another_program_left_in_the_browser() {
    let world = World::new().await;
    let reply = Browser::new(&world).get("/owner/login").await;
    assert_eq!(reply.header("clear-site-data"), Some("\"cache\""));
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
