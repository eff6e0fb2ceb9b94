//! Parts of the grant matrix: following changes from the beginning, aggregates.

use pdpp_contract::query::ListRequest;
use pdpp_contract::{ErrorCode, ReadApi, StreamName};
use pdpp_engine::GrantedReader;

use crate::mirror::{Copy, Mirror};
use crate::oracle::{Allowed, Sent};
use crate::world::connection_id;

/// Following changes from the beginning gives exactly the visible records.
pub async fn check_changes(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    for stream in ["messages", "threads"] {
        let mut question = ListRequest::new(StreamName::new(stream).unwrap());
        question.limit = Some(2);
        let mut mirror = Mirror::new(question);
        if allowed.fields(stream).is_none() {
            let error = reader.list(mirror.start()).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::GrantStreamNotAllowed, "{allowed:?}");
            continue;
        }
        let shown = allowed.list(all, stream, None, true);
        assert_eq!(mirror.follow(reader).await, shown.len(), "{allowed:?} {stream}");
        let expected: Copy = shown
            .into_iter()
            .map(|record| {
                let connection = connection_id(record.connection).to_string();
                ((connection, record.id().to_owned()), allowed.project(record))
            })
            .collect();
        assert_eq!(mirror.copy, expected, "{allowed:?} {stream}");
    }
}
