//! A client that keeps a copy of what it may see, by following changes.

use std::collections::BTreeMap;

use pdpp_contract::query::{ListRequest, RecordPage};
use pdpp_contract::{ApiError, ErrorCode, ReadApi};
use pdpp_engine::GrantedReader;
use serde_json::Value;

/// Connection and record id to the record's visible data.
pub type Copy = BTreeMap<(String, String), Value>;

/// The copy and the bookmark that goes with it.
pub struct Mirror {
    pub copy: Copy,
    pub bookmark: String,
    /// The question, without its place.
    pub question: ListRequest,
    /// Sessions that had to start over.
    pub expired: u32,
}

impl Mirror {
    pub fn new(question: ListRequest) -> Self {
        Self { copy: Copy::new(), bookmark: "beginning".to_owned(), question, expired: 0 }
    }

    /// The first request of a session.
    pub fn start(&self) -> ListRequest {
        let mut request = self.question.clone();
        request.changes_since = Some(self.bookmark.clone());
        request
    }

    /// Takes over one page; the request of the next one, if there is one.
    pub fn take(&mut self, page: &RecordPage) -> Option<ListRequest> {
        for record in &page.data {
            let place = (record.connection_id.to_string(), record.id.to_string());
            if record.deleted {
                assert!(record.data.is_none() && record.deleted_at.is_some());
                self.copy.remove(&place);
            } else {
                let data = serde_json::to_value(record.data.as_ref().unwrap()).unwrap();
                self.copy.insert(place, data);
            }
        }
        assert_eq!(page.has_more, page.next_cursor.is_some());
        assert_eq!(page.has_more, page.next_changes_since.is_none());
        match (&page.next_cursor, &page.next_changes_since) {
            (Some(cursor), None) => {
                assert!(cursor.len() <= 240);
                let mut next = self.question.clone();
                next.cursor = Some(cursor.clone());
                Some(next)
            }
            (None, Some(bookmark)) => {
                assert!(bookmark.len() <= 240);
                self.bookmark.clone_from(bookmark);
                None
            }
            _ => panic!("a page has a cursor or a bookmark"),
        }
    }

    /// Reads a whole session; how many records it brought. Starts over when history was pruned.
    pub async fn follow(&mut self, reader: &GrantedReader) -> usize {
        let (mut request, mut changes) = (self.start(), 0);
        loop {
            let page = match reader.list(request).await {
                Ok(page) => page,
                Err(error) => {
                    self.start_over(&error);
                    request = self.start();
                    continue;
                }
            };
            changes += page.data.len();
            match self.take(&page) {
                Some(next) => request = next,
                None => return changes,
            }
        }
    }

    pub fn start_over(&mut self, error: &ApiError) {
        assert_eq!(error.code, ErrorCode::CursorExpired, "{error}");
        self.expired += 1;
        self.copy.clear();
        self.bookmark = "beginning".to_owned();
    }
}

/// What a list shows, in the same form.
pub async fn listed(reader: &GrantedReader, question: &ListRequest) -> Copy {
    let (mut copy, mut request) = (Copy::new(), question.clone());
    request.limit = Some(100);
    loop {
        let page = reader.list(request.clone()).await.unwrap();
        for record in page.data {
            let data = serde_json::to_value(record.data.unwrap()).unwrap();
            copy.insert((record.connection_id.to_string(), record.id.to_string()), data);
        }
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => return copy,
        }
    }
}
