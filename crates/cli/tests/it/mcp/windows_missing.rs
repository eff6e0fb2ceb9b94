//! A provider that lacks field windows: said by name, and nothing is read instead.

use serde_json::json;

use super::plain_provider::PlainProvider;

#[test]
fn a_provider_without_field_windows_is_named_and_no_record_is_read() {
    let provider = PlainProvider::open();
    provider.every_lane(|agent| {
        let fetched = agent.call("fetch", &json!({"id": "cin_1/notes:n1"}));
        assert!(fetched.shows("yyyy"), "{}", agent.lane);
        provider.take_asked();
        let refusal = agent
            .refused("read_record_field", &json!({"id": "cin_1/notes:n1", "field_path": "body"}));
        assert_eq!(refusal["code"], "field_window_unsupported", "{}: {refusal}", agent.lane);
        let asked = provider.take_asked();
        let reads = asked.iter().filter(|target| !target.contains("/field-window"));
        assert_eq!(reads.count(), 0, "{}: {asked:?}", agent.lane);
    });
}
