//! The rules between the parts of a declaration: each broken one has its code and its place.

use std::collections::BTreeSet;

use pdpp_contract::SourceDeclaration;
use pdpp_contract::declaration::DeclarationFaultCode;
use serde_json::json;

use crate::edit::{Case, cases, faults, full, places, set, with};

/// At least one case for every code.
fn rules() -> Vec<Case> {
    cases(include_str!("rules.json"))
}

#[test]
fn every_broken_rule_is_reported_with_its_code_and_place() {
    for case in rules() {
        let found = faults(&with(&case.set, case.value.clone()).to_string());
        let path = case.path.unwrap_or(case.set);
        assert_eq!(found, [(case.code, path, case.reference)], "{}", case.value);
    }
}

#[test]
fn every_code_has_a_case() {
    let mut covered: BTreeSet<String> =
        rules().into_iter().map(|case| format!("source.declaration.{}", case.code)).collect();
    // Of new declarations only: `width` has its cases.
    covered.insert(DeclarationFaultCode::TooManyTypedFields.as_str().to_owned());
    let all: BTreeSet<String> =
        DeclarationFaultCode::ALL.iter().map(|code| code.as_str().to_owned()).collect();
    assert_eq!(covered, all);
}

#[test]
fn a_field_may_be_called_ref() {
    let document = with("/streams/0/schema/properties/$ref", json!({ "type": "string" }));
    assert_eq!(places(&document), []);
}

#[test]
fn faults_come_in_document_order() {
    let mut document = full();
    set(&mut document, "/streams/2/primary_key/0", json!("late"));
    set(&mut document, "/streams/0/query/aggregations/sum/1", json!("nope"));
    set(&mut document, "/streams/0/query/range_filters/zz", json!(["gt"]));
    set(&mut document, "/streams/0/query/range_filters/aa", json!(["gt"]));
    set(&mut document, "/selection_presets/1/id", json!("spending"));
    let paths: Vec<String> = places(&document).into_iter().map(|(_, path)| path).collect();
    let expected = [
        "/selection_presets/1/id",
        "/streams/0/query/range_filters/zz",
        "/streams/0/query/range_filters/aa",
        "/streams/0/query/aggregations/sum/1",
        "/streams/2/primary_key/0",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn a_fault_reads_as_a_sentence_and_travels_as_json() {
    let document = with("/streams/0/cursor_field", json!("nope"));
    let faults = SourceDeclaration::parse(&document.to_string()).unwrap_err();
    let fault = &faults[0];
    let sentence =
        r#""/streams/0/cursor_field": the schema of the stream declares no such field: nope"#;
    assert_eq!(fault.to_string(), sentence);
    let wire = json!({
        "code": "source.declaration.unknown_schema_field",
        "path": "/streams/0/cursor_field",
        "reference": "nope"
    });
    assert_eq!(serde_json::to_value(fault).unwrap(), wire);
}
