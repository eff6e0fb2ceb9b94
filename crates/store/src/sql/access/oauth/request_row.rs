//! A request read back from its row.

use super::backend::driver::{Connection, OptionalExtension, Row, ToSql};
use jiff::Timestamp;

use super::backend::errors::{corrupt, from_driver};
use super::clients;
use super::sql::access::grants::{cell, load_package, optional_cell, written};
use crate::access::oauth::{RequestKey, RequestStatus, StoredRequest};
use crate::error::StoreResult;

const TABLE: &str = "oauth_requests";

const COLUMNS: &str = "
    SELECT request_no, request_id, client_no, redirect_uri, state, code_challenge, resource, scope,
           details_json, issuer, requested_from, poll_interval, polled_at, status, draft_json,
           review_digest, review_json, created_at, expires_at, decided_in, package_no, code_sealed,
           code_expires_at, redeemed_at, family_no
      FROM oauth_requests";

const BY_ID: &str = "WHERE request_id = ?1";
const BY_SAMENESS: &str = "
    WHERE same_as = ?1
      AND status = 'open'
      AND expires_at > ?2
    ORDER BY request_no DESC
    LIMIT 1";
const BY_CODE: &str = "WHERE code_hash = ?1";
const BY_USER_CODE: &str = "WHERE user_code_hash = ?1";
const BY_DEVICE: &str = "WHERE device_hash = ?1";

/// The request of a key, with its number.
pub(crate) fn find(
    connection: &Connection,
    key: &RequestKey,
) -> StoreResult<Option<(i64, StoredRequest)>> {
    let raw = match key {
        RequestKey::Id(id) => query(connection, BY_ID, &[id]),
        RequestKey::SameAs(hash, now) => query(connection, BY_SAMENESS, &[hash, &written(*now)]),
        RequestKey::Code(hash) => query(connection, BY_CODE, &[hash]),
        RequestKey::UserCode(hash) => query(connection, BY_USER_CODE, &[hash]),
        RequestKey::Device(hash) => query(connection, BY_DEVICE, &[hash]),
    }?;
    match raw {
        Some(raw) => raw.checked(connection),
        None => Ok(None),
    }
}

fn query(
    connection: &Connection,
    condition: &str,
    values: &[&dyn ToSql],
) -> StoreResult<Option<RawRequest>> {
    connection
        .prepare_cached(&format!("{COLUMNS} {condition}"))
        .and_then(|mut find| find.query_row(values, RawRequest::read).optional())
        .map_err(from_driver)
}

/// The columns of a request before they are checked.
struct RawRequest {
    request_no: i64,
    client_no: i64,
    package_no: Option<i64>,
    resource: String,
    status: String,
    review_digest: Option<Vec<u8>>,
    polled_at: Option<String>,
    created_at: String,
    expires_at: String,
    code_expires_at: Option<String>,
    redeemed_at: Option<String>,
    texts: Texts,
    poll_interval: i64,
    code_sealed: Option<Vec<u8>>,
    family_no: Option<i64>,
}

/// Columns that are kept as they came.
struct Texts {
    request_id: String,
    redirect_uri: Option<String>,
    state: Option<String>,
    code_challenge: Option<String>,
    scope: String,
    details_json: Option<String>,
    issuer: String,
    requested_from: Option<String>,
    draft_json: Option<String>,
    review_json: Option<String>,
    decided_in: Option<String>,
}

impl RawRequest {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            request_no: row.get("request_no")?,
            client_no: row.get("client_no")?,
            package_no: row.get("package_no")?,
            resource: row.get("resource")?,
            status: row.get("status")?,
            review_digest: row.get("review_digest")?,
            polled_at: row.get("polled_at")?,
            created_at: row.get("created_at")?,
            expires_at: row.get("expires_at")?,
            code_expires_at: row.get("code_expires_at")?,
            redeemed_at: row.get("redeemed_at")?,
            texts: Texts {
                request_id: row.get("request_id")?,
                redirect_uri: row.get("redirect_uri")?,
                state: row.get("state")?,
                code_challenge: row.get("code_challenge")?,
                scope: row.get("scope")?,
                details_json: row.get("details_json")?,
                issuer: row.get("issuer")?,
                requested_from: row.get("requested_from")?,
                draft_json: row.get("draft_json")?,
                review_json: row.get("review_json")?,
                decided_in: row.get("decided_in")?,
            },
            poll_interval: row.get("poll_interval")?,
            code_sealed: row.get("code_sealed")?,
            family_no: row.get("family_no")?,
        })
    }

    /// None when its client was collected.
    fn checked(self, connection: &Connection) -> StoreResult<Option<(i64, StoredRequest)>> {
        let row = self.request_no;
        let Some(client) = clients::by_number(connection, self.client_no)? else {
            return Ok(None);
        };
        let time = |text: Option<String>, column| -> StoreResult<Option<Timestamp>> {
            optional_cell(text.as_deref(), TABLE, column, row)
        };
        let bad = |column| corrupt(TABLE, column, row);
        let digest = self.review_digest.map(<[u8; 32]>::try_from).transpose();
        let package = self.package_no.map(|number| load_package(connection, number)).transpose()?;
        let texts = self.texts;
        let request = StoredRequest {
            client,
            resource: self.resource.parse().map_err(|()| bad("resource"))?,
            poll_interval: self.poll_interval,
            polled_at: time(self.polled_at, "polled_at")?,
            status: status(&self.status).ok_or_else(|| bad("status"))?,
            review_digest: digest.map_err(|_| bad("review_digest"))?,
            created_at: cell(&self.created_at, TABLE, "created_at", row)?,
            expires_at: cell(&self.expires_at, TABLE, "expires_at", row)?,
            package,
            code_sealed: self.code_sealed,
            code_expires_at: time(self.code_expires_at, "code_expires_at")?,
            redeemed_at: time(self.redeemed_at, "redeemed_at")?,
            family_no: self.family_no,
            request_id: texts.request_id,
            redirect_uri: texts.redirect_uri,
            state: texts.state,
            code_challenge: texts.code_challenge,
            scope: texts.scope,
            details_json: texts.details_json,
            issuer: texts.issuer,
            requested_from: texts.requested_from,
            draft_json: texts.draft_json,
            review_json: texts.review_json,
            decided_in: texts.decided_in,
        };
        Ok(Some((row, request)))
    }
}

fn status(text: &str) -> Option<RequestStatus> {
    match text {
        "open" => Some(RequestStatus::Open),
        "approved" => Some(RequestStatus::Approved),
        "denied" => Some(RequestStatus::Denied),
        _ => None,
    }
}
