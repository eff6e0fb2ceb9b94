//! Stretches of text: the record's visibility first, then only the chunks that hold the stretch.

use async_trait::async_trait;
use pdpp_contract::RecordId;
use tokio_postgres::Row;

use super::connect::{PostgresTexts, Snapshot};
use super::errors::{corrupt, from_postgres};
use crate::chunks::ChunkedText;
use crate::error::StoreResult;
use crate::field_path::FieldPath;
use crate::record_row::RecordRow;
use crate::scope::{CollectionScope, ReadScope};
use crate::text::{TextAnswer, TextRead, TextReader};
use crate::text_outcome::{Choice, Found, Outcome, choose, read_in_record};
use crate::window::{Span, match_span};

#[async_trait]
impl TextReader for PostgresTexts {
    async fn read_text(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        path: &FieldPath,
        read: TextRead,
    ) -> StoreResult<TextAnswer> {
        self.read(async |snapshot| {
            let found = snapshot.find_visible(scope, id).await?;
            match choose(found, path) {
                Choice::Answer(answer) => Ok(answer),
                Choice::Read(part, row) => {
                    let outcome = snapshot.read_field(&row, path, &read).await?;
                    Ok(outcome.of(&part.connection, row.record_no))
                }
            }
        })
        .await
    }
}

impl Snapshot<'_> {
    /// The record with this id in each collection of the scope that shows it.
    async fn find_visible<'a>(
        &self,
        scope: &'a ReadScope,
        id: &RecordId,
    ) -> StoreResult<Vec<(&'a CollectionScope, RecordRow)>> {
        let allows =
            |part: &&CollectionScope| part.records.as_ref().is_none_or(|only| only.contains(id));
        let parts: Vec<_> = scope.collections().iter().filter(allows).collect();
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        let connections: Vec<&str> = parts.iter().map(|part| part.connection.as_str()).collect();
        let streams: Vec<&str> = parts.iter().map(|part| part.stream.as_str()).collect();
        let keys = id.sort_bytes_candidates();
        let rows = self
            .transaction
            .query(&self.prepared.find_records, &[&connections, &streams, &keys])
            .await
            .map_err(from_postgres)?;
        let mut found: Vec<(&CollectionScope, RecordRow)> = Vec::new();
        let mut last_place = 0;
        for row in &rows {
            let (place, row) = place_and_record(row)?;
            // Rows come by place; an id that can stand for two keys is read as the first.
            if place == last_place {
                continue;
            }
            last_place = place;
            let part = usize::try_from(place - 1).ok().and_then(|at| parts.get(at));
            let part = part.ok_or_else(|| corrupt("records", "record_no", row.record_no))?;
            if row.is_shown_by(part) {
                found.push((part, row));
            }
        }
        Ok(found)
    }

    async fn read_field(
        &self,
        row: &RecordRow,
        path: &FieldPath,
        read: &TextRead,
    ) -> StoreResult<Outcome> {
        if let Some(outcome) = read_in_record(row, path, read) {
            return Ok(outcome);
        }
        match self.find_text(row.record_no, &path.pointer()).await? {
            Some(text) => self.read_chunked(&text, read).await,
            None => self.read_nested(row.record_no, path, read).await,
        }
    }

    async fn read_chunked(&self, text: &ChunkedText, read: &TextRead) -> StoreResult<Outcome> {
        let (span, matched) = match read {
            TextRead::Range { start, limit } => (Span::range(*start, *limit, text.chars), None),
            TextRead::Match { q, before, after, limit } => {
                let Some(matched) = self.first_match(text, q).await? else {
                    return Ok(Outcome::NoMatch);
                };
                (match_span(matched, *before, *after, *limit, text.chars), Some(matched))
            }
        };
        let stretch = self.read_span(text.text_no, span).await?;
        Ok(Outcome::Found(Found::in_chunks(text, span, stretch, matched)))
    }
}

/// A record's row, and which of the asked collections it belongs to, from 1.
fn place_and_record(row: &Row) -> StoreResult<(i64, RecordRow)> {
    let record = RecordRow::parse(
        row.try_get(1).map_err(from_postgres)?,
        row.try_get(2).map_err(from_postgres)?,
        row.try_get(3).map_err(from_postgres)?,
        row.try_get(4).map_err(from_postgres)?,
        row.try_get(5).map_err(from_postgres)?,
    )?;
    Ok((row.try_get(0).map_err(from_postgres)?, record))
}
