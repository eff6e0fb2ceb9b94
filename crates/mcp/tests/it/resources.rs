//! Resources: streams listed page by page, records and windows by handle, nothing by guess.

use serde_json::{Value, json};

use crate::world::{Provider, World, block_on, data, family, source};

fn listed(world: &World, cursor: Option<&str>) -> Value {
    serde_json::to_value(block_on(world.context.list_resources(cursor)).unwrap()).unwrap()
}

#[test]
fn granted_streams_are_listed_in_pages_and_can_be_read() {
    let names: Vec<String> = (0..130).map(|at| format!("stream_{at:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sources =
        vec![source("cin_1", "gmail", Some("One"), &names), source("cin_2", "gmail", None, &names)];
    let world = World::new(Provider { sources, ..family() });
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = listed(&world, cursor.as_deref());
        for resource in page["resources"].as_array().unwrap() {
            seen.push(resource["uri"].as_str().unwrap().to_owned());
        }
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 260);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 260, "every stream of every connection has its own address");
    let read = block_on(world.context.read_resource(&seen[0])).unwrap();
    let read = serde_json::to_value(read).unwrap();
    assert!(read["contents"][0]["text"].as_str().unwrap().starts_with("stream=stream_"), "{read}");
}

#[test]
fn a_record_resource_is_the_document() {
    let mut world = World::without_links(family());
    world.context.links = true;
    let answer = world.call("fetch", json!({"id": "cin_work/messages:m1"}));
    let uri = data(&answer)["url"].as_str().unwrap().to_owned();
    let read = serde_json::to_value(block_on(world.context.read_resource(&uri)).unwrap()).unwrap();
    let document: Value =
        serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(&document, data(&answer));
}

#[test]
fn addresses_that_were_not_made_here_lead_nowhere() {
    let world = World::new(family());
    let answer = world
        .call("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    let uri = data(&answer)["resource"]["uri"].as_str().unwrap();
    let before = world.provider.calls().len();
    let as_record = uri.replace("field-window", "record");
    let as_stream = uri.replace("field-window", "stream");
    let mut forged = uri.to_owned();
    forged.replace_range(30..31, if &uri[30..31] == "A" { "B" } else { "A" });
    for bad in [
        "pdpp://record/",
        "pdpp://field-window/AAAA",
        "pdpp://stream/messages",
        "file:///etc/passwd",
        "pdpp://owner/x",
        &as_record,
        &as_stream,
        &forged,
    ] {
        let refusal = block_on(world.context.read_resource(bad)).unwrap_err();
        assert_eq!((refusal.code, refusal.status), ("not_found", 404), "{bad}");
    }
    assert_eq!(world.provider.calls().len(), before, "nothing was read");
}

#[test]
fn a_handle_is_not_authority() {
    let world = World::new(family());
    let answer = world
        .call("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    let uri = data(&answer)["resource"]["uri"].as_str().unwrap().to_owned();
    let mut narrower = family();
    narrower.fields.remove("body");
    let narrower = World::new(narrower);
    let by_handle = block_on(narrower.context.read_resource(&uri)).unwrap_err();
    assert_eq!(by_handle.code, "field_not_granted");
    let by_name = narrower
        .refused("read_record_field", json!({"id": "cin_work/messages:m2", "field_path": "body"}));
    assert_eq!(by_name["code"], by_handle.code);
}

#[test]
fn a_stream_of_another_grant_is_an_address_that_leads_nowhere() {
    let wide = World::new(Provider {
        sources: vec![
            source("cin_work", "gmail", None, &["messages", "secret_files"]),
            source("cin_hidden", "gmail", None, &["messages"]),
        ],
        ..family()
    });
    let narrow = World::new(Provider {
        sources: vec![source("cin_work", "gmail", None, &["messages"])],
        ..family()
    });
    let refusal =
        |uri: &str| block_on(narrow.context.read_resource(uri)).map_err(|no| no.to_json());
    let unknown = refusal("pdpp://stream/AAAA").unwrap_err();
    let resources = listed(&wide, None)["resources"].clone();
    let uris = resources.as_array().unwrap().iter().map(|one| one["uri"].as_str().unwrap());
    let read: Vec<Result<_, Value>> = uris.map(refusal).collect();
    assert!(matches!(read.as_slice(), [Ok(_), Err(_), Err(_)]), "{read:?}");
    for refusal in read.into_iter().filter_map(Result::err) {
        assert_eq!(refusal, unknown);
    }
}

#[test]
fn completions_offer_what_is_in_view() {
    let world = World::new(family());
    let of = |template: &str, argument: &str, value: &str| {
        block_on(world.context.complete(template, argument, value)).unwrap().values
    };
    let values = |argument: &str, value: &str| of("pdpp://stream/{handle}", argument, value);
    assert_eq!(values("stream", ""), ["labels", "messages", "posts"]);
    assert_eq!(values("stream", "Me"), ["messages"]);
    assert_eq!(values("connection_id", "cin_h"), ["cin_home"]);
    let handles = values("handle", "mes");
    assert_eq!(handles.len(), 2, "two connections have messages");
    for handle in handles {
        let uri = format!("pdpp://stream/{handle}");
        let read = block_on(world.context.read_resource(&uri)).unwrap();
        let text = serde_json::to_string(&read).unwrap();
        assert!(text.contains("stream=messages"), "{text}");
    }
    assert_eq!(of("pdpp://record/{handle}", "handle", "mes"), Vec::<String>::new());
}
