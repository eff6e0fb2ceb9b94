//! The schemas: the contract's own types, and the few bodies that are put together here.

use pdpp_contract::ApiError;
use pdpp_contract::aggregate::Aggregation;
use pdpp_contract::blob::BlobReceipt;
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::query::{RecordPage, StreamList};
use pdpp_contract::record::{Record, RecordLine};
use pdpp_contract::schema::{SchemaDocument, StreamMetadata};
use pdpp_contract::search::SearchPage;
use pdpp_contract::window::FieldWindow;
use pdpp_engine::ingest::IngestReport;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

/// A reference to a schema of the document.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Every schema by name.
pub fn all() -> Value {
    let mut generator = generator(SchemaSettings::draft2020_12().for_serialize());
    generator.subschema_for::<Aggregation>();
    generator.subschema_for::<ApiError>();
    generator.subschema_for::<BlobReceipt>();
    generator.subschema_for::<FieldWindow>();
    generator.subschema_for::<IngestReport>();
    generator.subschema_for::<Links>();
    generator.subschema_for::<Meta>();
    generator.subschema_for::<Record>();
    generator.subschema_for::<RecordPage>();
    generator.subschema_for::<SchemaDocument>();
    generator.subschema_for::<SearchPage>();
    generator.subschema_for::<StreamList>();
    generator.subschema_for::<StreamMetadata>();
    let mut schemas: Map<String, Value> = generator.take_definitions(true);
    // The one type that callers write and we read: what may be left out differs.
    let mut taken = self::generator(SchemaSettings::draft2020_12().for_deserialize());
    taken.subschema_for::<RecordLine>();
    schemas.extend(taken.take_definitions(true));
    schemas.extend(composed());
    schemas.sort_keys();
    Value::Object(schemas)
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    let settings = settings.with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    settings.into_generator()
}

fn composed() -> [(String, Value); 7] {
    [
        ("RecordDetail".to_owned(), with_surroundings("Record")),
        ("StreamDetail".to_owned(), with_surroundings("StreamMetadata")),
        ("Refusal".to_owned(), refusal()),
        ("RefusalBody".to_owned(), refusal_body()),
        ("DiscoveryIndex".to_owned(), discovery_index()),
        ("Health".to_owned(), health()),
        ("TokenInfo".to_owned(), token_info()),
    ]
}

/// A thing whose members stand at the top, with links and meta beside them.
fn with_surroundings(name: &str) -> Value {
    json!({ "allOf": [reference(name), {
        "type": "object",
        "required": ["links", "meta"],
        "properties": { "links": reference("Links"), "meta": reference("Meta") },
    }]})
}

fn refusal() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": reference("RefusalBody") },
    })
}

fn refusal_body() -> Value {
    json!({ "allOf": [reference("ApiError"), {
        "type": "object",
        "required": ["type", "request_id"],
        "properties": {
            "type": { "type": "string", "description": "The coarse kind of refusal, by status." },
            "request_id": { "type": "string", "description": "The request's id, for the log." },
        },
    }]})
}

fn discovery_index() -> Value {
    json!({
        "type": "object",
        "required": ["object", "role", "resource_name", "pdpp_version", "links"],
        "properties": {
            "object": { "const": "pdpp_discovery_index" },
            "role": { "const": "resource_server" },
            "resource_name": { "type": "string" },
            "pdpp_version": { "type": "string" },
            "bearer_methods_supported": { "type": "array", "items": { "type": "string" } },
            "links": { "type": "object", "additionalProperties": { "type": "string" } },
        },
    })
}

fn health() -> Value {
    json!({
        "type": "object",
        "required": ["status"],
        "properties": { "status": { "enum": ["ok", "ready"] } },
    })
}

fn token_info() -> Value {
    let text = json!({ "type": "string" });
    let time = json!({ "type": ["string", "null"], "format": "date-time" });
    json!({
        "type": "object",
        "required": ["token_kind", "expires_at"],
        "properties": {
            "token_kind": { "enum": ["client", "owner"] },
            "resource": { "type": "array", "items": text },
            "client_id": text,
            "grant_package_id": text,
            "access_mode": { "enum": ["single_use", "continuous"] },
            "expires_at": time,
            "package_expires_at": time,
            "grants": { "type": "array", "items": { "type": "object" } },
        },
    })
}
