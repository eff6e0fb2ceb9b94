//! A sound declaration is read completely, kept completely, and answers questions about itself.

use pdpp_contract::declaration::{FieldKind, RangeOperator, SourceDeclaration};
use pdpp_contract::ids::FieldName;
use serde_json::json;

use crate::edit::{FULL, MINIMAL, full, full_declaration, with};

fn names(fields: &[FieldName]) -> Vec<&str> {
    fields.iter().map(FieldName::as_str).collect()
}

#[test]
fn a_full_declaration_survives_the_wire_unchanged() {
    let declaration = full_declaration();
    assert_eq!(serde_json::to_value(&declaration).unwrap(), full());
    let text = serde_json::to_string(&declaration).unwrap();
    assert_eq!(SourceDeclaration::parse(&text).unwrap(), declaration);
    assert_eq!(serde_json::from_str::<SourceDeclaration>(FULL).unwrap(), declaration);
}

#[test]
fn what_is_absent_stays_absent() {
    let declaration = SourceDeclaration::parse(MINIMAL).unwrap();
    let expected: serde_json::Value = serde_json::from_str(MINIMAL).unwrap();
    assert_eq!(serde_json::to_value(&declaration).unwrap(), expected);
}

#[test]
fn a_declaration_built_in_code_passes_the_same_check() {
    let mut declaration = full_declaration();
    assert_eq!(declaration.clone().checked().unwrap(), declaration);
    declaration.source.id = "https://registry.example/".to_owned();
    declaration.protocol_version = "9".to_owned();
    assert_eq!(declaration.connector_key().as_str(), "unknown");
    let paths: Vec<String> =
        declaration.checked().unwrap_err().into_iter().map(|fault| fault.path).collect();
    assert_eq!(paths, ["/protocol_version", "/source/id"]);
}

#[test]
fn the_connector_key_is_the_last_path_segment_of_the_source_id() {
    assert_eq!(full_declaration().connector_key().as_str(), "shop");
}

#[test]
fn streams_are_found_by_name() {
    let declaration = full_declaration();
    assert_eq!(declaration.stream("customers").unwrap().name.as_str(), "customers");
    assert!(declaration.stream("Customers").is_none());
}

#[test]
fn the_canonical_text_does_not_depend_on_order_or_defaults() {
    let plain = full_declaration().to_canonical_json();
    assert!(plain.starts_with(r#"{"declaration_version":"2026-04-01","display":"#), "{plain}");
    assert!(plain.contains(r#""properties":{"a/b~c":"#), "members of the schema are sorted");

    let mut turned = json!({});
    for (name, value) in full().as_object().unwrap().iter().rev() {
        turned[name] = value.clone();
    }
    turned["streams"][1]["views"] = json!([]);
    turned["streams"][1]["query"] = json!({ "search": { "lexical_fields": [] }, "expand": [] });
    let turned = SourceDeclaration::parse(&turned.to_string()).unwrap();
    assert_eq!(turned.to_canonical_json(), plain);

    let other = with("/streams/0/views/0/label", json!("Other"));
    let other = SourceDeclaration::parse(&other.to_string()).unwrap();
    assert_ne!(other.to_canonical_json(), plain);
}

#[test]
fn fields_are_read_from_the_schema() {
    use FieldKind::{Boolean, Date, DateTime, Integer, Number, String, Structured};
    let declaration = full_declaration();
    let orders = declaration.stream("orders").unwrap();
    let expected = [
        ("id", String, false),
        ("placed_at", DateTime, false),
        ("delivered_on", Date, true),
        ("total", Number, false),
        ("item_count", Integer, false),
        ("gift", Boolean, true),
        ("note", String, true),
        ("customer_id", String, false),
        ("address", Structured, true),
        ("tags", Structured, false),
        ("mixed", Structured, false),
        ("a/b~c", String, false),
        ("anything", Structured, true),
    ];
    assert_eq!(names(&orders.field_names()), expected.map(|(name, _, _)| name));
    for (name, kind, nullable) in expected {
        assert_eq!(orders.field_kind(name), Some(kind), "{name}");
        assert_eq!(orders.nullable(name), nullable, "{name}");
        assert!(orders.has_field(name), "{name}");
    }
    assert_eq!(orders.field_kind("ID"), None);
    assert!(!orders.has_field("ID"));
    assert!(!orders.nullable("ID"));
    assert_eq!(names(&orders.required_fields()), ["id", "placed_at"]);
}

#[test]
fn sorting_and_ranges_follow_the_declaration() {
    let declaration = full_declaration();
    let orders = declaration.stream("orders").unwrap();
    assert_eq!(names(&orders.sortable_fields()), ["placed_at", "delivered_on", "total"]);
    assert_eq!(orders.range_operators("total"), [RangeOperator::Gte, RangeOperator::Lt]);
    assert_eq!(orders.range_operators("placed_at"), []);
    assert_eq!(RangeOperator::Lte.as_str(), "lte");
}

#[test]
fn projected_fields_are_listed_once_and_in_a_stable_order() {
    let declaration = full_declaration();
    let orders = declaration.stream("orders").unwrap();
    let own = ["placed_at", "delivered_on", "total", "customer_id", "gift", "item_count"];
    assert_eq!(names(&orders.projected_fields()), own);
    assert_eq!(names(&declaration.projected_fields(orders)), own);

    let items = declaration.stream("order_items").unwrap();
    assert_eq!(names(&items.projected_fields()), [""; 0]);
    assert_eq!(names(&declaration.projected_fields(items)), ["order_id"]);
}
