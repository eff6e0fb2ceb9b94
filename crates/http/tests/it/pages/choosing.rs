//! What ticks mean on the consent page: none is nothing, and taking one away never gives more.

use super::browser::{Browser, value_of};
use super::consent::{asked, world};

const KEY: &str = "cin_blue/notes";

/// The sentence after these choices.
async fn sentence(browser: &mut Browser<'_>, choices: &[(&str, &str)]) -> String {
    let place = asked(browser, "Agent").await;
    let csrf_token = value_of(browser.get(&place).await.text(), "csrf_token");
    let mut fields = vec![("csrf_token", csrf_token.as_str()), ("mode", "on")];
    fields.extend(choices);
    let reply = browser.post(&format!("{place}/draft"), &fields).await;
    assert_eq!(reply.status, 303, "{}", reply.text());
    let html = browser.get(&place).await.text().to_owned();
    let (_, sentence) = html.split_once("id=\"sentence\"").unwrap();
    sentence.split("</section>").next().unwrap().to_owned()
}

#[tokio::test]
async fn no_ticked_field_gives_nothing_and_all_fields_is_a_tick_of_its_own() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let none = sentence(&mut browser, &[("stream", KEY)]).await;
    assert!(none.contains("<b>nothing</b>"), "{none}");
    let all = sentence(&mut browser, &[("stream", KEY), ("all:cin_blue/notes", "yes")]).await;
    assert!(all.contains("<b>notes</b>") && !all.contains("only"), "{all}");
    let both = [("stream", KEY), ("all:cin_blue/notes", "yes"), ("field:cin_blue/notes", "text")];
    let both = sentence(&mut browser, &both).await;
    assert!(both.contains("only <b>text</b>"), "a ticked field narrows: {both}");
}

#[tokio::test]
async fn the_tick_of_an_account_gives_everything_in_it_but_what_is_narrowed() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let whole = [("account", "cin_blue"), ("all:cin_blue/notes", "yes")];
    let whole = sentence(&mut browser, &whole).await;
    assert!(whole.contains("<b>notes</b>") && !whole.contains("only"), "{whole}");
    let narrowed = [("account", "cin_blue"), ("field:cin_blue/notes", "text")];
    let narrowed = sentence(&mut browser, &narrowed).await;
    assert!(narrowed.contains("only <b>text</b>"), "{narrowed}");
}

#[tokio::test]
async fn a_period_that_ends_before_it_begins_gives_nothing() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world).await;
    let choices = [
        ("stream", KEY),
        ("field:cin_blue/notes", "text"),
        ("since:cin_blue/notes", "2026-06-01"),
        ("until:cin_blue/notes", "2026-01-01"),
    ];
    let sentence = sentence(&mut browser, &choices).await;
    assert!(sentence.contains("<b>nothing</b>"), "{sentence}");
}
