//! Resources: granted streams, records and field windows by handle.

use rmcp::model::ResourceTemplate;

/// The three kinds of addresses that `resources/read` takes.
pub fn resource_templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str, mime: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(description)
            .with_mime_type(mime)
    };
    vec![
        template(
            "pdpp://stream/{handle}",
            "stream",
            "Stream",
            "What one granted stream holds and which questions it answers. Handles come from resources/list.",
            "text/plain",
        ),
        template(
            "pdpp://record/{handle}",
            "record",
            "Record",
            "One record as a document, bounded. Handles come from tool results.",
            "application/json",
        ),
        template(
            "pdpp://field-window/{handle}",
            "field-window",
            "Field window",
            "A bounded stretch of one field, with the addresses of the stretches before and after it.",
            "text/plain",
        ),
    ]
}
