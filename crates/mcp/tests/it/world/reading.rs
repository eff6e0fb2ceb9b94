//! The provider's reads, the plain way.

use pdpp_contract::aggregate::{AggregateRequest, Aggregation, AggregationTag, Group, Metric};
use pdpp_contract::envelope::{Count, CountKind, Links, Meta};
use pdpp_contract::query::{ListRequest, ListTag, RecordDetail, RecordPage, RecordRequest};
use pdpp_contract::record::Record;
use pdpp_contract::roles::Roles;
use pdpp_contract::search::{
    RankingScope, Recall, SearchHit, SearchHitTag, SearchMeta, SearchPage, SearchRequest, Snippet,
};
use pdpp_contract::{ApiError, ErrorCode, FieldName, Json};

use super::Provider;

fn project(mut record: Record, fields: Option<&Vec<FieldName>>) -> Record {
    if let (Some(fields), Some(data)) = (fields, record.data.as_mut()) {
        data.retain(|name, _| name == "id" || fields.iter().any(|field| field.as_str() == name));
    }
    record
}

pub fn list(provider: &Provider, request: &ListRequest) -> Result<RecordPage, ApiError> {
    provider.check(&request.stream, request.connection_id.as_ref())?;
    for field in request.fields.iter().flatten() {
        provider.check_field(field.as_str(), "fields")?;
    }
    let records = provider.records.lock().unwrap();
    let mine = |record: &&Record| {
        record.stream == request.stream
            && request.connection_id.as_ref().is_none_or(|id| record.connection_id == *id)
    };
    let all: Vec<&Record> = records.iter().filter(mine).collect();
    let start = match &request.cursor {
        None => 0,
        Some(cursor) => place(cursor, "page-").ok_or_else(|| {
            ApiError::new(ErrorCode::InvalidCursor, "not my cursor").param("cursor")
        })?,
    };
    let limit = usize::try_from(request.limit.unwrap_or(25)).unwrap();
    let end = (start + limit).min(all.len());
    let data =
        all[start..end].iter().map(|record| project((*record).clone(), request.fields.as_ref()));
    let has_more = end < all.len();
    let count = match request.count {
        CountKind::None => Count::default(),
        kind => Count { kind, value: Some(all.len() as u64) },
    };
    Ok(RecordPage {
        object: ListTag::List,
        url: format!("/v1/streams/{}/records", request.stream),
        data: data.collect(),
        has_more,
        next_cursor: has_more.then(|| format!("page-{end}|{}", provider.cursor_tail)),
        next_changes_since: (request.changes_since.is_some() && !has_more)
            .then(|| "bookmark-9".to_owned()),
        links: Links::default(),
        meta: Meta { count, warnings: Vec::new() },
    })
}

/// The place in a cursor, whatever it ends with.
fn place(cursor: &str, kind: &str) -> Option<usize> {
    cursor.strip_prefix(kind)?.split('|').next()?.parse().ok()
}

pub fn find(
    provider: &Provider,
    stream: &str,
    id: &str,
    connection: Option<&str>,
) -> Result<Record, ApiError> {
    let records = provider.records.lock().unwrap();
    let found = records.iter().find(|record| {
        record.stream.as_str() == stream
            && record.id.as_str() == id
            && connection.is_none_or(|id| record.connection_id.as_str() == id)
    });
    found
        .cloned()
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "no record with this id in view"))
}

pub fn record(provider: &Provider, request: &RecordRequest) -> Result<RecordDetail, ApiError> {
    let connection = request.connection_id.as_ref().map(AsRef::as_ref);
    provider.check(&request.stream, request.connection_id.as_ref())?;
    for field in request.fields.iter().flatten() {
        provider.check_field(field.as_str(), "fields")?;
    }
    let found = find(provider, request.stream.as_str(), request.record_id.as_str(), connection)?;
    let record = project(found, request.fields.as_ref());
    Ok(RecordDetail { record, etag: "e".into(), links: Links::default(), meta: Meta::default() })
}

pub fn search(provider: &Provider, request: &SearchRequest) -> Result<SearchPage, ApiError> {
    for stream in &request.streams {
        provider.check(stream, request.connection_id.as_ref())?;
    }
    let records = provider.records.lock().unwrap();
    let hits = records.iter().filter(|record| {
        request.connection_id.as_ref().is_none_or(|id| record.connection_id == *id)
    });
    let hits: Vec<SearchHit> =
        hits.filter_map(|record| hit(provider, record, &request.q)).collect();
    let start: usize = match &request.cursor {
        None => 0,
        Some(cursor) => place(cursor, "hits-").unwrap(),
    };
    let end = (start + usize::try_from(request.limit.unwrap_or(25)).unwrap()).min(hits.len());
    let has_more = end < hits.len();
    Ok(SearchPage {
        object: ListTag::List,
        url: "/v1/search".into(),
        data: hits[start..end].to_vec(),
        has_more,
        next_cursor: has_more.then(|| format!("hits-{end}|{}", provider.cursor_tail)),
        links: Links::default(),
        cursors: (start + 1..=end)
            .map(|at| format!("hits-{at}|{}", provider.cursor_tail))
            .filter(|_| provider.cursor_per_hit)
            .collect(),
        meta: SearchMeta {
            recall: Recall {
                complete: !provider.capped,
                ranking_scope: if provider.capped {
                    RankingScope::CandidateWindow
                } else {
                    RankingScope::AllMatches
                },
                candidate_window_limit: provider.capped.then_some(1_000),
            },
            changed_since_first_page: None,
            warnings: Vec::new(),
        },
    })
}

fn hit(provider: &Provider, record: &Record, q: &str) -> Option<SearchHit> {
    let data = record.data.as_ref()?;
    let found = |(name, value): (&String, &Json)| {
        let text = value.as_str()?;
        Some((name.clone(), text.to_owned(), text.find(q)?))
    };
    let (field, text, at) = data.iter().find_map(found)?;
    let place = text[..at].chars().count() as u64;
    let source = provider
        .sources
        .iter()
        .find(|source| source.connection.connection_id == record.connection_id)?;
    let after: String = text[at + q.len()..].chars().take(provider.snippet_chars.max(60)).collect();
    Some(SearchHit {
        object: SearchHitTag::SearchResult,
        stream: record.stream.clone(),
        record_key: record.id.clone(),
        connection_id: record.connection_id.clone(),
        connector_key: source.connection.connector_key.clone(),
        display_name: source.connection.display_name.clone(),
        emitted_at: record.emitted_at.clone(),
        authored_at: data.get("sent_at").and_then(Json::as_str).map(str::to_owned),
        author: data.get("sender").and_then(Json::as_str).map(str::to_owned),
        title: Roles::of_data(data).title(data),
        matched_fields: vec![field.clone()],
        record_url: String::new(),
        snippet: Some(Snippet {
            field,
            text: format!("<mark>{q}</mark>{after}"),
            start_chars: Some(place),
            end_chars: Some(place + (q.chars().count() + after.chars().count()) as u64),
            match_start_chars: Some(place),
            match_end_chars: Some(place + q.chars().count() as u64),
            complete: place == 0 && after.is_empty(),
        }),
        passage: None,
        number: None,
    })
}

pub fn aggregate(provider: &Provider, request: &AggregateRequest) -> Result<Aggregation, ApiError> {
    provider.check(&request.stream, request.connection_id.as_ref())?;
    let count = provider.records.lock().unwrap().len() as u64;
    let (mut group_by, mut groups) = (None, None);
    if let Some(field) = &request.grouping.field {
        provider.check_field(field.as_str(), "group_by")?;
        group_by = Some(field.clone());
        let most = request.limit.unwrap_or(10) as usize;
        let records = provider.records.lock().unwrap();
        let keys =
            records.iter().filter_map(|record| record.data.as_ref()?.get(field.as_str()).cloned());
        groups = Some(
            keys.take(most)
                .map(|key| Group { key, time: None, count: 1, value: None })
                .collect::<Vec<_>>(),
        );
    }
    Ok(Aggregation {
        object: AggregationTag::Aggregation,
        stream: request.stream.clone(),
        metric: request.metric,
        field: request.field.clone(),
        group_by,
        group_by_time: None,
        granularity: None,
        time_zone: None,
        approximate: false,
        filtered_record_count: count,
        value: groups.is_none().then(|| value(provider, request, count)),
        total: groups.as_ref().map(|_| Json::Number(count.to_string())),
        group_count: groups.as_ref().map(|_| count),
        other_count: groups.as_ref().map(|groups| count - groups.len() as u64),
        has_more: groups.as_ref().map(|groups| count > groups.len() as u64),
        next_cursor: groups
            .as_ref()
            .filter(|groups| count > groups.len() as u64)
            .map(|groups| groups.len().to_string()),
        groups,
        limit: request.limit,
        links: Links::default(),
        meta: Meta::default(),
        connections: Vec::new(),
    })
}

/// The greatest text, or how many records there are.
fn value(provider: &Provider, request: &AggregateRequest, count: u64) -> Json {
    let Some(field) = request.field.as_ref().filter(|_| request.metric == Metric::Max) else {
        return Json::Number(count.to_string());
    };
    let records = provider.records.lock().unwrap();
    let texts = records.iter().filter_map(|record| record.data.as_ref()?.get(field.as_str()));
    let greatest = texts.filter_map(Json::as_str).max();
    greatest.map_or(Json::Null, |text| Json::String(text.to_owned()))
}
