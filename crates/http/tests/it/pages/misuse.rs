//! Frames, forms from elsewhere, forms without their CSRF token, names that are markup.

use pdpp_contract::ids::DisplayName;
use serde_json::json;

use super::browser::{Browser, ORIGIN, form};
use crate::world::{World, connection_id, note, notebook};

const PAGES: [&str; 12] = [
    "/owner/login",
    "/owner/home",
    "/owner/search?q=note",
    "/owner/record?account=cin_blue&stream=notes&id=n1",
    "/owner/access",
    "/owner/accounts",
    "/owner/accounts/cin_blue/timeline",
    "/owner/activity",
    "/owner/connect",
    "/owner/settings",
    "/device",
    "/owner/nothing",
];

#[tokio::test]
async fn a_page_stands_alone_and_fetches_nothing_from_elsewhere() {
    let world = World::filled().await;
    world.agent(&["blue"]).await;
    let browser = Browser::signed_in(&world).await;
    let stranger = Browser::new(&world);
    for page in PAGES {
        let who = if page == "/owner/login" { &stranger } else { &browser };
        let reply = who.get(page).await;
        let policy = reply.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
            assert!(policy.contains(part), "{page}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{page}");
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"), "{page}");
        assert_eq!(reply.header("cache-control"), Some("private, no-store"), "{page}");
        let html = reply.text().replace(&world.base_url, "").replace("http://localhost", "");
        for outside in ["src=\"http", "href=\"http", "url(", " style=", " onclick"] {
            assert!(!html.contains(outside), "{page}: {outside}");
        }
    }
}

#[tokio::test]
async fn a_form_from_elsewhere_changes_nothing() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let browser = Browser::signed_in(&world).await;
    let csrf_token = browser.csrf_token("/owner/settings", "/owner/settings").await;
    let body = form(&[("csrf_token", &csrf_token), ("time_zone", "Asia/Tokyo")]);
    let port = format!("http://localhost:{}", world.addr.port());
    let senders = [None, Some("null"), Some("https://evil.example"), Some(port.as_str())];
    for origin in senders.into_iter().chain([Some("https://localhost")]) {
        for place in ["/owner/settings", "/owner/access/stop-all", "/owner/login", "/owner/logout"]
        {
            let mut call = browser.call("POST", place).body(body.clone());
            if let Some(origin) = origin {
                call = call.header("Origin", origin);
            }
            assert_eq!(call.send(world.addr).await.status, 403, "{origin:?} {place}");
        }
    }
    let call = browser.call("POST", "/owner/settings").header("Origin", ORIGIN);
    let cross = call.header("Sec-Fetch-Site", "cross-site").body(body).send(world.addr).await;
    assert_eq!(cross.status, 403);
    assert_eq!(world.auth.settings().await.unwrap().time_zone, None);
    assert_eq!(world.get("/v1/streams", &token).await.status, 200);
    assert_eq!(browser.get("/owner/access").await.status, 200, "still signed in");
}

#[tokio::test]
async fn a_form_needs_the_csrf_token_of_its_own_session_and_purpose() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let mut browser = Browser::signed_in(&world).await;
    let other = {
        let mut other = Browser::new(&world);
        other.post("/owner/login", &[("password", super::browser::PASSWORD)]).await;
        other.csrf_token("/owner/settings", "/owner/settings").await
    };
    let own = browser.csrf_token("/owner/settings", "/owner/settings").await;
    let stop = world.auth.packages(&world.auth.local_owner()).await.unwrap();
    let stop = format!("/owner/access/{}/stop", stop[0].package_id);
    for csrf_token in ["", "0", &other, &own] {
        let reply = browser.post(&stop, &[("csrf_token", csrf_token)]).await;
        assert_eq!(reply.status, 403, "{csrf_token}");
    }
    assert_eq!(world.get("/v1/streams", &token).await.status, 200);
    // Two loads of a page have the same token, so the first tab still works.
    let csrf_token = browser.csrf_token("/owner/access", &stop).await;
    assert_eq!(browser.csrf_token("/owner/access", &stop).await, csrf_token);
    assert_eq!(browser.post(&stop, &[("csrf_token", &csrf_token)]).await.status, 303);
    assert_eq!(world.get("/v1/streams", &token).await.status, 403, "stopped from the next call on");
}

#[tokio::test]
async fn names_that_are_markup_stay_text() {
    let world = World::new().await;
    let bad = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
    world.import("evil", &notebook(), &[note("n1", json!({"text": bad, "author": bad}))]).await;
    let owner = world.auth.local_owner();
    let name = Some(DisplayName::new(bad).unwrap());
    world.engine.rename_connection(&owner, &connection_id("evil"), name).await.unwrap();
    let token = world.agent(&["evil"]).await;
    assert_eq!(world.get("/v1/streams/notes/records", &token).await.status, 200);
    world.audit.flush().await.unwrap();
    let browser = Browser::signed_in(&world).await;
    let package = world.auth.packages(&owner).await.unwrap()[0].package_id.to_string();
    let detail = format!("/owner/access/{package}");
    for page in [
        "/owner/home",
        "/owner/access",
        &detail,
        "/owner/accounts",
        "/owner/accounts/cin_evil",
        "/owner/accounts/cin_evil/timeline",
        "/owner/search?q=alert",
        "/owner/record?account=cin_evil&stream=notes&id=n1",
        "/owner/activity",
    ] {
        let html = browser.get(page).await.text().to_owned();
        assert!(html.contains("alert(1)"), "{page} shows the name");
        assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "{page}: {html}");
    }
}

#[tokio::test]
async fn removing_an_account_wants_its_name_and_takes_everything() {
    let world = World::filled().await;
    let mut browser = Browser::signed_in(&world).await;
    let (page, action) = ("/owner/accounts/cin_blue", "/owner/accounts/cin_blue/remove");
    let csrf_token = browser.csrf_token(page, action).await;
    let wrong = browser.post(action, &[("csrf_token", &csrf_token), ("name", "red")]).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(browser.get(page).await.status, 200);
    let right = browser.post(action, &[("csrf_token", &csrf_token), ("name", "blue")]).await;
    assert_eq!(browser.led_to(&right), "/owner/accounts?done=removed");
    assert_eq!(browser.get(page).await.status, 404);
}

#[tokio::test]
async fn the_connect_page_shows_one_path_and_nothing_of_the_machinery() {
    let world = World::filled().await;
    let html = Browser::signed_in(&world).await.get("/owner/connect").await.text().to_lowercase();
    let shown: String =
        html.split('<').filter_map(|part| part.split_once('>')).map(|part| part.1).collect();
    assert!(shown.contains("/mcp") && shown.contains("claude mcp add"), "{shown}");
    assert!(shown.contains("settings, apps, advanced settings"), "as docs/clients/chatgpt.md says");
    // The switch that ChatGPT calls so is its own.
    let shown = shown.replace("developer mode", "");
    for word in [
        "profile",
        "toolset",
        "selector",
        "subscription",
        "developer",
        "bearer",
        "control",
        "owner token",
    ] {
        assert!(!shown.contains(word), "{word}: {shown}");
    }
}
