//! What stands first: the exact title, the record that covers the question, the long text that alone
//! holds a word; and a further word of a record never moves it below one that lacks it.

use pdpp_contract::ReadApi;
use pdpp_contract::search::SearchRequest;
use pdpp_engine::GrantedReader;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::world::{World, mail, message};

async fn found(reader: &GrantedReader, q: &str) -> Vec<String> {
    let request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(100),
        cursor: None,
        filter: Vec::new(),
    };
    let page = reader.search(request).await.unwrap();
    page.data.iter().map(|hit| hit.record_key.to_string()).collect()
}

fn letter(id: &str, subject: &str, text: &str) -> Value {
    message(id, json!({"sent_at": "2026-02-02T09:00:00Z", "subject": subject, "text": text}))
}

/// Many short mails about the same things, and one long one.
fn mailbox() -> Vec<Value> {
    let mut lines = Vec::new();
    for n in 0..240 {
        let (subject, text) = match n % 6 {
            0 => ("Lease", "the lease is signed"),
            1 => ("Deposit", "the deposit was paid, the deposit is back"),
            2 => ("Deposit and lease", "deposit deposit lease lease"),
            3 => ("Your apartment", "the apartment is let"),
            4 => ("Floor", "a floor"),
            _ => ("Scratches", "scratches, scratches"),
        };
        lines.push(letter(&format!("m{n:03}"), subject, &format!("{text} {n}")));
    }
    let rest = "and then the agent wrote about many other things of no weight ".repeat(150);
    let about = "the bond for the flat, the lease and who pays";
    lines.push(letter("bond", "Bond papers", &format!("{about} {rest}")));
    let about = "please send the deposit for the apartment when the lease ends";
    lines.push(letter("title", "Re: Apartment lease – deposit", &format!("{about} {rest}")));
    lines.push(letter(
        "floor",
        "Parquet floor",
        &format!("the scratches in the parquet floor {rest}"),
    ));
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_whose_title_is_the_question_is_first() {
    let world = World::new(61).await;
    world.import("work-mail", &mail(), &mailbox()).await;
    let reader = world.reader(&["work-mail"]).await;
    for q in
        ["Re: Apartment lease – deposit", "apartment lease deposit", "apartment lease - deposit"]
    {
        assert_eq!(found(&reader, q).await[0], "title", "{q}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_text_that_covers_the_question_is_first() {
    let world = World::new(62).await;
    world.import("work-mail", &mail(), &mailbox()).await;
    let shop: Vec<_> =
        (0..90).map(|n| letter(&format!("s{n}"), "Parquet", "parquet parquet")).collect();
    world.import("home-mail", &mail(), &shop).await;
    let reader = world.reader(&["work-mail", "home-mail"]).await;
    assert_eq!(found(&reader, "parquet floor scratches").await[0], "floor");
    for q in ["bond", "bond lease", "lease bond papers"] {
        assert_eq!(found(&reader, q).await[0], "bond", "{q}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_word_that_nothing_holds_is_taken_for_a_beginning_and_said() {
    let world = World::new(64).await;
    let lines = [
        letter("m1", "Bescheid", "Ihre Krankenversicherungsbeiträge steigen"),
        letter("m2", "Bescheid", "Ihre Steuern steigen"),
    ];
    world.import("work-mail", &mail(), &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    let request = |q: &str| SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    };
    let page = reader.search(request("Krankenversicherung")).await.unwrap();
    assert_eq!(page.data.len(), 1);
    assert_eq!(page.data[0].record_key.to_string(), "m1");
    let said = &page.meta.warnings[0].message;
    assert_eq!(said, "no match for \"Krankenversicherung\"; matched words that begin with it");
    let snippet = page.data[0].snippet.as_ref().unwrap();
    assert!(snippet.text.contains("<mark>Krankenversicherungsbeiträge</mark>"), "{}", snippet.text);
    for known in ["Steuern", "Zeppelin"] {
        assert!(reader.search(request(known)).await.unwrap().meta.warnings.is_empty(), "{known}");
    }
    // What a grant hides is no reason to leave a word as it is.
    let hidden = letter("h", "-", "Krankenversicherung");
    world.import("home-mail", &mail(), &[hidden]).await;
    let again = reader.search(request("Krankenversicherung")).await.unwrap();
    assert_eq!(again, page);
}

/// Words in the order in which a question grows.
const WORDS: [&str; 6] = ["lease", "deposit", "boiler", "garden", "train", "violin"];

#[test]
fn a_further_word_of_a_record_never_moves_it_below_one_without_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let word = 0..WORDS.len();
    let texts = proptest::collection::vec(proptest::collection::vec(word, 1..30), 2..25);
    let order = proptest::sample::subsequence((0..WORDS.len()).collect::<Vec<_>>(), 2..=5);
    let mut runner = TestRunner::new(Config { cases: 40, ..Config::default() });
    let outcome = runner.run(&(texts, order), |(texts, order)| {
        runtime.block_on(async {
            let world = World::new(63).await;
            let spelled = |words: &[usize]| {
                words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
            };
            let lines: Vec<_> = texts
                .iter()
                .enumerate()
                .map(|(at, words)| {
                    let (title, text) = words.split_at(words.len().min(3) / 2);
                    letter(&format!("m{at}"), &spelled(title), &spelled(text))
                })
                .collect();
            world.import("work-mail", &mail(), &lines).await;
            let reader = world.reader(&["work-mail"]).await;
            let (added, before) = order.split_last().unwrap();
            let short = found(&reader, &spelled(before)).await;
            let long = found(&reader, &spelled(&order)).await;
            let holds = |id: &String| texts[id[1..].parse::<usize>().unwrap()].contains(added);
            for (at, upper) in short.iter().enumerate().filter(|(_, id)| holds(id)) {
                for lower in short[at + 1..].iter().filter(|id| !holds(id)) {
                    let place = |id: &String| long.iter().position(|other| other == id);
                    assert!(
                        place(upper) < place(lower),
                        "{upper} fell below {lower} when {} was added to {before:?}: {texts:?}",
                        WORDS[*added]
                    );
                }
            }
        });
        Ok(())
    });
    outcome.unwrap();
}
