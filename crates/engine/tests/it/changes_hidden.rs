//! Changes under conditions that the log cannot decide: what a grant hides decides nothing either.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::query::{Filter, FilterTest, ListRequest};
use pdpp_contract::{FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message};

const GRANT: &[&str] = &["work-mail/messages:id,sent_at,subject,size@2026-01-01..2026-04-01"];
const INSIDE: &str = "2026-02-01T00:00:00Z";
/// The ways to be outside the grant, as data; the last one is deleted.
const OUTSIDE: [Option<(&str, &str)>; 7] = [
    Some(("2027-01-01T00:00:00Z", "1")),
    Some(("2027-01-01T00:00:00Z", "1.0")),
    Some(("2025-01-01T00:00:00Z", "2")),
    Some(("2025-01-01T00:00:00Z", "3")),
    Some((INSIDE, "1 and a code")),
    Some((INSIDE, "2 and a code")),
    None,
];

fn line(id: &str, state: Option<(&str, &str)>, minute: u64) -> Value {
    let emitted_at = format!("2026-11-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    let Some((sent_at, size)) = state else {
        return json!({"type": "RECORD", "stream": "messages", "key": id, "op": "delete",
                      "emitted_at": emitted_at});
    };
    let (size, subject) = match size.split_once(" and ") {
        Some((size, _)) => (size, "Your verification code is 482913"),
        None => (size, "s"),
    };
    let size: Value = serde_json::from_str(size).unwrap();
    let mut line = message(id, json!({"sent_at": sent_at, "subject": subject, "size": size}));
    line["emitted_at"] = json!(emitted_at);
    line
}

#[expect(clippy::unnecessary_wraps, reason = "stands beside None in the tables of cases")]
fn inside(size: &'static str) -> Option<(&'static str, &'static str)> {
    Some((INSIDE, size))
}

fn questions() -> Vec<ListRequest> {
    let field = || FieldName::new("size").unwrap();
    let exact = |value: &str| FilterTest::Equals(value.to_owned());
    let tests = [
        exact("1"),
        exact("1.0"),
        exact("2"),
        FilterTest::Range(RangeOperator::Gte, "2".to_owned()),
        FilterTest::Range(RangeOperator::Lt, "2".to_owned()),
    ];
    let all = ListRequest::new(StreamName::new("messages").unwrap());
    let filtered = tests
        .into_iter()
        .map(|test| ListRequest { filter: vec![Filter { field: field(), test }], ..all.clone() });
    std::iter::once(all.clone()).chain(filtered).collect()
}

/// A session from a bookmark: everything but the bookmarks themselves, and the next bookmark.
async fn session(reader: &GrantedReader, question: &ListRequest, since: &str) -> (String, String) {
    let request =
        ListRequest { changes_since: Some(since.to_owned()), limit: Some(100), ..question.clone() };
    let page = reader.list(request).await.unwrap();
    let next = page.next_changes_since.unwrap();
    (format!("{} moved: {}", serde_json::to_string(&page.data).unwrap(), next != since), next)
}

struct Side {
    world: World,
    reader: GrantedReader,
    /// Per question: where its last session ended, and where one long ago did.
    marks: Vec<(String, String)>,
}

impl Side {
    async fn new(seed: u64) -> Self {
        let world = World::new(seed).await;
        world.import("work-mail", &mail(), &[]).await;
        let reader = world.reader_leaving_out(GRANT, true).await;
        let beginning = || ("beginning".to_owned(), "beginning".to_owned());
        let marks = questions().iter().map(|_| beginning()).collect();
        Self { world, reader, marks }
    }

    async fn write(&self, line: Value) {
        let report = self.world.import("work-mail", &mail(), &[line]).await;
        assert_eq!(report.rejected, 0, "{report:?}");
    }

    /// What every question answers now: from the beginning, since the last time, since long ago.
    async fn look(&mut self, remember: bool) -> Vec<String> {
        let mut answers = Vec::new();
        for (question, (last, old)) in questions().iter().zip(&mut self.marks) {
            answers.push(session(&self.reader, question, "beginning").await.0);
            answers.push(session(&self.reader, question, old).await.0);
            let (answer, next) = session(&self.reader, question, last).await;
            answers.push(answer);
            if remember {
                old.clone_from(&next);
            }
            *last = next;
        }
        answers
    }
}

#[tokio::test]
async fn where_a_record_went_shows_in_no_answer() {
    let before = [&["1"][..], &["1.0"], &["2"], &["3"], &["1", "2"], &["2", "1.0"], &["2", "3"]];
    for (round, sizes) in before.iter().enumerate() {
        let mut sides = Vec::new();
        for (way, outside) in OUTSIDE.iter().enumerate() {
            let mut side = Side::new(40).await;
            // Another record keeps the bookmarks away from the beginning.
            side.write(line("other", inside("1"), 1)).await;
            let mut answers = side.look(true).await;
            for size in *sizes {
                side.write(line("m", inside(size), 2)).await;
                side.write(line("last", inside(size), 2)).await;
                answers.extend(side.look(false).await);
            }
            side.write(line("m", *outside, 3)).await;
            answers.extend(side.look(false).await);
            // Hidden activity, then back again.
            for hidden in OUTSIDE.iter().take(way) {
                side.write(line("m", *hidden, 4)).await;
            }
            answers.extend(side.look(true).await);
            side.write(line("m", inside("2"), 5)).await;
            answers.extend(side.look(false).await);
            sides.push(answers);
        }
        for (way, answers) in sides.iter().enumerate() {
            assert_eq!(&sides[0], answers, "sizes {sizes:?} of round {round}, way {way} out");
        }
    }
}

/// The smallest case, in words: a condition on a number, a departure, two hidden values.
#[tokio::test]
async fn a_departure_is_told_whatever_the_record_became() {
    for outside in OUTSIDE {
        let mut side = Side::new(41).await;
        side.write(line("m", inside("1.0"), 1)).await;
        side.look(true).await;
        side.write(line("m", outside, 2)).await;
        for answer in side.look(false).await.iter().skip(5).step_by(3).take(2) {
            assert!(answer.contains("\"deleted\":true"), "{outside:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_condition_fulfilled_by_another_spelling_follows_the_record() {
    let mut side = Side::new(42).await;
    side.write(line("m", inside("2"), 1)).await;
    side.look(true).await;
    // Inside the grant the present value is known, so nothing is reported that never matched.
    side.write(line("other", inside("2"), 2)).await;
    let ones = |answers: &[String]| answers[5].clone();
    assert_eq!(ones(&side.look(false).await), "[] moved: false");
    side.write(line("m", inside("1.0"), 3)).await;
    assert!(ones(&side.look(false).await).contains("\"size\":1.0"));
    side.write(line("m", inside("2"), 4)).await;
    assert!(ones(&side.look(false).await).contains("\"deleted\":true"));
}
