//! The consent page: nothing chosen, what is chosen, and what the preview may show.

use serde_json::{Value, json};

use super::browser::{Browser, form, value_of};
use crate::client::{Call, Reply};
use crate::world::{World, note, notebook};

const REDIRECT: &str = "http://127.0.0.1:9/callback";

/// A request of a fresh client, and its consent page.
pub async fn asked(browser: &Browser<'_>, name: &str) -> String {
    asked_with(browser, name, &[]).await
}

async fn asked_with(browser: &Browser<'_>, name: &str, more: &[(&str, &str)]) -> String {
    let body = json!({"client_name": name, "redirect_uris": [REDIRECT]}).to_string();
    let call = Call::new("POST", "/oauth/register").header("Content-Type", "application/json");
    let client: Value = call.body(body).send(browser.world.addr).await.json();
    let challenge = "a".repeat(43);
    let mut params = vec![
        ("response_type", "code"),
        ("client_id", client["client_id"].as_str().unwrap()),
        ("redirect_uri", REDIRECT),
        ("state", "s"),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
    ];
    params.extend(more);
    let query = form(&params);
    let reply = browser.get(&format!("/oauth/authorize?{query}")).await;
    let place = reply.header("location").expect("a consent page").to_owned();
    assert!(place.starts_with(&browser.at("/oauth/consent/")), "{place}");
    place
}

async fn send(browser: &mut Browser<'_>, target: &str, fields: &[(String, String)]) -> Reply {
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(target, &fields).await
}

pub async fn world() -> World {
    let world = World::new().await;
    let bad = "<script>alert(1)</script>";
    let notes = [
        note("old", json!({"at": "2020-01-01T00:00:00Z", "text": "the oldest", "author": "ada"})),
        note("new", json!({"at": "2026-11-01T00:00:00Z", "text": bad, "author": "hidden-name"})),
    ];
    world.import("blue", &notebook(), &notes).await;
    world
}

#[tokio::test]
async fn what_it_is_for_is_shown_and_training_models_is_asked_for_by_itself() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let details = json!([{
        "type": "https://pdpp.dev/data-access",
        "source": {"id": "https://registry.pdpp.dev/connectors/notebook"},
        "purpose_code": "https://pdpp.dev/purpose/ai_training",
        "purpose_description": "Sort your notes",
        "retention": {"max_duration": "P30D", "on_expiry": "delete"},
        "access_mode": "continuous",
        "streams": [{"name": "notes"}],
    }]);
    let more = [("authorization_details", details.to_string())];
    let more = more.each_ref().map(|(name, value)| (*name, value.as_str()));
    let place = asked_with(&browser, "Agent", &more).await;
    let html = browser.get(&place).await.text().to_owned();
    for shown in ["Sort your notes", "<b>ai training</b>", "<q>P30D</q>", "name=\"training\""] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let csrf_token = value_of(&html, "csrf_token");
    let chosen = [
        ("csrf_token", csrf_token.as_str()),
        ("stream", "cin_blue/notes"),
        ("all:cin_blue/notes", "yes"),
        ("mode", "on"),
        ("codes", "out"),
    ];
    browser.post(&format!("{place}/draft"), &chosen).await;
    let html = browser.get(&place).await.text().to_owned();
    let allow = |html: &str| {
        let button = html.split("<button").find(|one| one.contains("value=\"allow\"")).unwrap();
        !button.split('>').next().unwrap().contains("disabled")
    };
    assert!(!allow(&html), "{html}");
    let agreed: Vec<(&str, &str)> = chosen.into_iter().chain([("training", "yes")]).collect();
    browser.post(&format!("{place}/draft"), &agreed).await;
    let html = browser.get(&place).await.text().to_owned();
    assert!(allow(&html), "{html}");
}

#[tokio::test]
async fn each_account_gets_the_limits_that_were_asked_for_it() {
    let world = world().await;
    world.import("red", &notebook(), &[note("one", json!({"text": "red", "author": "ada"}))]).await;
    let mut browser = Browser::signed_in(&world).await;
    let streams = json!([
        {"name": "notes", "fields": ["text"], "instance_ids": ["cin_blue"]},
        {"name": "notes", "fields": ["author"], "instance_ids": ["cin_red"]},
    ]);
    let details = json!([{
        "type": "https://pdpp.dev/data-access",
        "source": {"id": "https://registry.pdpp.dev/connectors/notebook"},
        "purpose_code": "https://purposes.example/summary",
        "access_mode": "continuous",
        "streams": streams,
    }])
    .to_string();
    let place = asked_with(&browser, "Agent", &[("authorization_details", &details)]).await;
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let chosen = [
        ("csrf_token", csrf_token.as_str()),
        ("stream", "cin_red/notes"),
        ("all:cin_red/notes", "yes"),
        ("mode", "on"),
    ];
    let reply = browser.post(&format!("{place}/draft"), &chosen).await;
    assert_eq!(reply.status, 303, "what is offered can be given: {}", reply.text());
    let html = browser.get(&place).await.text().to_owned();
    let sentence =
        html.split("id=\"sentence\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(sentence.contains("author") && !sentence.contains("text"), "{sentence}");
}

#[tokio::test]
async fn nothing_is_chosen_and_nothing_can_be_allowed_at_first() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "Agent").await;
    let html = browser.get(&place).await.text().to_owned();
    assert!(html.contains("may read <b>nothing</b>"), "{html}");
    assert!(html.contains("Not verified"), "{html}");
    let allow = html.split("<button").find(|one| one.contains("value=\"allow\"")).unwrap();
    assert!(allow.split('>').next().unwrap().contains("disabled"), "{allow}");
    assert!(!html.contains("name=\"stream\" value=\"cin_blue/notes\" checked"), "{html}");
    let csrf_token = value_of(&html, "csrf_token");
    let fields = [("csrf_token", csrf_token.as_str()), ("decision", "allow"), ("digest", "")];
    let reply = browser.post(&format!("{place}/decision"), &fields).await;
    assert_eq!(reply.status, 303, "back to the page");
    assert!(world.auth.packages(&world.auth.local_owner()).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_preview_shows_what_the_grant_shows_and_markup_stays_text() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "<b>Agent</b>").await;
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let key = "cin_blue/notes";
    let (field, since) = (format!("field:{key}"), format!("since:{key}"));
    let fields = [
        ("csrf_token", csrf_token.as_str()),
        ("stream", key),
        (&field, "text"),
        (&since, "2026-01-01"),
        ("codes", "out"),
    ];
    assert_eq!(browser.post(&format!("{place}/draft"), &fields).await.status, 303);
    let html = browser.get(&place).await.text().to_owned();
    assert!(!html.contains("<script>alert") && !html.contains("<b>Agent"), "{html}");
    let (_, preview) = html.split_once("id=\"preview\"").unwrap();
    let (seen, hidden) = preview.split_once("What stays hidden").unwrap();
    assert!(
        seen.contains("alert(1)") && !seen.contains("hidden-name") && !seen.contains("oldest"),
        "{seen}"
    );
    assert!(hidden.contains("hidden-name"), "an example of the hidden field: {hidden}");
    assert!(hidden.contains("the oldest") && hidden.contains("too old"), "{hidden}");
    assert!(html.contains("only <b>text</b>, from <b>1 Jan 2026</b> on"), "{html}");
}

#[tokio::test]
async fn codes_and_secrets_are_left_out_unless_the_owner_unticks_them() {
    let world = world().await;
    let browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "Agent").await;
    let html = browser.get(&place).await.text().to_owned();
    for name in ["codes", "secrets"] {
        let box_of = format!("name=\"{name}\" value=\"out\" checked");
        assert!(html.contains(&box_of), "{name}: {html}");
    }
}

#[tokio::test]
async fn an_allowance_gives_what_was_shown_and_other_choices_are_shown_first() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "Agent").await;
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let (draft, decision) = (format!("{place}/draft"), format!("{place}/decision"));
    let fields = |name: &'static str, digest: &str| {
        let all = [
            ("csrf_token", csrf_token.as_str()),
            ("decision", "allow"),
            ("digest", digest),
            ("stream", "cin_blue/notes"),
            ("field:cin_blue/notes", name),
        ];
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    assert_eq!(send(&mut browser, &draft, &fields("text", "")).await.status, 303);
    let digest = value_of(browser.get(&place).await.text(), "digest");
    let other = send(&mut browser, &decision, &fields("author", &digest)).await;
    assert_eq!(other.header("location"), Some(format!("{place}?look=again").as_str()));
    assert!(world.auth.packages(&world.auth.local_owner()).await.unwrap().is_empty());
    let digest = value_of(browser.get(&place).await.text(), "digest");
    let done = send(&mut browser, &decision, &fields("author", &digest)).await;
    assert_eq!(done.status, 200, "a page, not a redirect: {}", done.text());
    assert!(done.text().contains("http-equiv=\"refresh\""), "{}", done.text());
    let packages = world.auth.packages(&world.auth.local_owner()).await.unwrap();
    let grant = packages[0].grants[0].grant.clone().unwrap();
    let fields: Vec<&str> = grant.streams[0].fields.iter().map(AsRef::as_ref).collect();
    assert_eq!(fields, ["id", "author"]);
    assert!(!grant.leave_out_codes && !grant.leave_out_secrets, "the boxes were not ticked");
}

#[tokio::test]
async fn looking_at_the_page_changes_nothing_and_what_it_shows_can_be_allowed() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "Agent").await;
    let request = place.rsplit('/').next().unwrap();
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let fields = |digest: &str| {
        let all = [
            ("csrf_token", csrf_token.as_str()),
            ("decision", "allow"),
            ("digest", digest),
            ("stream", "cin_blue/notes"),
            ("all:cin_blue/notes", "yes"),
        ];
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let (draft, decision) = (format!("{place}/draft"), format!("{place}/decision"));
    assert_eq!(send(&mut browser, &draft, &fields("")).await.status, 303);
    let before = value_of(browser.get(&place).await.text(), "digest");
    let kept = async || world.auth.pending_authorization(request).await.unwrap().review_digest;
    assert_eq!(kept().await.as_ref(), Some(&before));

    // Another field: all fields of the stream are more than they were.
    let mut wider = notebook();
    wider["streams"][0]["schema"]["properties"]["place"] = json!({"type": "string"});
    world.import("blue", &wider, &[]).await;
    let after = value_of(browser.get(&place).await.text(), "digest");
    assert_ne!(after, before, "the page shows what would be issued now");
    assert_eq!(kept().await, Some(before.clone()), "reading the page wrote to the store");

    let stale = send(&mut browser, &decision, &fields(&before)).await;
    assert_eq!(stale.header("location"), Some(format!("{place}?look=changed").as_str()));
    let done = send(&mut browser, &decision, &fields(&after)).await;
    assert_eq!(done.status, 200, "{}", done.text());
    let packages = world.auth.packages(&world.auth.local_owner()).await.unwrap();
    let granted = packages[0].grants[0].grant.clone().unwrap();
    assert!(granted.streams[0].fields.iter().any(|field| field.as_str() == "place"));
}

#[tokio::test]
async fn a_second_decision_elsewhere_never_says_that_nothing_was_allowed() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let place = asked(&browser, "Agent").await;
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let fields = |decision: &str, digest: &str| {
        let all = [
            ("csrf_token", csrf_token.as_str()),
            ("decision", decision),
            ("digest", digest),
            ("stream", "cin_blue/notes"),
            ("field:cin_blue/notes", "text"),
        ];
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    send(&mut browser, &format!("{place}/draft"), &fields("allow", "")).await;
    let digest = value_of(browser.get(&place).await.text(), "digest");
    let decision = format!("{place}/decision");
    let allowed = send(&mut browser, &decision, &fields("allow", &digest)).await;
    assert_eq!(allowed.status, 200, "{}", allowed.text());
    let refused = send(&mut browser, &decision, &fields("refuse", &digest)).await;
    let html = refused.text();
    assert!(html.contains("Already decided"), "{html}");
    assert!(!html.contains("No access was given"), "the app may read: {html}");
}
