//! The protocol handler: each method of both eras, answered with a context made for that call.

use std::borrow::Cow;
use std::sync::Arc;

use pdpp_contract::audit::CallOutcome;
use pdpp_contract::credentials::holds_owner_credential;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, DiscoverResult, ErrorData, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    Reference, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde_json::Value;

use super::links;
use super::refusing::{cancelled, hides, not_understood, owner_credential, refused, unknown_tool};
use super::stamp::Stamped;
use crate::call_context::{CallContext, CallSource};
use crate::render::measure::json_bytes;
use crate::tools::Tool;
use crate::{INSTRUCTIONS, Refusal, ToolAnswer};

/// What never changes while the program runs may be kept this long, by anybody.
const STATIC_TTL_MS: u64 = 3_600_000;
/// What depends on a grant may end at any moment.
const GRANTED_TTL_MS: u64 = 0;
/// The versions of the protocol that this server speaks.
const VERSIONS: &[ProtocolVersion] =
    &[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

type Request = RequestContext<RoleServer>;

/// Answers the protocol. Cheap to clone; holds no data and no session.
#[derive(Clone)]
pub(super) struct Handler {
    /// Lets the calls of this process in; over HTTP each request brings its context.
    source: Option<Arc<dyn CallSource>>,
    server: Arc<Implementation>,
}

impl Handler {
    pub(super) fn new(source: Option<Arc<dyn CallSource>>, server_name: &str) -> Self {
        let server = Implementation::new(server_name, env!("CARGO_PKG_VERSION"))
            .with_title("Personal data, as far as the owner granted it");
        Self { source, server: Arc::new(server) }
    }

    /// What this call may use. Nothing is read unless the call can be recorded.
    async fn context(&self, request: &Request) -> Result<CallContext, Refusal> {
        let parts = request.extensions.get::<http::request::Parts>();
        let brought = parts.and_then(|parts| parts.extensions.get::<CallContext>());
        let mut context = match (brought, &self.source) {
            (Some(context), _) => context.clone(),
            (None, Some(source)) => source.open().await?,
            (None, None) => {
                return Err(Refusal::new("api_error", 500, "the server cannot read anything here"));
            }
        };
        if let Some(audit) = &context.audit {
            audit.admit().await?;
        }
        let said = request.client_info().map(|client| client.name).unwrap_or_default();
        let agent = parts.and_then(|parts| parts.headers.get(http::header::USER_AGENT));
        let agent = agent.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let issued = context.client.as_deref().unwrap_or_default();
        context.links = links::wanted(&said, issued, agent);
        Ok(context)
    }

    async fn answer_tool(
        &self,
        call: CallToolRequestParams,
        request: &Request,
    ) -> Result<CallToolResult, ErrorData> {
        let tool = Tool::named(&call.name).ok_or_else(unknown_tool)?;
        let arguments = call.arguments.unwrap_or_default();
        if arguments.iter().any(|(name, value)| holds_owner_credential(name) || hides(value)) {
            return Ok(ToolAnswer::from(owner_credential()).into());
        }
        let context = match self.context(request).await {
            Ok(context) => context,
            Err(refusal) => return Ok(ToolAnswer::from(refusal).into()),
        };
        let answer = tool.call(&context, arguments).await;
        let end = End { refused: answer.refusal.as_ref(), records: answer.records };
        let outcome = end.of(tool.audit_word());
        let result = CallToolResult::from(answer);
        record(&context, outcome, &result).await;
        Ok(result)
    }

    async fn read(&self, uri: &str, request: &Request) -> Result<ReadResourceResponse, ErrorData> {
        if holds_owner_credential(uri) {
            return Err(refused(&owner_credential()));
        }
        let context = self.context(request).await.map_err(|refusal| refused(&refusal))?;
        let answer = context.read_resource(uri).await;
        let end = End { refused: answer.as_ref().err(), records: CallContext::records_in(uri) };
        record(&context, end.of("mcp_read_resource"), &answer.as_ref().ok()).await;
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
        request: &Request,
    ) -> Result<ListResourcesResult, ErrorData> {
        let context = self.context(request).await.map_err(|refusal| refused(&refusal))?;
        let answer = context.list_resources(cursor).await;
        let end = End { refused: answer.as_ref().err(), records: 0 };
        record(&context, end.of("mcp_list_resources"), &answer.as_ref().ok()).await;
        let result = answer.map_err(|refusal| refused(&refusal))?;
        let result = result.with_ttl_ms(GRANTED_TTL_MS).with_cache_scope(CacheScope::Private);
        Ok(result.stamped(&self.server))
    }

    async fn suggest(
        &self,
        asked: CompleteRequestParams,
        request: &Request,
    ) -> Result<CompleteResult, ErrorData> {
        let context = self.context(request).await.map_err(|refusal| refused(&refusal))?;
        let (name, value) = (asked.argument.name, asked.argument.value);
        let template = match &asked.r#ref {
            Reference::Resource(resource) => resource.uri.as_str(),
            _ => "",
        };
        let answer = context.complete(template, &name, &value).await;
        let end = End { refused: answer.as_ref().err(), records: 0 };
        record(&context, end.of("mcp_complete"), &answer.as_ref().ok()).await;
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

    async fn discover(&self, _: Request) -> Result<DiscoverResult, ErrorData> {
        let found = DiscoverResult::from_server_info(VERSIONS.to_vec(), self.get_info());
        Ok(found.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Request,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(crate::tools().to_vec());
        let list = list.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public);
        Ok(list.stamped(&self.server))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        Tool::named(name).and_then(Tool::listed).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Request,
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
        context: Request,
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
        _: Request,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(crate::resource_templates());
        let list = list.with_ttl_ms(STATIC_TTL_MS).with_cache_scope(CacheScope::Public);
        Ok(list.stamped(&self.server))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Request,
    ) -> Result<ReadResourceResponse, ErrorData> {
        tokio::select! {
            answer = self.read(&request.uri, &context) => answer,
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Request,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::default().with_ttl_ms(STATIC_TTL_MS);
        Ok(list.with_cache_scope(CacheScope::Public).stamped(&self.server))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Request,
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
        _: Request,
    ) -> Result<CustomResult, ErrorData> {
        Err(not_understood(&request))
    }
}

/// How a call ended: refused, or with so many records in its answer.
struct End<'a> {
    refused: Option<&'a Refusal>,
    records: usize,
}

impl End<'_> {
    fn of(self, operation: &'static str) -> CallOutcome {
        let records = if self.refused.is_some() { 0 } else { self.records };
        let records = u64::try_from(records).unwrap_or(u64::MAX);
        let refused = self.refused.map(|refusal| refusal.code);
        CallOutcome { operation, refused, records, bytes: 0 }
    }
}

async fn record<T: Serialize>(context: &CallContext, outcome: CallOutcome, answer: &T) {
    if let Some(audit) = &context.audit {
        let bytes = u64::try_from(json_bytes(answer)).unwrap_or(u64::MAX);
        audit.record(CallOutcome { bytes, ..outcome }).await;
    }
}
