//! Fetched documents and spent assertions, and the broom.

use super::backend::driver::{OptionalExtension, Row, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::from_driver;
use super::execute;
use super::sql::access::grants::{cell, written};
use crate::access::oauth::{FetchedDocument, OauthDocumentStore};
use crate::error::StoreResult;

const FIND_DOCUMENT: &str = "
    SELECT body, fetched_at, fresh_until
      FROM oauth_documents
     WHERE url = ?1";

const KEEP_DOCUMENT: &str = "
    INSERT INTO oauth_documents (url, body, fetched_at, fresh_until)
    VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (url) DO UPDATE
       SET body = excluded.body,
           fetched_at = excluded.fetched_at,
           fresh_until = excluded.fresh_until";

const SPEND_ASSERTION: &str = "
    INSERT INTO oauth_assertions (assertion_hash, expires_at)
    VALUES (?1, ?2)
    ON CONFLICT (assertion_hash) DO NOTHING";

/// A redeemed request is kept as long as its family: a second use of its code must be noticed.
const SWEEP_REQUESTS: &str = "
    DELETE FROM oauth_requests
     WHERE expires_at < ?1
       AND (status <> 'approved'
            OR (redeemed_at IS NULL AND code_expires_at < ?1)
            OR NOT EXISTS (SELECT 1
                             FROM oauth_families
                            WHERE oauth_families.family_no = oauth_requests.family_no
                              AND oauth_families.expires_at >= ?1))";

const SWEEP_PUSHED: &str = "DELETE FROM oauth_pushed WHERE expires_at < ?1";
const SWEEP_ASSERTIONS: &str = "DELETE FROM oauth_assertions WHERE expires_at < ?1";
const SWEEP_DOCUMENTS: &str = "DELETE FROM oauth_documents WHERE fresh_until < ?1";
/// A superseded refresh token that is too old says nothing any more when it comes again.
const SWEEP_REFRESH: &str = "
    DELETE FROM oauth_refresh_tokens
     WHERE superseded_at IS NOT NULL
       AND expires_at < ?1";

/// The newest token of a sign-in stays: it knows when the package was last used.
const SWEEP_ACCESS: &str = "
    DELETE FROM tokens
     WHERE family_no IS NOT NULL
       AND expires_at < ?1
       AND EXISTS (SELECT 1
                     FROM tokens newer
                    WHERE newer.family_no = tokens.family_no
                      AND newer.created_at > tokens.created_at)";

const SWEEP_SUCCESSORS: &str = "
    UPDATE oauth_refresh_tokens
       SET successor_sealed = NULL
     WHERE successor_sealed IS NOT NULL
       AND superseded_at < ?1";

#[async_trait]
impl OauthDocumentStore for Backend {
    async fn find_document(&self, url: &str) -> StoreResult<Option<FetchedDocument>> {
        let url = url.to_owned();
        self.read(move |connection| {
            let found: Option<(Option<String>, String, String)> = connection
                .prepare_cached(FIND_DOCUMENT)
                .and_then(|mut find| {
                    let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                    find.query_row([url], columns).optional()
                })
                .map_err(from_driver)?;
            let Some((body, fetched_at, fresh_until)) = found else { return Ok(None) };
            let time = |text: &str, column| cell(text, "oauth_documents", column, 0);
            Ok(Some(FetchedDocument {
                body,
                fetched_at: time(&fetched_at, "fetched_at")?,
                fresh_until: time(&fresh_until, "fresh_until")?,
            }))
        })
        .await
    }

    async fn keep_document(&self, url: &str, document: FetchedDocument) -> StoreResult<()> {
        let url = url.to_owned();
        self.write(move |tx| {
            let times = (written(document.fetched_at), written(document.fresh_until));
            let values = params![url, document.body, times.0, times.1];
            execute(tx, KEEP_DOCUMENT, values)?;
            Ok(())
        })
        .await
    }

    async fn spend_assertion(&self, hash: [u8; 32], expires_at: Timestamp) -> StoreResult<bool> {
        self.write(move |tx| {
            Ok(execute(tx, SPEND_ASSERTION, params![hash, written(expires_at)])? == 1)
        })
        .await
    }

    async fn sweep_oauth(&self, now: Timestamp, successors_until: Timestamp) -> StoreResult<()> {
        self.write(move |tx| {
            let now = written(now);
            for sql in [SWEEP_REQUESTS, SWEEP_PUSHED, SWEEP_ASSERTIONS, SWEEP_DOCUMENTS] {
                execute(tx, sql, [&now])?;
            }
            for sql in [SWEEP_REFRESH, SWEEP_ACCESS] {
                execute(tx, sql, [&now])?;
            }
            execute(tx, SWEEP_SUCCESSORS, [written(successors_until)])?;
            Ok(())
        })
        .await
    }
}
