//! What stands around candidates in their conversations, asked of the store.

use pdpp_contract::ApiError;
use pdpp_contract::declaration::Conversation;
use pdpp_store::ChangeNo;
use pdpp_store::search::{NeighbourQuery, SearchQuery};

use super::neighbours::{Lifted, lifted};
use super::score::Ranked;
use super::texts::Texts;
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::GrantedStream;

impl GrantedReader {
    /// What the neighbours of some candidates are lent, and the last visible change of any of them.
    pub(super) async fn around(
        &self,
        texts: &Texts<'_>,
        search: SearchQuery,
        sources: &[Ranked<'_>],
        as_of: ChangeNo,
    ) -> Result<(Vec<Lifted>, ChangeNo), ApiError> {
        let conversations: Vec<_> = texts.granted_streams.iter().map(conversation).collect();
        let in_one =
            |hit: &&Ranked<'_>| conversations.get(hit.row.collection).is_some_and(Option::is_some);
        let numbers = sources.iter().filter(in_one).map(|hit| (hit.row.collection, hit.record_no));
        let query = NeighbourQuery { search, sources: numbers.collect(), conversations, as_of };
        if query.sources.is_empty() {
            return Ok((Vec::new(), ChangeNo::NONE));
        }
        let found = self.shared.store.neighbours(texts.scope, query).await.map_err(from_store)?;
        Ok((lifted(sources, found.neighbours), found.seen_through))
    }
}

/// What holds the conversations of a granted stream together, when it is in view.
fn conversation(granted: &GrantedStream) -> Option<Conversation> {
    let in_view = |own: &Conversation| granted.scope.fields.contains(&own.field);
    granted.stream.conversation().filter(in_view)
}
