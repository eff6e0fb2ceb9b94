//! A record that alone holds the rare word of a question comes before records that lack it, however
//! long it is.

use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ApiError, ReadApi};
use serde_json::json;

use crate::world::{World, mail, message};

/// The place of a record among the hits, from 1.
async fn place(
    mails: &[(String, &str, String)],
    q: &str,
    wanted: &str,
) -> Result<Option<usize>, ApiError> {
    let world = World::new(12).await;
    let lines: Vec<_> = mails
        .iter()
        .map(|(id, subject, text)| {
            let sent_at = "2026-02-03T09:00:00Z";
            message(id, json!({"sent_at": sent_at, "subject": subject, "text": text, "size": 1}))
        })
        .collect();
    world.import("work-mail", &mail(), &lines).await;
    let request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(100),
        cursor: None,
        filter: Vec::new(),
    };
    let page = world.reader(&["work-mail"]).await.search(request).await?;
    Ok(page.data.iter().position(|hit| hit.record_key.as_str() == wanted).map(|at| at + 1))
}

fn filler(words: usize) -> String {
    (0..words).map(|n| format!("filler{n} ")).collect()
}

#[tokio::test]
async fn a_long_mail_with_the_rare_word_comes_before_short_mails_with_the_common_one() {
    let short = |n: usize| {
        let text = if n < 60 { "Lease, lease." } else { "See you on Monday." };
        (format!("short-{n}"), if n < 60 { "Lease" } else { "Monday" }, text.to_owned())
    };
    let mut mails: Vec<_> = (0..241).map(short).collect();
    let text = format!("{} the bond is due {}", filler(900), filler(900));
    mails.push(("long".to_owned(), "Bond", text));
    assert_eq!(place(&mails, "bond", "long").await.unwrap(), Some(1));
    assert_eq!(place(&mails, "bond lease", "long").await.unwrap(), Some(1));
}
