//! Completions: names in view that begin as the person has begun to type.

use pdpp_contract::handles::{Handle, StreamRef};
use pdpp_contract::read_api::Source;
use pdpp_contract::{ConnectionId, StreamName};
use rmcp::model::CompletionInfo;

use crate::call_context::CallContext;
use crate::ids::unnamed::is_named;
use crate::refusal::Refusal;
use crate::resources::STREAM_URI;

impl CallContext {
    /// Values for an argument: stream names and connection ids; for the address of a stream its handle,
    /// found by the stream's name.
    pub async fn complete(
        &self,
        template: &str,
        argument: &str,
        value: &str,
    ) -> Result<CompletionInfo, Refusal> {
        let sources = self.read.sources().await.map_err(Refusal::from)?;
        let begun = value.to_lowercase();
        let begins = |name: &str| name.to_lowercase().starts_with(&begun);
        let streams = sources.iter().flat_map(|source| &source.streams);
        let ids = sources.iter().map(|source| &source.connection.connection_id);
        let ids = ids.filter(|id| is_named(id)).map(ConnectionId::as_str);
        let mut values: Vec<String> = match argument {
            "stream" | "streams" => {
                let names = streams.map(StreamName::as_str).filter(|name| begins(name));
                names.map(str::to_owned).collect()
            }
            "connection_id" => ids.filter(|id| begins(id)).map(str::to_owned).collect(),
            "handle" if template.starts_with(STREAM_URI) => self.handles_of(&sources, &begins),
            _ => Vec::new(),
        };
        values.sort();
        values.dedup();
        let total = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let mut info = CompletionInfo::default();
        info.has_more = Some(total > values.len());
        info.total = u32::try_from(total).ok();
        info.values = values;
        Ok(info)
    }

    fn handles_of(&self, sources: &[Source], begins: &dyn Fn(&str) -> bool) -> Vec<String> {
        let named = sources.iter().flat_map(|source| {
            let streams = source.streams.iter().filter(|stream| begins(stream.as_str()));
            streams.map(|stream| StreamRef {
                connection_id: source.connection.connection_id.clone(),
                stream: stream.clone(),
            })
        });
        named.filter_map(|stream| self.handles.seal(&Handle::Stream(stream))).collect()
    }
}
