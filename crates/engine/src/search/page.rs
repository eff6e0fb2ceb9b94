//! One page of hits: records read in rank order, checked against the question, with their snippets.

use pdpp_contract::links::{self, RequestUrl};
use pdpp_contract::record::RecordNumber;
use pdpp_contract::search::{SearchHit, SearchHitTag, Snippet};
use pdpp_contract::{ApiError, FieldName};
use pdpp_store::records::StoredRecord;
use pdpp_store::search::MatchedRow;

use super::cursor::RankPlace;
use super::question::Question;
use super::score::Ranked;
use super::snippet::Reading;
use super::texts::{Texts, answering};
use crate::view::GrantedStream;

/// Turns ranked rows into hits.
pub(crate) struct Page<'a> {
    pub texts: &'a Texts<'a>,
    pub question: &'a Question,
}

/// The hits of a page, the place of each, and whether more follow.
pub(crate) struct Filled {
    pub hits: Vec<SearchHit>,
    pub places: Vec<RankPlace>,
    pub has_more: bool,
}

impl Page<'_> {
    /// Hits in order until the page is full. Phrases and beginnings are checked on the text here, so
    /// that only as many texts are read as the page needs.
    pub(crate) async fn fill(
        &self,
        ranked: &[Ranked<'_>],
        limit: usize,
    ) -> Result<Filled, ApiError> {
        let mut filled = Filled { hits: Vec::new(), places: Vec::new(), has_more: false };
        let mut rest = ranked;
        while !rest.is_empty() {
            let (some, after) = rest.split_at(rest.len().min(limit.max(10)));
            rest = after;
            let numbers = some.iter().map(|hit| hit.record_no).collect();
            let records = self.texts.records(numbers).await?;
            for hit in some {
                let Some(record) = records.iter().find(|found| found.record_no == hit.record_no)
                else {
                    continue;
                };
                let Some(granted) = self.texts.granted_streams.get(record.collection) else {
                    continue;
                };
                let Some(shown) = self.read(hit, record, granted).await? else { continue };
                if filled.hits.len() == limit {
                    filled.has_more = true;
                    return Ok(filled);
                }
                filled.hits.push(search_hit(record, granted, hit, shown));
                filled.places.push(RankPlace::of(hit));
            }
        }
        Ok(filled)
    }

    /// What to show of the record; nothing when its text lacks what the question demands.
    async fn read(
        &self,
        hit: &Ranked<'_>,
        record: &StoredRecord,
        granted: &GrantedStream,
    ) -> Result<Option<Shown>, ApiError> {
        let mut missing = Missing::all(self.question);
        let (mut body, mut other) = (None, None);
        let titled = titled(hit, granted);
        let title = granted.roles.own_title(&record.data);
        for row in std::iter::once(hit.row).chain(hit.others.iter().copied()) {
            let mut ranges = answering(row);
            ranges.sort_by_key(|(field, ..)| !granted.roles.is_body_like(field.as_str()));
            for (field, start_chars, _) in ranges {
                let is_body = granted.roles.is_body_like(field.as_str());
                let wanted = body.is_none() && (is_body || other.is_none());
                if !wanted && !missing.may_stand_in(row, field, start_chars) {
                    continue;
                }
                let Some(text) = self.texts.span(record, field, start_chars).await? else {
                    continue;
                };
                let reading = Reading::new(&text, self.question);
                missing.look_in(&reading);
                let reading = if is_body { reading.behind(title.as_deref()) } else { reading };
                let name = field.as_str();
                if is_body && body.is_none() {
                    body = Some(Shown {
                        snippet: reading.snippet(name, start_chars),
                        passage: Some(reading.passage(name, start_chars, &titled)),
                    });
                } else if wanted {
                    let snippet = reading.snippet(name, start_chars);
                    other = Some(Shown { snippet, passage: None });
                }
            }
        }
        if !missing.is_empty() {
            return Ok(None);
        }
        if body.is_none() {
            body = self.beginning(record, granted).await?;
        }
        Ok(body.or(other))
    }

    /// The beginning of a record's text, where only its title matched.
    async fn beginning(
        &self,
        record: &StoredRecord,
        granted: &GrantedStream,
    ) -> Result<Option<Shown>, ApiError> {
        let in_view = |name: &&FieldName| granted.scope.fields.contains(*name);
        let names = granted.roles.body.iter().filter_map(|name| FieldName::new(name).ok());
        let names: Vec<FieldName> = names.collect();
        for name in names.iter().filter(in_view) {
            let text = self.texts.span(record, name, 0).await?.unwrap_or_default();
            if text.trim().is_empty() {
                continue;
            }
            let title = granted.roles.own_title(&record.data);
            let reading = Reading::new(&text, self.question).behind(title.as_deref());
            let passage = Some(reading.passage(name.as_str(), 0, &[]));
            return Ok(Some(Shown { snippet: reading.snippet(name.as_str(), 0), passage }));
        }
        Ok(None)
    }
}

/// What a hit shows of its record's text.
struct Shown {
    snippet: Snippet,
    passage: Option<Snippet>,
}

/// The terms that stand in the record's title.
fn titled(hit: &Ranked<'_>, granted: &GrantedStream) -> Vec<usize> {
    let rows = std::iter::once(hit.row).chain(hit.others.iter().copied());
    let in_title =
        |name: &FieldName| granted.roles.title.iter().any(|title| title == name.as_str());
    rows.flat_map(|row| &row.hits).filter(|hit| in_title(&hit.field)).map(|hit| hit.term).collect()
}

/// What the question demands of a record and has not been found yet.
struct Missing<'a> {
    phrases: Vec<&'a Vec<usize>>,
    beginnings: Vec<usize>,
}

impl<'a> Missing<'a> {
    fn all(question: &'a Question) -> Self {
        Self {
            phrases: question.phrases.iter().collect(),
            beginnings: question.beginnings.iter().map(|(place, _)| *place).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.phrases.is_empty() && self.beginnings.is_empty()
    }

    /// Whether a range holds the words of something missing, so that it is worth reading.
    fn may_stand_in(&self, row: &MatchedRow, field: &FieldName, start_chars: u64) -> bool {
        let holds = |term: &usize| {
            row.hits.iter().any(|hit| {
                hit.term == *term && hit.field == *field && hit.start_chars == start_chars
            })
        };
        self.phrases.iter().any(|phrase| phrase.iter().all(holds))
            || self.beginnings.iter().any(holds)
    }

    fn look_in(&mut self, reading: &Reading<'_>) {
        self.phrases.retain(|phrase| !reading.holds_phrase(phrase));
        self.beginnings.retain(|place| !reading.holds(*place));
    }
}

fn search_hit(
    record: &StoredRecord,
    granted: &GrantedStream,
    hit: &Ranked<'_>,
    shown: Shown,
) -> SearchHit {
    let rows = std::iter::once(hit.row).chain(hit.others.iter().copied());
    let mut matched: Vec<String> =
        rows.flat_map(|row| &row.hits).map(|hit| hit.field.to_string()).collect();
    matched.sort();
    matched.dedup();
    let address = RequestUrl::new(links::record_path(&record.stream, &record.id))
        .with("connection_id", record.connection.as_str());
    SearchHit {
        object: SearchHitTag::SearchResult,
        stream: record.stream.clone(),
        record_key: record.id.clone(),
        connection_id: record.connection.clone(),
        connector_key: granted.connection.connector_key.clone(),
        display_name: Some(granted.display_name()),
        emitted_at: record.emitted_at.clone(),
        authored_at: granted.roles.time(&record.data),
        author: granted.roles.author(&record.data),
        title: granted.roles.title(&record.data),
        matched_fields: matched,
        record_url: address.finish(),
        snippet: Some(shown.snippet),
        passage: shown.passage,
        number: Some(RecordNumber(record.record_no.0)),
    }
}
