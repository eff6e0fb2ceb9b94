//! Lists: one page of a stream over all connections in view, in one order, with one cursor.

use pdpp_contract::envelope::{Count, CountKind, Meta, Warning, WarningCode};
use pdpp_contract::limits::{MAX_FIELDS, PAGE_BYTES};
use pdpp_contract::links;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, ListTag, RecordPage};
use pdpp_contract::record::Record;
use pdpp_contract::{ApiError, ErrorCode, FieldName};
use pdpp_store::ReadScope;
use pdpp_store::records::{CollectionQuery, Condition, ListQuery, StoredRecord};

use crate::reader::GrantedReader;
use crate::records::conditions;
use crate::records::expand::{Expansions, Parent};
use crate::records::render;
use crate::refusal::from_store;
use crate::sealed::binding::Binding;
use crate::sealed::page_cursor;
use crate::view::{GrantedStream, Narrow, no_field, resolve, scope_of, visible_fields};

/// An estimate stops counting here.
const ESTIMATE_UP_TO: u64 = 10_000;

impl GrantedReader {
    pub(crate) async fn list_page(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        if self.asks_for_changes(&request) {
            return self.change_page(request).await;
        }
        let narrow =
            Narrow { stream: Some(&request.stream), connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let expansions = self.expansions(&granted_streams, &request.expand).await?;
        let fields = self.wanted_fields(&granted_streams, request.fields.as_deref())?;
        let (limit, clamped) = render::page_size(request.limit)?;
        let preview_chars = render::preview_chars(request.preview_chars)?;
        let filters = conditions::filters(&self.authority.kind, &granted_streams, &request.filter)?;
        let (order, descending) = conditions::order(&granted_streams, request.sort.as_ref())?;

        let binding = self.list_binding(&request, &order, descending);
        let sealer = &self.shared.sealer;
        let open =
            |text: &String| page_cursor::open(sealer, binding, text).ok_or_else(invalid_cursor);
        let after = request.cursor.as_ref().map(open).transpose()?;
        let (granted_streams, queries, numbers) = matching(granted_streams, order, filters);
        let scope = scope_of(&granted_streams);
        let query = ListQuery {
            collections: queries.clone(),
            descending,
            after,
            limit,
            max_bytes: PAGE_BYTES,
            preview_chars,
            fields: with_keys(fields.as_deref(), expansions.as_ref()),
        };
        let page = self.shared.store.list_records(&scope, query).await.map_err(from_store)?;
        let page = page.ok_or_else(invalid_cursor)?;

        let mut warnings: Vec<Warning> = clamped.into_iter().collect();
        if page.reduced {
            warnings.push(reduced(limit, page.records.len()));
        }
        let next_cursor = page.last.filter(|_| page.has_more);
        let next_cursor = next_cursor.and_then(|place| page_cursor::seal(sealer, binding, &place));
        let mut parents = rendered(page.records, &granted_streams, &numbers);
        if let Some(expansions) = &expansions {
            warnings.extend(self.expand(expansions, &mut parents, request.preview_chars).await?);
        }
        let data = parents.into_iter().map(|parent| narrowed(parent.record, fields.as_deref()));
        Ok(RecordPage {
            object: ListTag::List,
            url: links::records_path(&request.stream),
            data: data.collect(),
            has_more: page.has_more,
            links: links::of_list(&request, next_cursor.as_deref()),
            next_cursor,
            next_changes_since: None,
            meta: Meta { count: self.count(&scope, queries, request.count).await?, warnings },
        })
    }

    async fn count(
        &self,
        scope: &ReadScope,
        queries: Vec<CollectionQuery>,
        kind: CountKind,
    ) -> Result<Count, ApiError> {
        let at_most = match kind {
            CountKind::None => return Ok(Count::default()),
            CountKind::Estimated => ESTIMATE_UP_TO,
            CountKind::Exact => u64::MAX,
        };
        let counted = self.shared.store.count_records(scope, queries, at_most).await;
        Ok(Count { kind, value: Some(counted.map_err(from_store)?) })
    }

    /// The fields to return, key fields always among them; refuses one that is outside the view.
    pub(crate) fn wanted_fields(
        &self,
        granted_streams: &[GrantedStream],
        asked: Option<&[FieldName]>,
    ) -> Result<Option<Vec<FieldName>>, ApiError> {
        let Some(asked) = asked else {
            return Ok(None);
        };
        if asked.len() > MAX_FIELDS {
            let message = format!("fields names at most {MAX_FIELDS} fields");
            return Err(ApiError::new(ErrorCode::InvalidRequest, message).param("fields"));
        }
        let visible = visible_fields(granted_streams);
        if let Some(hidden) = asked.iter().find(|field| !visible.contains(field)) {
            return Err(no_field(&self.authority.kind, hidden.as_str(), "fields"));
        }
        let mut wanted = asked.to_vec();
        for granted in granted_streams {
            wanted.extend(granted.stream.primary_key.iter().cloned());
        }
        wanted.sort();
        wanted.dedup();
        Ok(Some(wanted))
    }

    /// A cursor continues the same question under the same constraints, nothing else.
    fn list_binding(
        &self,
        request: &ListRequest,
        order: &[Option<FieldName>],
        descending: bool,
    ) -> [u8; 16] {
        let sort = request.sort.as_ref().and_then(|sort| sort.field.as_ref());
        let connection = request.connection_id.as_ref();
        let mut binding = Binding::of_page(&self.authority)
            .with("list")
            .with(request.stream.as_str())
            .with_option(connection.map(AsRef::as_ref))
            .with_option(sort.map(FieldName::as_str))
            .with(if descending { "descending" } else { "ascending" });
        // A source may declare another order; places in the old one mean nothing in it.
        for field in order {
            binding = binding.with_option(field.as_ref().map(FieldName::as_str));
        }
        let mut filters: Vec<String> = request.filter.iter().map(spelled).collect();
        filters.sort();
        for filter in &filters {
            binding = binding.with(filter);
        }
        binding.finish()
    }
}

/// A filter as one text, for cursors to be bound to.
pub(crate) fn spelled(filter: &Filter) -> String {
    match &filter.test {
        FilterTest::Equals(value) => format!("{}\0=\0{value}", filter.field),
        FilterTest::Range(operator, value) => {
            format!("{}\0{}\0{value}", filter.field, operator.as_str())
        }
    }
}

/// The granted streams that can match, each with its query. One whose view lacks a filtered field cannot.
///
/// Each also keeps its number among the granted streams of the request.
fn matching(
    granted_streams: Vec<GrantedStream>,
    order: Vec<Option<FieldName>>,
    filters: Vec<Option<Vec<Condition>>>,
) -> (Vec<GrantedStream>, Vec<CollectionQuery>, Vec<usize>) {
    let parts = granted_streams.into_iter().zip(order.into_iter().zip(filters)).enumerate();
    parts
        .filter_map(|(number, (granted, (order_field, conditions)))| {
            Some((granted, CollectionQuery { order_field, conditions: conditions? }, number))
        })
        .collect()
}

/// The records of a page, each with the number of its granted in the request.
fn rendered(
    records: Vec<StoredRecord>,
    granted_streams: &[GrantedStream],
    numbers: &[usize],
) -> Vec<Parent> {
    let parent = |stored: StoredRecord| {
        let at = stored.collection;
        let record = render::record(stored, granted_streams.get(at)?);
        Some(Parent { granted: *numbers.get(at)?, record })
    };
    records.into_iter().filter_map(parent).collect()
}

/// The fields to read: those asked for, and those that lead to related records.
pub(crate) fn with_keys(
    fields: Option<&[FieldName]>,
    expansions: Option<&Expansions>,
) -> Option<Vec<FieldName>> {
    let mut fields = fields?.to_vec();
    fields.extend(expansions.into_iter().flat_map(Expansions::key_fields).cloned());
    fields.sort();
    fields.dedup();
    Some(fields)
}

/// Drops the fields that were not asked for.
pub(crate) fn narrowed(mut record: Record, fields: Option<&[FieldName]>) -> Record {
    if let Some(fields) = fields {
        let asked = |name: &str| fields.iter().any(|field| field.as_str() == name);
        if let Some(data) = &mut record.data {
            data.retain(|name, _| asked(name));
        }
        record.previews.retain(|preview| asked(&preview.field));
    }
    record
}

pub(crate) fn invalid_cursor() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidCursor,
        "the cursor does not belong to this list; start again without it",
    )
    .param("cursor")
}

pub(crate) fn reduced(requested: usize, returned: usize) -> Warning {
    Warning {
        code: WarningCode::PageReduced,
        message: format!("{returned} of {requested} records fit on this page; next_cursor goes on"),
        param: Some("limit".to_owned()),
        detail: None,
    }
}
