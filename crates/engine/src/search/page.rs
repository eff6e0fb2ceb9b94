//! One page of hits: records read in rank order, checked against the question, with their snippets.

use pdpp_contract::links::{self, RequestUrl};
use pdpp_contract::record::RecordNumber;
use pdpp_contract::search::{SearchHit, SearchHitTag, Snippet};
use pdpp_contract::{ApiError, FieldName, Json};
use pdpp_store::records::StoredRecord;
use pdpp_store::search::MatchedRow;

use super::cursor::RankPlace;
use super::question::Question;
use super::score::Ranked;
use super::snippet::Reading;
use super::texts::{Texts, answering};
use super::{time_field, title};
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
                let (agrees, snippet) = self.read(hit, record).await?;
                if !agrees {
                    continue;
                }
                if filled.hits.len() == limit {
                    filled.has_more = true;
                    return Ok(filled);
                }
                filled.hits.push(search_hit(record, granted, hit, snippet));
                filled.places.push(RankPlace::of(hit));
            }
        }
        Ok(filled)
    }

    /// Whether the record's text holds what the question demands, and its best snippet.
    async fn read(
        &self,
        hit: &Ranked<'_>,
        record: &StoredRecord,
    ) -> Result<(bool, Option<Snippet>), ApiError> {
        let mut missing = Missing::all(self.question);
        let mut snippet = None;
        for row in std::iter::once(hit.row).chain(hit.others.iter().copied()) {
            for (field, start_chars, _) in answering(row) {
                let useful = || missing.may_stand_in(row, field, start_chars);
                if snippet.is_some() && !useful() {
                    continue;
                }
                let Some(text) = self.texts.span(record, field, start_chars).await? else {
                    continue;
                };
                let reading = Reading::new(&text, self.question);
                missing.look_in(&reading);
                if snippet.is_none() {
                    snippet = reading.snippet(field.as_str(), start_chars);
                }
            }
        }
        Ok((missing.is_empty(), snippet))
    }
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
    snippet: Option<Snippet>,
) -> SearchHit {
    let rows = std::iter::once(hit.row).chain(hit.others.iter().copied());
    let mut matched: Vec<String> =
        rows.flat_map(|row| &row.hits).map(|hit| hit.field.to_string()).collect();
    matched.sort();
    matched.dedup();
    let authored = time_field(granted).and_then(|field| record.data.get(field.as_str()).cloned());
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
        authored_at: authored.as_ref().and_then(Json::as_str).map(str::to_owned),
        title: title::of(&record.data),
        matched_fields: matched,
        record_url: address.finish(),
        snippet,
        number: Some(RecordNumber(record.record_no.0)),
    }
}
