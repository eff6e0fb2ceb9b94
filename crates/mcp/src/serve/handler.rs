//! The protocol handler: each method of both eras, answered by an adapter made for that call.

use std::borrow::Cow;
use std::sync::Arc;

use pdpp_contract::credentials::holds_owner_credential;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, DiscoverResult, ErrorData, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    Reference, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde_json::Value;

use super::desk::{Desk, Noted, Visit};
use super::links;
use super::refusing::{cancelled, hides, not_understood, owner_credential, refused, unknown_tool};
use super::stamp::Stamped;
use crate::{Adapter, Caller, INSTRUCTIONS, Refusal, ToolAnswer, UnknownTool};

/// What never changes while the program runs may be kept this long, by anybody.
const STATIC_TTL_MS: u64 = 3_600_000;
/// What depends on a grant may end at any moment.
const GRANTED_TTL_MS: u64 = 0;
/// The versions of the protocol that this server speaks.
const VERSIONS: &[ProtocolVersion] =
    &[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

type Context = RequestContext<RoleServer>;

/// The desk of an HTTP request, as it travels with the request.
#[derive(Clone)]
pub(super) struct AtDesk(pub(super) Arc<dyn Desk>);

/// Answers the protocol. Cheap to clone; holds no data and no session.
#[derive(Clone)]
pub(super) struct Handler {
    /// The desk of the process; over HTTP each request brings its own.
    desk: Option<Arc<dyn Desk>>,
    server: Arc<Implementation>,
}

impl Handler {
    pub(super) fn new(desk: Option<Arc<dyn Desk>>, server_name: &str) -> Self {
        let server = Implementation::new(server_name, env!("CARGO_PKG_VERSION"))
            .with_title("Personal data, as far as the owner granted it");
        Self { desk, server: Arc::new(server) }
    }

    async fn visit(&self, context: &Context) -> Result<Visit, Refusal> {
        let parts = context.extensions.get::<http::request::Parts>();
        let brought = parts.and_then(|parts| parts.extensions.get::<AtDesk>());
        let desk = brought.map(|AtDesk(desk)| desk).or(self.desk.as_ref());
        match desk {
            Some(desk) => desk.open().await,
            None => Err(Refusal::new("api_error", 500, "the server cannot read anything here")),
        }
    }

    fn adapter(context: &Context, visit: &Visit) -> Adapter {
        let said = context.client_info().map(|client| client.name).unwrap_or_default();
        let parts = context.extensions.get::<http::request::Parts>();
        let agent = parts.and_then(|parts| parts.headers.get(http::header::USER_AGENT));
        let agent = agent.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let issued = visit.client.as_deref().unwrap_or_default();
        let caller =
            Caller { links: links::wanted(&said, issued, agent), base_url: visit.base_url.clone() };
        Adapter::new(Arc::clone(&visit.read), Arc::clone(&visit.handles), caller)
    }

    async fn answer_tool(
        &self,
        request: CallToolRequestParams,
        context: &Context,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = crate::tools().iter().find(|tool| tool.name == request.name) else {
            return Err(unknown_tool());
        };
        let arguments = request.arguments.unwrap_or_default();
        if arguments.iter().any(|(name, value)| holds_owner_credential(name) || hides(value)) {
            return Ok(ToolAnswer::from(owner_credential()).into());
        }
        let visit = match self.visit(context).await {
            Ok(visit) => visit,
            Err(refusal) => return Ok(ToolAnswer::from(refusal).into()),
        };
        let adapter = Self::adapter(context, &visit);
        let answer = adapter.call_tool(&tool.name, arguments).await;
        let answer = answer.map_err(|UnknownTool(_)| unknown_tool())?;
        let end = End { refused: answer.refusal.as_ref(), records: answer.records };
        let noted = end.of(operation(&tool.name));
        let result = CallToolResult::from(answer);
        note(&visit, noted, &result).await;
        Ok(result)
    }

    async fn read(&self, uri: &str, context: &Context) -> Result<ReadResourceResponse, ErrorData> {
        if holds_owner_credential(uri) {
            return Err(refused(&owner_credential()));
        }
        let visit = self.visit(context).await.map_err(|refusal| refused(&refusal))?;
        let answer = Self::adapter(context, &visit).read_resource(uri).await;
        let end = End { refused: answer.as_ref().err(), records: Adapter::records_in(uri) };
        note(&visit, end.of("mcp_read_resource"), &answer.as_ref().ok()).await;
        let result = answer.map_err(|refusal| {
            // A client that asked for several resources at once sees which one this is about.
            refused(&refusal.with("uri", Value::from(uri)))
        })?;
        let result = result.with_ttl_ms(GRANTED_TTL_MS).with_cache_scope(CacheScope::Private);
        Ok(result.stamped(&self.server).into())
    }

    async fn list_streams(
        &self,
        cursor: Option<&str>,
        context: &Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let visit = self.visit(context).await.map_err(|refusal| refused(&refusal))?;
        let answer = Self::adapter(context, &visit).list_resources(cursor).await;
        let end = End { refused: answer.as_ref().err(), records: 0 };
        note(&visit, end.of("mcp_list_resources"), &answer.as_ref().ok()).await;
        let result = answer.map_err(|refusal| refused(&refusal))?;
        let result = result.with_ttl_ms(GRANTED_TTL_MS).with_cache_scope(CacheScope::Private);
        Ok(result.stamped(&self.server))
    }

    async fn suggest(
        &self,
        request: CompleteRequestParams,
        context: &Context,
    ) -> Result<CompleteResult, ErrorData> {
        let visit = self.visit(context).await.map_err(|refusal| refused(&refusal))?;
        let (name, value) = (request.argument.name, request.argument.value);
        let template = match &request.r#ref {
            Reference::Resource(resource) => resource.uri.as_str(),
            _ => "",
        };
        let answer = Self::adapter(context, &visit).complete(template, &name, &value).await;
        let end = End { refused: answer.as_ref().err(), records: 0 };
        note(&visit, end.of("mcp_complete"), &answer.as_ref().ok()).await;
        let info = answer.map_err(|refusal| refused(&refusal))?;
        Ok(CompleteResult::new(info).stamped(&self.server))
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            // Some clients ask for prompts whatever was declared: there are none, and that is said.
            .enable_prompts()
            .enable_completions()
            .build();
        let mut config = ServerConfig::new(capabilities);
        config.server_info = (*self.server).clone();
        config.instructions = Some(INSTRUCTIONS.to_owned());
        config
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(VERSIONS)
    }

    async fn discover(&self, _: Context) -> Result<DiscoverResult, ErrorData> {
        let found = DiscoverResult::from_server_info(VERSIONS.to_vec(), self.get_info());
        Ok(found.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(crate::tools().to_vec());
        let list = list.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public);
        Ok(list.stamped(&self.server))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        crate::tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let answer = tokio::select! {
            answer = self.answer_tool(request, &context) => answer?,
            () = context.ct.cancelled() => return Err(cancelled()),
        };
        Ok(answer.stamped(&self.server).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        tokio::select! {
            answer = self.list_streams(cursor.as_deref(), &context) => answer,
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(crate::resource_templates());
        let list = list.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public);
        Ok(list.stamped(&self.server))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        tokio::select! {
            answer = self.read(&request.uri, &context) => answer,
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::default().with_ttl_ms(STATIC_TTL_MS);
        Ok(list.with_cache_scope(CacheScope::Public).stamped(&self.server))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        tokio::select! {
            answer = self.suggest(request, &context) => answer,
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }

    /// What the library could not read: a method that there is, with parameters that cannot be meant, or
    /// one that there is not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: Context,
    ) -> Result<CustomResult, ErrorData> {
        Err(not_understood(request))
    }
}

/// The word under which a tool's call is noted.
fn operation(tool: &str) -> &'static str {
    match tool {
        "schema" => "mcp_schema",
        "query_records" => "mcp_query_records",
        "aggregate" => "mcp_aggregate",
        "search" => "mcp_search",
        "fetch" => "mcp_fetch",
        "read_record_field" => "mcp_read_record_field",
        _ => "mcp_unknown",
    }
}

/// How a call ended: refused, or with so many records in its answer.
struct End<'a> {
    refused: Option<&'a Refusal>,
    records: usize,
}

impl End<'_> {
    fn of(self, operation: &'static str) -> Noted {
        let records = if self.refused.is_some() { 0 } else { self.records };
        let records = u64::try_from(records).unwrap_or(u64::MAX);
        let refused = self.refused.map(|refusal| refusal.code);
        Noted { operation, refused, records, bytes: 0 }
    }
}

async fn note<T: Serialize>(visit: &Visit, noted: Noted, answer: &T) {
    if let Some(witness) = &visit.witness {
        let bytes = crate::render::measure::json_bytes(answer);
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        witness.note(Noted { bytes, ..noted }).await;
    }
}
