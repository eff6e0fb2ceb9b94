//! Authorization requests.

use super::backend::driver::{OptionalExtension, Transaction, params};
use async_trait::async_trait;
use jiff::Timestamp;

use super::backend::Backend;
use super::backend::errors::from_driver;
use super::clients;
use super::execute;
use super::families::{Begun, begin};
use super::request_row;
use super::sql::access::grants::{insert_package, revoke_named, taken, written};
use super::sql::audit;
use crate::access::oauth::{
    Approval, NewRequest, OauthRequestStore, RequestKey, StoredRequest, TokenIssue,
};
use crate::error::{StoreError, StoreResult};
use pdpp_contract::access::{AuditEvent, GrantSelector};

const INSERT_REQUEST: &str = "
    INSERT INTO oauth_requests (
           request_id, client_no, redirect_uri, state, code_challenge, resource, scope,
           details_json, issuer, requested_from, same_as, user_code_hash, device_hash,
           poll_interval, status, created_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 'open', ?15, ?16)";

const SAVE_DRAFT: &str = "
    UPDATE oauth_requests
       SET draft_json = ?2, review_digest = NULL, review_json = NULL
     WHERE request_id = ?1
       AND status = 'open'";

const SAVE_REVIEW: &str = "
    UPDATE oauth_requests
       SET review_digest = ?2, review_json = ?3
     WHERE request_id = ?1
       AND status = 'open'";

const APPROVE: &str = "
    UPDATE oauth_requests
       SET status = 'approved', decided_at = ?3, decided_in = ?4, code_hash = ?5, code_sealed = ?6,
           code_expires_at = ?7
     WHERE request_id = ?1
       AND status = 'open'
       AND review_digest = ?2
       AND expires_at > ?3";

const ATTACH_PACKAGE: &str = "
    UPDATE oauth_requests
       SET package_no = ?2
     WHERE request_id = ?1";

const APPROVE_CLIENT: &str = "
    UPDATE oauth_clients
       SET approved_at = coalesce(approved_at, ?2)
     WHERE client_no = (SELECT client_no FROM oauth_requests WHERE request_id = ?1)";

const DENY: &str = "
    UPDATE oauth_requests
       SET status = 'denied', decided_at = ?2, decided_in = ?3
     WHERE request_id = ?1
       AND status = 'open'
       AND expires_at > ?2";

const NOTE_POLL: &str = "
    UPDATE oauth_requests
       SET polled_at = ?2, poll_interval = ?3
     WHERE request_id = ?1";

/// The race is decided here: a code or device is redeemed by one.
const REDEEM: &str = "
    UPDATE oauth_requests
       SET redeemed_at = ?2, code_sealed = NULL
     WHERE request_id = ?1
       AND status = 'approved'
       AND redeemed_at IS NULL
    RETURNING package_no, client_no, scope";

const ATTACH_FAMILY: &str = "
    UPDATE oauth_requests
       SET family_no = ?2
     WHERE request_id = ?1";

const PUSH: &str = "
    INSERT INTO oauth_pushed (uri_hash, client_no, params_json, expires_at)
    VALUES (?1, ?2, ?3, ?4)";

const FIND_PUSHED: &str = "
    SELECT client_id, params_json
      FROM oauth_pushed
      JOIN oauth_clients USING (client_no)
     WHERE uri_hash = ?1
       AND expires_at > ?2";

#[async_trait]
impl OauthRequestStore for Backend {
    async fn add_request(&self, request: NewRequest, event: Option<AuditEvent>) -> StoreResult<()> {
        self.write(move |tx| add(tx, &request, event)).await
    }

    async fn find_request(&self, key: RequestKey) -> StoreResult<Option<StoredRequest>> {
        self.read(move |connection| {
            Ok(request_row::find(connection, &key)?.map(|(_, request)| request))
        })
        .await
    }

    async fn save_draft(&self, request_id: &str, draft_json: String) -> StoreResult<bool> {
        let id = request_id.to_owned();
        self.write(move |tx| Ok(execute(tx, SAVE_DRAFT, params![id, draft_json])? == 1)).await
    }

    async fn save_review(
        &self,
        request_id: &str,
        digest: [u8; 32],
        review_json: String,
    ) -> StoreResult<bool> {
        let id = request_id.to_owned();
        self.write(move |tx| Ok(execute(tx, SAVE_REVIEW, params![id, digest, review_json])? == 1))
            .await
    }

    async fn approve_request(
        &self,
        request_id: &str,
        approval: Approval,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        let id = request_id.to_owned();
        self.write(move |tx| approve(tx, &id, &approval, event)).await
    }

    async fn deny_request(
        &self,
        request_id: &str,
        session: &str,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        let (id, session) = (request_id.to_owned(), session.to_owned());
        self.write(move |tx| {
            let denied = execute(tx, DENY, params![id, written(event.at), session])?;
            if denied == 1 {
                audit::append(tx, &[event])?;
            }
            Ok(denied == 1)
        })
        .await
    }

    async fn note_poll(
        &self,
        request_id: &str,
        at: Timestamp,
        poll_interval: i64,
    ) -> StoreResult<()> {
        let id = request_id.to_owned();
        self.write(move |tx| {
            execute(tx, NOTE_POLL, params![id, written(at), poll_interval])?;
            Ok(())
        })
        .await
    }

    async fn redeem_request(
        &self,
        request_id: &str,
        issue: TokenIssue,
        event: AuditEvent,
    ) -> StoreResult<bool> {
        let id = request_id.to_owned();
        self.write(move |tx| redeem(tx, &id, &issue, event)).await
    }

    async fn push_request(
        &self,
        uri_hash: [u8; 32],
        client_id: &str,
        params_json: String,
        expires_at: Timestamp,
    ) -> StoreResult<()> {
        let client_id = client_id.to_owned();
        self.write(move |tx| {
            let (client_no, _) = clients::by_id(tx, &client_id)?;
            let values = params![uri_hash, client_no, params_json, written(expires_at)];
            tx.prepare_cached(PUSH).and_then(|mut push| push.execute(values)).map_err(taken)?;
            Ok(())
        })
        .await
    }

    async fn find_pushed(
        &self,
        uri_hash: [u8; 32],
        now: Timestamp,
    ) -> StoreResult<Option<(String, String)>> {
        self.read(move |connection| {
            connection
                .prepare_cached(FIND_PUSHED)
                .and_then(|mut find| {
                    let values = params![uri_hash, written(now)];
                    find.query_row(values, |row| Ok((row.get(0)?, row.get(1)?))).optional()
                })
                .map_err(from_driver)
        })
        .await
    }
}

fn add(tx: &Transaction<'_>, request: &NewRequest, event: Option<AuditEvent>) -> StoreResult<()> {
    let (client_no, _) = clients::by_id(tx, &request.client_id)?;
    let values = params![
        request.request_id,
        client_no,
        request.redirect_uri,
        request.state,
        request.code_challenge,
        request.resource.as_str(),
        request.scope,
        request.details_json,
        request.issuer,
        request.requested_from,
        request.same_as,
        request.user_code_hash,
        request.device_hash,
        request.poll_interval,
        written(request.created_at),
        written(request.expires_at),
    ];
    tx.prepare_cached(INSERT_REQUEST).and_then(|mut add| add.execute(values)).map_err(taken)?;
    match event {
        Some(event) => audit::append(tx, &[event]),
        None => Ok(()),
    }
}

fn approve(
    tx: &Transaction<'_>,
    id: &str,
    approval: &Approval,
    event: AuditEvent,
) -> StoreResult<bool> {
    let at = written(event.at);
    let code = approval.code.as_ref();
    let values = params![
        id,
        approval.digest,
        at,
        approval.session,
        code.map(|code| code.hash),
        code.map(|code| &code.sealed),
        code.map(|code| written(code.expires_at)),
    ];
    if execute(tx, APPROVE, values)? == 0 {
        return Ok(false);
    }
    let package_no = insert_package(tx, &approval.package)?;
    execute(tx, ATTACH_PACKAGE, params![id, package_no])?;
    execute(tx, APPROVE_CLIENT, params![id, at])?;
    if let Some(old) = &approval.replaces {
        let mut ended = AuditEvent::by_owner(event.at, "grant_replaced");
        ended.request_id.clone_from(&event.request_id);
        revoke_named(tx, &GrantSelector::Package(old.clone()), &ended)?;
    }
    audit::append(tx, &[event])?;
    Ok(true)
}

fn redeem(
    tx: &Transaction<'_>,
    id: &str,
    issue: &TokenIssue,
    event: AuditEvent,
) -> StoreResult<bool> {
    let redeemed: Option<(Option<i64>, i64, String)> = tx
        .prepare_cached(REDEEM)
        .and_then(|mut redeem| {
            let values = params![id, written(event.at)];
            redeem.query_row(values, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()
        })
        .map_err(from_driver)?;
    let Some((package_no, client_no, scope)) = redeemed else { return Ok(false) };
    let (_, request) = request_row::find(tx, &RequestKey::Id(id.to_owned()))?
        .ok_or(StoreError::Conflict("the client is gone"))?;
    let package_no = package_no.ok_or(StoreError::Conflict("the request has no package"))?;
    let begun =
        Begun { package_no, client_no, resource: request.resource, scope: &scope, at: event.at };
    let family_no = begin(tx, &begun, issue)?;
    execute(tx, ATTACH_FAMILY, params![id, family_no])?;
    audit::append(tx, &[event])?;
    Ok(true)
}
