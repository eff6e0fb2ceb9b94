//! Completions: names in view that begin as the person has begun to type.

use pdpp_contract::StreamName;
use rmcp::model::CompletionInfo;

use crate::adapter::Adapter;
use crate::refusal::Refusal;
use crate::unnamed::is_named;

impl Adapter {
    /// Values for an argument: stream names, connection ids, or the handles of streams by name.
    pub async fn complete(&self, argument: &str, value: &str) -> Result<CompletionInfo, Refusal> {
        let sources = self.read.sources().await.map_err(Refusal::from)?;
        let mut names: Vec<String> = match argument {
            "stream" | "streams" => {
                let streams = sources.iter().flat_map(|source| &source.streams);
                streams.map(StreamName::to_string).collect()
            }
            "connection_id" => {
                let ids = sources.iter().map(|source| &source.connection.connection_id);
                ids.filter(|id| is_named(id)).map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        };
        let begun = value.to_lowercase();
        names.retain(|name| name.to_lowercase().starts_with(&begun));
        names.sort();
        names.dedup();
        let total = names.len();
        names.truncate(CompletionInfo::MAX_VALUES);
        let mut info = CompletionInfo::default();
        info.has_more = Some(total > names.len());
        info.total = u32::try_from(total).ok();
        info.values = names;
        Ok(info)
    }
}
