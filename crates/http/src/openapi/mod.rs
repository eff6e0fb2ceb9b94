//! The OpenAPI document: wire types from the contract, routes and parameters from two tables.

mod operations;
mod parameters;
mod schemas;

use pdpp_contract::ErrorCode;
use pdpp_contract::limits::PDPP_VERSION;
use serde_json::{Map, Value, json};

use self::operations::{Access, Answer, OPERATIONS, Operation, Takes};

/// The document that describes every route of this server.
pub fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "pdpp",
            "version": PDPP_VERSION,
            "summary": "A personal data server: streams of records, read within a grant.",
            "description": INTRODUCTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths(),
        "components": {
            "securitySchemes": { "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "An access token of an agent or of the owner, in the \
                                Authorization header only.",
            }},
            "parameters": parameters::all(),
            "headers": headers(),
            "responses": { "Refused": {
                "description": "Refused; `error.code` says why, `error.message` what to do.",
                "headers": every_header(),
                "content": { "application/json": { "schema": schemas::reference("Refusal") } },
            }},
            "schemas": schemas::all(),
        },
        "x-pdpp-error-codes": error_codes(),
    })
}

/// The document as it is kept in a file.
pub fn text() -> String {
    format!("{:#}\n", document())
}

const INTRODUCTION: &str = "Every answer carries `Request-Id` and `PDPP-Version`. Unknown or \
    repeated parameters are refused by name. A `+` in a query string is a space. An agent sees \
    what its grant shows; what it does not show answers like what does not exist. \
    `preview_chars`, cursors on field windows, `digest`, `filter` for agents and sorting by any \
    range-filter field extend the protocol.";

fn paths() -> Value {
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods.insert(operation.method.to_owned(), described(operation));
        }
    }
    Value::Object(paths)
}

fn described(operation: &Operation) -> Value {
    let references = operation.parameters.iter().chain(&["request_id", "version"]);
    let references =
        references.map(|key| json!({ "$ref": format!("#/components/parameters/{key}") }));
    let mut members = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "parameters": references.collect::<Vec<_>>(),
        "responses": responses(operation),
        "security": match operation.access {
            Access::Open => json!([]),
            Access::Reader | Access::Owner => json!([{ "bearer": [] }]),
        },
    });
    if let (Value::Object(members), Some(body)) = (&mut members, request_body(operation.takes)) {
        members.insert("requestBody".to_owned(), body);
    }
    members
}

fn request_body(takes: Takes) -> Option<Value> {
    match takes {
        Takes::Nothing => None,
        Takes::Lines => Some(json!({
            "required": true,
            "description": "One record per line; blank lines are skipped. At most 50 MiB.",
            "content": { "application/x-ndjson": { "schema": schemas::reference("RecordLine") } },
        })),
        Takes::Bytes => Some(json!({
            "required": true,
            "description": "The bytes, with their media type as Content-Type. At most 512 MiB.",
            "content": { "*/*": { "schema": { "type": "string", "format": "binary" } } },
        })),
    }
}

fn responses(operation: &Operation) -> Value {
    let mut responses = Map::new();
    let mut answer = json!({ "description": operation.summary, "headers": every_header() });
    if let Value::Object(members) = &mut answer {
        match operation.answer {
            Answer::Json(schema) => {
                let content =
                    json!({ "application/json": { "schema": schemas::reference(schema) } });
                members.insert("content".to_owned(), content);
            }
            Answer::Bytes => {
                let content =
                    json!({ "*/*": { "schema": { "type": "string", "format": "binary" } } });
                members.insert("content".to_owned(), content);
            }
            Answer::Numbers => {
                let content = json!({ "application/openmetrics-text": {
                    "schema": { "type": "string" },
                }});
                members.insert("content".to_owned(), content);
            }
            Answer::Nothing => {}
        }
    }
    let status = if operation.answer == Answer::Nothing { "204" } else { "200" };
    responses.insert(status.to_owned(), answer);
    if operation.answer == Answer::Bytes {
        let part = json!({ "description": "The requested range." });
        responses.insert("206".to_owned(), part);
        let nothing = json!({ "description": "The requested range does not exist." });
        responses.insert("416".to_owned(), nothing);
    }
    if matches!(operation.id, "getRecord" | "getBlob") {
        let unchanged = json!({ "description": "Unchanged since the tag in If-None-Match." });
        responses.insert("304".to_owned(), unchanged);
    }
    let refused = json!({ "$ref": "#/components/responses/Refused" });
    responses.insert("default".to_owned(), refused);
    Value::Object(responses)
}

fn every_header() -> Value {
    json!({
        "Request-Id": { "$ref": "#/components/headers/RequestId" },
        "PDPP-Version": { "$ref": "#/components/headers/Version" },
    })
}

fn headers() -> Value {
    json!({
        "RequestId": {
            "description": "The name of this request: the caller's own if it sent a plain one.",
            "schema": { "type": "string" },
        },
        "Version": {
            "description": "The version of the interface that answered.",
            "schema": { "const": PDPP_VERSION },
        },
    })
}

fn error_codes() -> Value {
    let code = |code: &ErrorCode| (code.as_str().to_owned(), Value::from(code.status()));
    Value::Object(ErrorCode::ALL.iter().map(code).collect())
}
