//! What every answer says about its server.

use rmcp::model::{
    CallToolResult, CompleteResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, MetaObject, ReadResourceResult,
};

/// The member of `_meta` that names the server; the protocol's newer era has no handshake to say it.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Answers that carry `_meta`.
pub(super) trait Stamped: Sized {
    fn meta(&mut self) -> &mut Option<MetaObject>;

    /// Adds the server's name, beside whatever stands in `_meta` already.
    fn stamped(mut self, server: &Implementation) -> Self {
        if let Ok(server) = serde_json::to_value(server) {
            self.meta().get_or_insert_default().insert(SERVER_INFO.to_owned(), server);
        }
        self
    }
}

macro_rules! stamped {
    ($($result:ty),*) => {
        $(impl Stamped for $result {
            fn meta(&mut self) -> &mut Option<MetaObject> {
                &mut self.meta
            }
        })*
    };
}

stamped!(
    CallToolResult,
    CompleteResult,
    ListPromptsResult,
    ListResourceTemplatesResult,
    ListResourcesResult,
    ListToolsResult,
    ReadResourceResult
);
