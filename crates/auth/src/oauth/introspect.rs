//! What a token is: for a resource server that asks the owner's way, and for its own holder.

use pdpp_contract::access::Resource;
use pdpp_contract::rolling::utc_day;
use pdpp_contract::{Grant, Instant};
use pdpp_store::grants::{StoredGrant, StoredPackage};
use pdpp_store::tokens::{StoredAccess, TokenHash};
use serde_json::{Value, json};

use super::details::DETAILS_TYPE;
use super::{SCOPE, error::OauthError};
use crate::Auth;
use crate::access::{Caller, OwnerAccess};
use crate::error::AuthError;

/// An answer about a token.
#[derive(Debug, Clone, PartialEq)]
pub struct Introspection(Value);

impl Introspection {
    /// The answer on the wire.
    pub fn document(&self) -> &Value {
        &self.0
    }

    fn inactive() -> Self {
        Self(json!({"active": false}))
    }
}

impl Auth {
    /// Tells the owner's resource server what a token opens. What is not an agent's live token is
    /// inactive, and nothing else is said about it.
    pub async fn introspect(
        &self,
        _owner: &OwnerAccess,
        token: &str,
        issuer: &str,
    ) -> Result<Introspection, OauthError> {
        let Ok(Caller::Agent(access)) = self.verify(token).await else {
            return Ok(Introspection::inactive());
        };
        let hash = TokenHash::of(token);
        let Some(found) = self.store.find_access(&hash).await? else {
            return Ok(Introspection::inactive());
        };
        let client_id = self.client_id_of(&hash, &found).await?;
        let grants = access.grants();
        let kind = if grants.len() == 1 { "client" } else { "mcp_package" };
        let mut document = json!({
            "active": true,
            "pdpp_token_kind": kind,
            "token_type": "Bearer",
            "subject_id": grants.first().map(|grant| grant.subject.id.clone()),
            "client_id": client_id,
            "grant_package_id": access.package_id(),
            "scope": SCOPE,
            "iss": issuer,
            "iat": found.token.created_at.as_second(),
            "exp": found.token.expires_at.map(jiff::Timestamp::as_second),
            "aud": audience(found.token.resource, issuer),
            "authorization_details": grants.iter().map(entry).collect::<Vec<_>>(),
        });
        if let (Value::Object(members), [only]) = (&mut document, grants) {
            members.insert("grant_id".to_owned(), json!(only.grant_id));
        }
        Ok(Introspection(document))
    }

    /// Tells the holder of a token what it holds. The owner's token is named as such, and no more.
    pub async fn token_info(&self, bearer: &str, issuer: &str) -> Result<Value, AuthError> {
        let caller = self.verify(bearer).await?;
        let hash = TokenHash::of(bearer);
        let found = self.store.find_access(&hash).await?.ok_or(AuthError::NoSuchToken)?;
        let expires_at = found.token.expires_at.map(|end| end.to_string());
        if matches!(caller, Caller::Owner(_)) {
            return Ok(json!({"token_kind": "owner", "expires_at": expires_at}));
        }
        let package = found.package.as_ref().ok_or(AuthError::NoSuchToken)?;
        let client_id = match self.client_id_of(&hash, &found).await {
            Ok(client_id) => client_id,
            Err(_) => package.client.to_string(),
        };
        let now = self.clock.now();
        Ok(json!({
            "token_kind": "client",
            "resource": audience(found.token.resource, issuer),
            "client_id": client_id,
            "grant_package_id": package.package_id,
            "access_mode": package.access_mode,
            "expires_at": expires_at,
            "package_expires_at": package.expires_at.map(|end| end.to_string()),
            "grants": package.grants.iter().filter_map(|grant| summary(grant, now)).collect::<Vec<_>>(),
        }))
    }

    async fn client_id_of(
        &self,
        hash: &TokenHash,
        found: &StoredAccess,
    ) -> Result<String, OauthError> {
        let family = self.store.family_of_access(hash).await?;
        let name = || found.package.as_ref().map(|package| package.client.to_string());
        Ok(family.map(|family| family.client.client_id).or_else(name).unwrap_or_default())
    }
}

/// The doors a token opens, by their addresses.
fn audience(resource: Option<Resource>, issuer: &str) -> Vec<String> {
    let all = [Resource::Mcp, Resource::V1];
    let open = all.into_iter().filter(|door| resource.is_none_or(|bound| bound == *door));
    open.map(|door| format!("{issuer}/{}", door.as_str())).collect()
}

/// What a package grants, in the form in which it can be asked for.
pub(super) fn details(package: &StoredPackage) -> Value {
    let grants = package.grants.iter().filter(|grant| grant.revoked_at.is_none());
    let grants = grants.filter_map(|grant| serde_json::from_str::<Grant>(&grant.grant_json).ok());
    Value::Array(grants.map(|grant| entry(&grant)).collect())
}

fn entry(grant: &Grant) -> Value {
    json!({
        "type": DETAILS_TYPE,
        "grant_id": grant.grant_id,
        "source": grant.source,
        "purpose_code": grant.purpose_code,
        "access_mode": grant.access_mode,
        "expires_at": grant.expires_at,
        "streams": grant.streams,
    })
}

fn summary(stored: &StoredGrant, now: jiff::Timestamp) -> Option<Value> {
    let grant: Grant = serde_json::from_str(&stored.grant_json).ok()?;
    let ended = grant.expires_at.as_deref().and_then(Instant::parse);
    let status = match (stored.revoked_at, ended) {
        (Some(_), _) => "revoked",
        (None, Some(end)) if end.timestamp() <= now => "expired",
        (None, _) => "active",
    };
    let streams: Vec<Value> = grant
        .streams
        .iter()
        .map(|stream| {
            let limit = stream.time_constraint.as_ref();
            let bounds = limit.and_then(|limit| limit.bounds(utc_day(now)).ok());
            let (since, until) = bounds.unwrap_or_default();
            let mut summary = json!({
                "name": stream.name,
                "field_count": stream.fields.len(),
                "since": since.map(|at| at.to_string()),
                "until": until.map(|at| at.to_string()),
            });
            if let (Some(limit), Some(members)) = (limit, summary.as_object_mut()) {
                let rules = [("since_rule", limit.since_rule), ("until_rule", limit.until_rule)];
                let rules = rules.into_iter().filter_map(|(name, rule)| Some((name, rule?)));
                members.extend(rules.map(|(name, rule)| (name.to_owned(), json!(rule))));
            }
            summary
        })
        .collect();
    Some(json!({
        "grant_id": grant.grant_id,
        "connection_id": stored.connection_id,
        "source": grant.source,
        "streams": streams,
        "expires_at": grant.expires_at,
        "status": status,
    }))
}
