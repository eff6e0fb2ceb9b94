//! Whatever a store holds, an answer stays within its budget, and what it cuts can be read to the end.

use pdpp_contract::Json;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Provider, World, data, family, record, shown_ids, source, wire_bytes};

/// Fields of every size and kind, from nothing to far too much.
fn fields() -> impl Strategy<Value = Vec<(String, Json)>> {
    let value = prop_oneof![
        "[ -~]{0,30}".prop_map(Json::String),
        (1_usize..60_000).prop_map(|chars| Json::String("é日x ".repeat(chars / 4 + 1))),
        (1_usize..3_000)
            .prop_map(|items| Json::Array(vec![Json::String("item".to_owned()); items])),
        any::<i64>().prop_map(|number| Json::Number(number.to_string())),
        Just(Json::Null),
    ];
    prop::collection::vec(("[a-z]{1,40}", value), 0..40)
}

fn world_of(rows: &[Vec<(String, Json)>]) -> World {
    let sources = vec![source("cin_work", "gmail", Some("Mail"), &["messages"])];
    let provider = Provider { sources, any_field: true, ..family() };
    let records = rows.iter().enumerate().map(|(at, fields)| {
        let mut one = record("cin_work", "messages", &format!("r{at}"), &[]);
        let named = fields.iter().filter(|(name, _)| name != "id").cloned();
        one.data.as_mut().unwrap().extend(named);
        one
    });
    *provider.records.lock().unwrap() = records.collect();
    World::new(provider)
}

/// The text of a field as the store holds it.
fn stored(world: &World, record_id: &str, field: &str) -> String {
    let records = world.provider.records.lock().unwrap();
    let record = records.iter().find(|record| record.id.as_str() == record_id).unwrap();
    match &record.data.as_ref().unwrap()[field] {
        Json::String(text) => text.clone(),
        other => other.to_canonical(),
    }
}

/// Makes the call of every entry of a ladder, and compares what comes back with the store.
fn follow(world: &World, ladder: &Value) -> Result<usize, TestCaseError> {
    let mut followed = 0;
    for rung in ladder["records"].as_array().into_iter().flatten() {
        for field in rung["fields"].as_array().unwrap() {
            let whole =
                stored(world, rung["record_id"].as_str().unwrap(), field["path"].as_str().unwrap());
            prop_assert_eq!(&field["size_chars"], &json!(whole.chars().count()));
            let shown = field["preview"]["end_chars"].as_u64().unwrap_or(0);
            let read = world
                .call(field["read"]["tool"].as_str().unwrap(), field["read"]["arguments"].clone());
            let window = &data(&read)["window"];
            prop_assert_eq!(&window["start_chars"], &json!(shown));
            let start = usize::try_from(shown).unwrap();
            let expected: String = whole.chars().skip(start).take(4_096).collect();
            prop_assert_eq!(window["text"].as_str().unwrap(), expected);
            followed += 1;
        }
    }
    Ok(followed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_page_of_any_records_stays_within_budget_and_leads_on(
        rows in prop::collection::vec(fields(), 1..12),
        limit in 1_u32..100,
    ) {
        let world = world_of(&rows);
        let mut arguments = json!({"stream": "messages", "limit": limit});
        let mut seen = Vec::new();
        loop {
            let answer = world.call("query_records", arguments.clone());
            let most = 1_800 + 300 * (limit.clamp(5, 19) as usize - 5);
            prop_assert!(answer.text.len() <= most, "{} bytes of text", answer.text.len());
            prop_assert!(wire_bytes(&answer) <= 49_152, "{} bytes", wire_bytes(&answer));
            follow(&world, &data(&answer)["content_ladder"])?;
            let page = &data(&answer)["data"];
            seen.extend(page["data"].as_array().unwrap().iter().map(|row| row["id"].clone()));
            for id in shown_ids(&answer.text) {
                let fetched = world.call("fetch", json!({"id": id}));
                let document = data(&fetched);
                prop_assert!(document["text"].as_str().unwrap().chars().count() <= 16_384);
                prop_assert!(document["metadata"].to_string().len() <= 16_384);
                follow(&world, &document["metadata"]["content_ladder"])?;
            }
            match page["next_cursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => break,
            }
        }
        let all: Vec<Value> = (0..rows.len()).map(|at| json!(format!("r{at}"))).collect();
        prop_assert_eq!(seen, all, "every record once, in order");
    }
}

#[test]
fn a_ladder_that_leads_elsewhere_would_be_noticed() {
    let long = Json::String("0123456789".repeat(2_000));
    let world = world_of(&[vec![("body".to_owned(), long)]]);
    let answer = world.call("query_records", json!({"stream": "messages"}));
    let mut ladder = data(&answer)["content_ladder"].clone();
    assert_eq!(follow(&world, &ladder).unwrap(), 1);
    let offset = &mut ladder["records"][0]["fields"][0]["read"]["arguments"]["offset_chars"];
    *offset = json!(offset.as_u64().unwrap() + 1);
    assert!(follow(&world, &ladder).is_err());
}
