//! The promise about grants, and the proof that the gate notices a reader which breaks it.

use async_trait::async_trait;
use pdpp_contract::{FieldName, RecordId};
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead, TextReader};
use pdpp_store::{CollectionScope, ReadScope, StoreResult};

use crate::backend::{Backend, id, notes, path};
use crate::refused_scopes::{Case, Expected, HIDDEN, cases, put_records};

/// Nothing that a scope hides is ever answered, in any form.
pub async fn are_kept(backend: &dyn Backend) {
    put_records(backend).await;
    assert_eq!(caught(backend.reader()).await, [""; 0]);
    a_broken_reader_is_caught(backend.reader()).await;
}

/// Takes the texts away: a refusal that had looked at them would now be an error. Comes last.
pub async fn end_before_the_text(backend: &dyn Backend) {
    backend.lose_texts().await;
    let first_chars = || TextRead::Range { start: 0, limit: 10 };
    for case in cases() {
        let (scope, id) = (case.scope(), id(case.record));
        let answer =
            backend.reader().read_text(&scope, &id, &path(case.field), first_chars()).await;
        match case.expected {
            Expected::Text => assert!(answer.is_err(), "{}: {answer:?}", case.name),
            // The scope shows it, so the store has to look for it.
            Expected::NoField if case.field == "nothing" => {}
            Expected::NoField => assert_eq!(answer.unwrap(), TextAnswer::NoField, "{}", case.name),
            Expected::NoRecord => {
                assert_eq!(answer.unwrap(), TextAnswer::NoRecord, "{}", case.name);
            }
        }
    }
}

/// The names of the cases that a reader answers wrongly.
async fn caught(reader: &dyn TextReader) -> Vec<&'static str> {
    let mut caught = Vec::new();
    for case in cases() {
        if !holds(reader, &case).await {
            caught.push(case.name);
        }
    }
    caught
}

async fn holds(reader: &dyn TextReader, case: &Case) -> bool {
    let (scope, id) = (case.scope(), id(case.record));
    let answer = reader.read_text(&scope, &id, &path(case.field), case.read.clone()).await.unwrap();
    let leaks = format!("{answer:?}").contains(HIDDEN);
    let right = match case.expected {
        Expected::Text => matches!(&answer, TextAnswer::Text(w) if w.text.contains("evidence")),
        Expected::NoField => answer == TextAnswer::NoField,
        Expected::NoRecord => answer == TextAnswer::NoRecord,
    };
    right && !leaks
}

/// A reader that forgets one limit of each scope it is given.
struct Forgetful<'a> {
    reader: &'a dyn TextReader,
    forget: fn(&mut CollectionScope),
    /// Collections it looks into without being asked.
    beside: Vec<CollectionScope>,
}

#[async_trait]
impl TextReader for Forgetful<'_> {
    async fn read_text(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        path: &FieldPath,
        read: TextRead,
    ) -> StoreResult<TextAnswer> {
        let mut parts = scope.collections().to_vec();
        parts.iter_mut().for_each(self.forget);
        parts.extend(self.beside.iter().cloned());
        self.reader.read_text(&ReadScope::new(parts), id, path, read).await
    }
}

async fn a_broken_reader_is_caught(reader: &dyn TextReader) {
    let forgetful = |forget| Forgetful { reader, forget, beside: Vec::new() };

    let fields = forgetful(|part| {
        let hidden = ["secret", "secret_word", "secret_parts"];
        part.fields.extend(hidden.map(|field| FieldName::new(field).unwrap()));
    });
    let every_field = [
        "an ungranted long field",
        "an ungranted short field",
        "an ungranted nested value",
        "a match in an ungranted field",
    ];
    assert_eq!(caught(&fields).await, every_field);

    let time = forgetful(|part| part.time = None);
    assert_eq!(caught(&time).await, ["outside the time bounds", "without a time"]);

    let records = forgetful(|part| part.records = None);
    assert_eq!(caught(&records).await, ["not among the record ids"]);

    let codes = forgetful(|part| part.leave_out_codes = false);
    assert_eq!(caught(&codes).await, ["with codes"]);

    let beside = vec![notes("b", &["id", "body"])];
    let connections = Forgetful { beside, ..forgetful(|_| {}) };
    assert_eq!(caught(&connections).await, ["of another connection"]);
}
