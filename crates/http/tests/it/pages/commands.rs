//! Commands on pages find the store of the server that shows them, and tell strangers no place.

use pdpp_http::{CommandOptions, HttpOptions};

use super::browser::Browser;
use crate::world::World;

const TYPED: &str = " --data-dir /srv/ada --database-url-file /srv/address";

async fn world() -> World {
    let command_options = CommandOptions {
        names: vec!["--data-dir".to_owned(), "--database-url-file".to_owned()],
        typed: TYPED.to_owned(),
    };
    World::with(HttpOptions { command_options, ..HttpOptions::default() }).await
}

#[tokio::test]
async fn strangers_are_told_which_options_a_command_needs_and_no_place() {
    let needed = "Give the command the <code>--data-dir</code> and \
                  <code>--database-url-file</code> of this server.";
    let world = world().await;
    let stranger = Browser::new(&world);
    let nobody = stranger.get("/owner/login").await.text().to_owned();
    assert!(nobody.contains("This server is not set up yet"), "{nobody}");
    Browser::signed_in(&world).await;
    let login = stranger.get("/owner/login").await.text().to_owned();
    let link = stranger.get("/owner/setup?code=old").await.text().to_owned();
    let wrong = Browser::new(&world).post("/owner/login", &[("password", "no")]).await;
    for page in [&nobody, &login, &link, wrong.text()] {
        assert!(page.contains("<code>pdpp owner password</code>"), "{page}");
        assert!(page.contains(needed) && !page.contains("/srv/"), "{page}");
    }
}

#[tokio::test]
async fn the_owner_is_shown_commands_that_reach_this_store() {
    let world = world().await;
    let page = Browser::signed_in(&world).await.get("/owner/connect").await.text().to_owned();
    for command in [
        "pdpp grant create --client claude-code --allow work-mail/messages:subject,sent_at",
        "pdpp setup claude-code",
        "pdpp mcp --client my-agent",
    ] {
        assert!(page.contains(&format!("<code>{command}{TYPED}</code>")), "{command}: {page}");
    }
}

#[tokio::test]
async fn a_store_in_the_usual_place_needs_no_options() {
    let world = World::new().await;
    let browser = Browser::signed_in(&world).await;
    let login = Browser::new(&world).get("/owner/login").await.text().to_owned();
    assert!(!login.contains("Give the command"), "{login}");
    let page = browser.get("/owner/connect").await.text().to_owned();
    assert!(page.contains("<code>pdpp setup claude-code</code>"), "{page}");
}
