//! One page of hits: records read in rank order, checked against the question, with their snippets.

use pdpp_contract::record::RecordNumber;
use pdpp_contract::search::{SearchHit, SearchHitTag, Snippet};
use pdpp_contract::{ApiError, Json};
use pdpp_store::records::StoredRecord;
use pdpp_store::search::MatchedRow;

use super::question::Question;
use super::score::Ranked;
use super::snippet::Reading;
use super::texts::{Texts, answering};
use super::{time_field, title};
use crate::links::{self, Address};
use crate::view::Shelf;

/// Turns ranked rows into hits.
pub(crate) struct Page<'a> {
    pub texts: &'a Texts<'a>,
    pub question: &'a Question,
}

impl Page<'_> {
    /// Hits in order until the page is full. Phrases and beginnings are checked on the text here, so
    /// that only as many texts are read as the page needs.
    pub(crate) async fn fill(
        &self,
        ranked: &[Ranked<'_>],
        limit: usize,
    ) -> Result<(Vec<SearchHit>, Option<(f64, u64)>, bool), ApiError> {
        let mut hits = Vec::new();
        let mut last = None;
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
                let Some(shelf) = self.texts.shelves.get(record.collection) else { continue };
                let (agrees, snippet) = self.read(hit.row, record).await?;
                if !agrees {
                    continue;
                }
                if hits.len() == limit {
                    return Ok((hits, last, true));
                }
                hits.push(search_hit(record, shelf, hit.row, snippet));
                last = Some((hit.score, hit.tie));
            }
        }
        Ok((hits, last, false))
    }

    /// Whether the record's text holds what the question demands, and its best snippet.
    async fn read(
        &self,
        row: &MatchedRow,
        record: &StoredRecord,
    ) -> Result<(bool, Option<Snippet>), ApiError> {
        let mut missing_phrases: Vec<_> = self.question.phrases.iter().collect();
        let mut missing_beginnings: Vec<usize> =
            self.question.beginnings.iter().map(|(place, _)| *place).collect();
        let mut snippet = None;
        for (field, start_chars, _) in answering(row) {
            if snippet.is_some() && !self.question.needs_text() {
                break;
            }
            let Some(text) = self.texts.stretch(record, field, start_chars).await? else {
                continue;
            };
            let reading = Reading::new(&text, self.question);
            missing_phrases.retain(|phrase| !reading.holds_phrase(phrase));
            missing_beginnings.retain(|place| !reading.holds(*place));
            if snippet.is_none() {
                snippet = reading.snippet(field.as_str(), start_chars);
            }
        }
        Ok((missing_phrases.is_empty() && missing_beginnings.is_empty(), snippet))
    }
}

fn search_hit(
    record: &StoredRecord,
    shelf: &Shelf,
    row: &MatchedRow,
    snippet: Option<Snippet>,
) -> SearchHit {
    let mut matched: Vec<String> = row.hits.iter().map(|hit| hit.field.to_string()).collect();
    matched.sort();
    matched.dedup();
    let authored = time_field(shelf).and_then(|field| record.data.get(field.as_str()).cloned());
    let address = Address::new(links::record_path(&record.stream, &record.id))
        .with("connection_id", record.connection.as_str());
    SearchHit {
        object: SearchHitTag::SearchResult,
        stream: record.stream.clone(),
        record_key: record.id.clone(),
        connection_id: record.connection.clone(),
        connector_key: shelf.connection.connector_key.clone(),
        display_name: shelf.display_name(),
        emitted_at: record.emitted_at.clone(),
        authored_at: authored.as_ref().and_then(Json::as_str).map(str::to_owned),
        title: title::of(&record.data),
        matched_fields: matched,
        record_url: address.finish(),
        snippet,
        number: Some(RecordNumber(record.record_no)),
    }
}
