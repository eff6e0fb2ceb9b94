//! Lists, single reads and counts against the oracle.

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::{Instant, RecordId};
use pdpp_store::{CollectionScope, ReadScope, TimeBounds};
use pdpp_store_conformance::sample::{Account, field_name, finds};
use pdpp_store_conformance::{Ask, equals, range};
use proptest::prelude::*;

use super::desk::{Desk, runner};
use super::oracle::{At, Note, Question, notes, question};

fn instant(minute: i64) -> Instant {
    let start = Instant::parse("2026-01-01").unwrap().timestamp();
    Instant::from(start + jiff::SignedDuration::from_mins(minute))
}

/// The note as JSON; its time in the note's own offset.
fn json(note: &Note) -> String {
    let at = match note.at {
        At::Absent => String::new(),
        At::Unreadable => r#","at":"some time""#.to_owned(),
        At::Minute(minute, offset) => {
            let zone = jiff::tz::Offset::constant(offset).to_time_zone();
            let local = instant(minute).timestamp().to_zoned(zone);
            format!(r#","at":"{}""#, local.strftime("%Y-%m-%dT%H:%M:%S%:z"))
        }
    };
    let count = note.count.map(|count| format!(r#","count":{count}"#)).unwrap_or_default();
    format!(r#"{{"id":"{}","kind":"k{}"{at}{count}}}"#, note.id, note.kind)
}

/// Writes the notes, the last key first: the order of arrival must not matter.
async fn write(account: &Account, notes: &[&Note]) {
    let (marked, plain): (Vec<&Note>, Vec<&Note>) =
        notes.iter().rev().copied().partition(|note| note.codes);
    account.put("notes", &plain.into_iter().map(json).collect::<Vec<_>>()).await;
    for note in marked {
        account.put_with_codes("notes", &json(note)).await;
    }
}

fn scope(account: &Account, question: &Question) -> CollectionScope {
    let mut scope = account.all("notes");
    if question.since.is_some() || question.until.is_some() {
        scope.time = Some(TimeBounds {
            field: field_name("at"),
            since: question.since.map(instant),
            until: question.until.map(instant),
        });
    }
    let ids =
        |only: &Vec<String>| only.iter().map(|id| RecordId::new(id.as_str()).unwrap()).collect();
    scope.records = question.only.as_ref().map(ids);
    scope.leave_out_codes = question.leave_out_codes;
    scope
}

fn ask(question: &Question) -> Ask {
    let mut ask = question.order.map_or_else(Ask::by_key, Ask::by).limit(question.limit);
    ask.descending = question.descending;
    if let Some(kind) = question.kind {
        ask = ask.only(equals(FieldKind::String, "kind", &format!("k{kind}")));
    }
    if let Some((operator, bound)) = question.count {
        ask = ask.only(range(FieldKind::Integer, "count", operator, &bound.to_string()));
    }
    ask
}

async fn check(desk: &Desk, notes: &[Note], questions: &[Question]) -> Result<(), TestCaseError> {
    let mut accounts = Vec::new();
    for connection in 0..3 {
        let account = desk.account().await;
        let own: Vec<&Note> = notes.iter().filter(|note| note.connection == connection).collect();
        write(&account, &own).await;
        accounts.push(account);
    }
    for question in questions {
        let collections = accounts.iter().map(|account| scope(account, question)).collect();
        let everywhere = ReadScope::new(collections);
        let answer = question.answer(notes);
        let expected: Vec<String> = answer
            .iter()
            .map(|note| format!("{}/{}", accounts[note.connection].id, note.id))
            .collect();
        let ask = ask(question);
        prop_assert_eq!(&ask.places(&desk.store, &everywhere).await, &expected, "{:?}", question);
        let counted = ask.count(&desk.store, &everywhere).await;
        prop_assert_eq!(counted, expected.len() as u64, "the count of {:?}", question);
        for note in notes.iter().step_by(3) {
            let own = ReadScope::new(vec![scope(&accounts[note.connection], question)]);
            let found = finds(&desk.store, &own, &note.id).await;
            prop_assert_eq!(found, question.shows(note), "{:?} for {:?}", note, question);
        }
    }
    Ok(())
}

#[test]
fn lists_finds_and_counts_agree_with_plain_filtering_and_sorting() {
    let desk = Desk::new();
    let cases = (notes(), proptest::collection::vec(question(), 8));
    runner(40)
        .run(&cases, |(notes, questions)| desk.runtime.block_on(check(&desk, &notes, &questions)))
        .unwrap_or_else(|failure| panic!("{failure}"));
    desk.is_sound();
}
