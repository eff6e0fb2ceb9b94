//! Changes: what became of the records in view since a bookmark, page by page.
//!
//! A bookmark is one number for all connections in view: the store counts changes once for all of
//! them. It stands at the last visible change, so that hidden activity moves nothing.

use std::collections::BTreeMap;

use pdpp_contract::envelope::{CountKind, Meta, Warning};
use pdpp_contract::limits::PAGE_BYTES;
use pdpp_contract::links;
use pdpp_contract::query::{ListRequest, ListTag, RecordPage};
use pdpp_contract::record::{Record, RecordNumber, RecordTag};
use pdpp_contract::{ApiError, ErrorCode, FieldName};
use pdpp_store::changes::{
    ChangePage, Changes, ChangesQuery, Departed, Known, RecordChange, Resume,
};
use pdpp_store::records::CollectionQuery;

use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::expand;
use crate::records::list::{invalid_cursor, reduced, spelled};
use crate::records::render;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::sealed::bookmark::{self, Session};
use crate::view::{GrantedStream, Narrow, resolve, scope_of};

/// The bookmark of a reader who has nothing yet.
const BEGINNING: &str = "beginning";

/// Where a request stands in the history.
struct Standing {
    known: Known,
    resume: Option<Resume>,
}

/// What a request's bookmark and the cursors of its session are bound to. Where time limits roll, only
/// the cursors hold a day: a bookmark is good for weeks.
#[derive(Clone, Copy)]
struct ChangeBindings {
    bookmark: [u8; 16],
    session: [u8; 16],
}

impl GrantedReader {
    /// Whether a list request is about changes: by its bookmark, or by the kind of its cursor.
    pub(crate) fn asks_for_changes(&self, request: &ListRequest) -> bool {
        let sealer = &self.shared.sealer;
        let continues = |cursor: &String| bookmark::is_session(sealer, cursor);
        request.changes_since.is_some() || request.cursor.as_ref().is_some_and(continues)
    }

    pub(crate) async fn change_page(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        refuse_order_and_count(&request)?;
        if !request.expand.is_empty() {
            return Err(expand::refuse("changes come without related records".to_owned()));
        }
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let fields = self.wanted_fields(&granted_streams, request.fields.as_deref())?;
        let (limit, clamped) = render::page_size(request.limit)?;
        let preview_chars = render::preview_chars(request.preview_chars)?;
        let filters = conditions::filters(&self.authority.kind, &granted_streams, &request.filter)?;
        let bindings = self.change_bindings(&request, fields.as_deref());
        let standing = self.standing(&request, bindings)?;

        // A granted whose view lacks a filtered field holds nothing that matches.
        let (granted_streams, queries): (Vec<GrantedStream>, Vec<CollectionQuery>) =
            granted_streams
                .into_iter()
                .zip(filters)
                .filter_map(|(granted, conditions)| {
                    Some((granted, CollectionQuery { order_field: None, conditions: conditions? }))
                })
                .unzip();
        let query = ChangesQuery {
            collections: queries,
            known: standing.known,
            resume: standing.resume,
            limit,
            max_bytes: PAGE_BYTES,
            preview_chars,
            fields,
        };
        let answer = self.shared.store.changes(&scope_of(&granted_streams), query).await;
        let page = match answer.map_err(from_store)? {
            Changes::Page(page) => page,
            Changes::Expired => return Err(expired(&request)),
        };
        let mut warnings: Vec<Warning> = clamped.into_iter().collect();
        if page.reduced {
            warnings.push(reduced(limit, page.changes.len()));
        }
        let (next_cursor, next_changes_since) = self.goes_on(bindings, &standing, &page);
        let data = page
            .changes
            .into_iter()
            .filter_map(|change| rendered(change, &granted_streams))
            .collect();
        Ok(RecordPage {
            object: ListTag::List,
            url: links::records_path(&request.stream),
            data,
            has_more: page.has_more,
            links: links::of_list(&request, next_cursor.as_deref()),
            next_cursor,
            next_changes_since,
            meta: Meta { warnings, ..Meta::default() },
        })
    }

    /// What the reader knows, and where its session stands.
    fn standing(
        &self,
        request: &ListRequest,
        bindings: ChangeBindings,
    ) -> Result<Standing, ApiError> {
        let sealer = &self.shared.sealer;
        let known = match request.changes_since.as_deref() {
            None => None,
            Some(BEGINNING) => Some(Known::default()),
            Some(text) => {
                let known = bookmark::open(sealer, bindings.bookmark, text);
                Some(known.ok_or_else(invalid_bookmark)?)
            }
        };
        let Some(cursor) = &request.cursor else {
            return Ok(Standing { known: known.unwrap_or_default(), resume: None });
        };
        let session = bookmark::open_session(sealer, bindings.session, cursor);
        let session = session.ok_or_else(invalid_cursor)?;
        if known.is_some_and(|known| known != session.known) {
            return Err(invalid_cursor());
        }
        Ok(Standing { known: session.known, resume: Some(session.resume) })
    }

    /// The cursor of the next page, or the bookmark after the last one.
    fn goes_on(
        &self,
        bindings: ChangeBindings,
        standing: &Standing,
        page: &ChangePage,
    ) -> (Option<String>, Option<String>) {
        let sealer = &self.shared.sealer;
        if let Some(after) = page.last.filter(|_| page.has_more) {
            let resume = Resume { after, horizon: page.horizon };
            let session = Session { known: standing.known, resume };
            return (bookmark::seal_session(sealer, bindings.session, session), None);
        }
        // A reader who was given nothing keeps the bookmark it has.
        let kept = page.changes.is_empty() && standing.resume.is_none();
        let known = if kept { standing.known } else { Known::up_to(page.horizon) };
        (None, bookmark::seal(sealer, bindings.bookmark, known))
    }

    /// A bookmark continues the same question under the same constraints: other fields or filters
    /// would make other changes visible.
    fn change_bindings(
        &self,
        request: &ListRequest,
        fields: Option<&[FieldName]>,
    ) -> ChangeBindings {
        let bound = |binding| change_binding(binding, request, fields);
        ChangeBindings {
            bookmark: bound(Binding::new(self.authority.digest)),
            session: bound(Binding::of_page(&self.authority)),
        }
    }
}

fn change_binding(
    binding: Binding,
    request: &ListRequest,
    fields: Option<&[FieldName]>,
) -> [u8; 16] {
    let connection = request.connection_id.as_ref();
    let mut binding = binding
        .with("changes")
        .with(request.stream.as_str())
        .with_option(connection.map(AsRef::as_ref))
        .with_option(fields.map(|_| "fields"));
    for field in fields.unwrap_or_default() {
        binding = binding.with(field.as_str());
    }
    binding = binding.with("filters");
    let mut filters: Vec<String> = request.filter.iter().map(spelled).collect();
    filters.sort();
    for filter in &filters {
        binding = binding.with(filter);
    }
    binding.finish()
}

/// Changes have their own order, and a count of them would be about the past.
fn refuse_order_and_count(request: &ListRequest) -> Result<(), ApiError> {
    let param = match (&request.sort, request.count) {
        (Some(sort), _) => {
            if sort.field.is_some() {
                "sort"
            } else {
                "order"
            }
        }
        (None, CountKind::Estimated | CountKind::Exact) => "count",
        (None, CountKind::None) => return Ok(()),
    };
    let message = format!("changes come in their own order and uncounted; leave {param} out");
    Err(ApiError::new(ErrorCode::InvalidRequest, message).param(param))
}

fn rendered(change: RecordChange, granted_streams: &[GrantedStream]) -> Option<Record> {
    match change {
        RecordChange::Present(stored) => {
            let granted = granted_streams.get(stored.collection)?;
            Some(render::record(*stored, granted))
        }
        RecordChange::Gone(departed) => Some(tombstone(departed)),
    }
}

fn tombstone(departed: Departed) -> Record {
    Record {
        object: RecordTag::Record,
        id: departed.id,
        stream: departed.stream,
        data: None,
        emitted_at: departed.left_at.clone(),
        connection_id: departed.connection,
        display_name: None,
        connector_key: None,
        record_json_bytes: None,
        deleted: true,
        deleted_at: Some(departed.left_at),
        previews: Vec::new(),
        number: Some(RecordNumber(departed.record_no.0)),
        roles: None,
        expanded: BTreeMap::new(),
    }
}

fn invalid_bookmark() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidCursor,
        "the bookmark does not belong to this question; start again with changes_since=beginning",
    )
    .param("changes_since")
}

fn expired(request: &ListRequest) -> ApiError {
    let param = if request.cursor.is_some() { "cursor" } else { "changes_since" };
    ApiError::new(
        ErrorCode::CursorExpired,
        "changes after this point were pruned; start again with changes_since=beginning",
    )
    .param(param)
}
