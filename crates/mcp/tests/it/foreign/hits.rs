//! Hits in forms that others use.

use serde_json::{Value, json};

use super::{Foreign, hit, plain};
use crate::world::{data, shown_ids};

fn with_hits(hits: Value) -> Foreign {
    Foreign::new(move |target| {
        if target.starts_with("/v1/search") {
            return (200, json!({"object": "list", "has_more": false, "data": hits}));
        }
        plain(target)
    })
}

#[test]
fn a_hit_that_is_no_record_of_the_grammar_is_left_out_by_itself() {
    let page = json!({"object": "search_result", "url": "https://ex.org/a", "title": "web page",
                      "snippet": {"field": "body", "text": "x"}});
    let mut long = hit("n3");
    long["record_key"] = json!("k".repeat(600));
    for odd in [page, long, json!("text"), json!({"stream": "notes"})] {
        let world = with_hits(json!([hit("n1"), odd, hit("n2")]));
        let found = world.answer("search", json!({"query": "tiles"}));
        assert_eq!(shown_ids(&found.text), ["cin_9/notes:n1", "cin_9/notes:n2"], "{odd}");
        assert!(found.text.contains("1 hit left out"), "{}", found.text);
        let warning = &data(&found)["data"]["meta"]["warnings"][0];
        assert_eq!(
            (&warning["code"], &warning["detail"]["left_out"]),
            (&json!("partial_results"), &json!(1)),
            "{warning}"
        );
    }
}

#[test]
fn a_record_is_known_by_whatever_the_hit_calls_its_id() {
    for (name, id) in [
        ("result_id", "cin_9/notes:n1"),
        ("result_id", "notes:n1"),
        ("record_id", "n1"),
        ("id", "n1"),
        ("id", "cin_9/notes:n1"),
    ] {
        let mut other = hit("n1");
        let members = other.as_object_mut().unwrap();
        members.remove("record_key");
        members.insert(name.to_owned(), json!(id));
        let world = with_hits(json!([other]));
        let found = world.answer("search", json!({"query": "tiles"}));
        assert_eq!(shown_ids(&found.text), ["cin_9/notes:n1"], "{name} {id}");
        assert_eq!(data(&found)["data"]["meta"]["warnings"], json!([]));
    }
}

#[test]
fn a_snippet_that_is_plain_text_belongs_to_the_first_field_that_matched() {
    let mut other = hit("n1");
    other["snippet"] = json!("plain words");
    let mut unknown = other.clone();
    unknown["matched_fields"] = Value::Null;
    let world = with_hits(json!([other, unknown]));
    let found = world.answer("search", json!({"query": "tiles"}));
    assert!(found.text.contains("body=\"plain words\""), "{}", found.text);
    assert_eq!(data(&found)["data"]["data"][0]["snippet"]["field"], "body");
    assert_eq!(data(&found)["results"].as_array().unwrap().len(), 2);
}
