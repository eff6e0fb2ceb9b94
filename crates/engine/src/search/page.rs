//! One page of hits: records read in rank order, checked against the question, with their snippets.

use pdpp_contract::record::RecordNumber;
use pdpp_contract::search::{SearchHit, SearchHitTag, Snippet};
use pdpp_contract::{ApiError, FieldName, Json};
use pdpp_store::field_path::FieldPath;
use pdpp_store::records::StoredRecord;
use pdpp_store::search::MatchedRow;
use pdpp_store::text::{TextAnswer, TextRead};
use pdpp_store::{ReadScope, search_rows};

use super::question::Question;
use super::score::Ranked;
use super::snippet::Reading;
use super::{time_field, title};
use crate::links::{self, Address};
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::Shelf;

/// Turns ranked rows into hits.
pub(crate) struct Page<'a> {
    pub reader: &'a GrantedReader,
    pub question: &'a Question,
    pub shelves: &'a [Shelf],
    pub scope: &'a ReadScope,
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
            let records = self.reader.shared.store.records_by_number(self.scope, numbers, 0).await;
            let records = records.map_err(from_store)?;
            for hit in some {
                let Some(record) = records.iter().find(|found| found.record_no == hit.record_no)
                else {
                    continue;
                };
                let Some(shelf) = self.shelves.get(record.collection) else { continue };
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
        let mut fields: Vec<(&FieldName, u64, u32)> = Vec::new();
        for hit in &row.hits {
            match fields
                .iter_mut()
                .find(|(field, start, _)| *field == &hit.field && *start == hit.start_chars)
            {
                Some((_, _, terms)) => *terms += 1,
                None => fields.push((&hit.field, hit.start_chars, 1)),
            }
        }
        // The field that answers most words first; equal ones in the order of their names.
        fields.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(b.0)));
        let mut missing_phrases: Vec<_> = self.question.phrases.iter().collect();
        let mut missing_beginnings: Vec<usize> =
            self.question.beginnings.iter().map(|(place, _)| *place).collect();
        let mut snippet = None;
        for (field, start_chars, _) in fields {
            if snippet.is_some() && !self.question.needs_text() {
                break;
            }
            let Some(text) = self.text(record, field, start_chars).await? else { continue };
            let reading = Reading::new(&text, self.question);
            missing_phrases.retain(|phrase| !reading.holds_phrase(phrase));
            missing_beginnings.retain(|place| !reading.holds(*place));
            if snippet.is_none() {
                snippet = reading.snippet(field.as_str(), start_chars);
            }
        }
        Ok((missing_phrases.is_empty() && missing_beginnings.is_empty(), snippet))
    }

    /// The stretch of a field that an index row covers.
    async fn text(
        &self,
        record: &StoredRecord,
        field: &FieldName,
        start_chars: u64,
    ) -> Result<Option<String>, ApiError> {
        if let Some(Json::String(text)) = record.data.get(field.as_str()) {
            return Ok(Some(text.clone()));
        }
        let mut pointer = field.as_str().replace('~', "~0").replace('/', "~1");
        pointer.insert(0, '/');
        let (Ok(path), Some(shelf)) =
            (FieldPath::parse(&pointer), self.shelves.get(record.collection))
        else {
            return Ok(None);
        };
        let scope = ReadScope::new(vec![shelf.scope.clone()]);
        let limit = u32::try_from(search_rows::ROW_CHARS).unwrap_or(u32::MAX);
        let read = TextRead::Range { start: start_chars, limit };
        let answer = self.reader.shared.store.read_text(&scope, &record.id, &path, read).await;
        Ok(match answer.map_err(from_store)? {
            TextAnswer::Text(found) => Some(found.text),
            _ => None,
        })
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
