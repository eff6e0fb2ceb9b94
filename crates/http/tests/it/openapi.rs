//! The OpenAPI document: kept in a file, true to the router.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use crate::client::Call;
use crate::world::World;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a developer asks a test to rewrite the file")]
fn the_document_in_docs_is_up_to_date() {
    let text = pdpp_http::openapi::text();
    if std::env::var("PDPP_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(file(), &text).unwrap();
    }
    let kept = std::fs::read_to_string(file()).unwrap_or_default();
    assert!(kept == text, "docs/openapi.json is out of date; run this test with PDPP_BLESS=1");
}

#[tokio::test]
async fn the_document_and_the_router_name_the_same_routes_and_methods() {
    let world = World::new().await;
    let document = pdpp_http::openapi::document();
    let paths = document["paths"].as_object().unwrap();
    let documented: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    assert_eq!(documented, pdpp_http::paths().into_iter().collect());
    for (path, methods) in paths {
        let target = path.replace("{stream}", "notes").replace("{id}", "x");
        let reply = Call::new("PATCH", &target).send(world.addr).await;
        assert_eq!(reply.status, 405, "{path}");
        let allowed = reply.header("allow").unwrap().to_lowercase();
        let allowed: BTreeSet<&str> = allowed.split(',').filter(|name| *name != "head").collect();
        let documented: BTreeSet<&str> =
            methods.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(documented, allowed, "{path}");
    }
}

#[tokio::test]
async fn every_documented_route_answers() {
    let world = World::filled().await;
    let token = world.owner().await;
    let document = pdpp_http::openapi::document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let target = path.replace("{stream}", "notes").replace("{id}", "blue-1");
            let call = Call::new(&method.to_uppercase(), &target).bearer(&token);
            let reply = call.send(world.addr).await;
            if path.contains("{blob_id}") {
                assert_eq!(reply.refusal().1, "blob_not_found", "the route is there, no blob is");
                continue;
            }
            assert!(![404, 405, 500].contains(&reply.status), "{method} {path}: {}", reply.status);
        }
    }
}

#[tokio::test]
async fn every_documented_parameter_is_known_to_its_route() {
    let world = World::filled().await;
    let token = world.owner().await;
    let document = pdpp_http::openapi::document();
    let get = |path: &str| document.pointer(path).cloned().unwrap_or(Value::Null);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for reference in operation["parameters"].as_array().unwrap() {
                let pointer = reference["$ref"].as_str().unwrap().trim_start_matches('#');
                let parameter = get(pointer);
                assert!(parameter.is_object(), "{pointer} leads nowhere");
                if parameter["in"] != "query" || parameter["name"] == "filter" {
                    continue;
                }
                let name = parameter["name"].as_str().unwrap();
                let target = path.replace("{stream}", "notes").replace("{id}", "blue-1");
                let call = Call::new(&method.to_uppercase(), &format!("{target}?{name}="));
                let text = call.bearer(&token).send(world.addr).await;
                assert!(!text.text().contains("does not know"), "{method} {path} {name}");
            }
        }
    }
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    let document = pdpp_http::openapi::document();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let found = document.pointer(reference.trim_start_matches('#'));
        assert!(found.is_some(), "{reference} leads nowhere");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            references.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
