//! Issuing a package: specs become closed grants, and one token opens them.

use jiff::Timestamp;
use pdpp_contract::access::{AuditEvent, TokenKind};
use pdpp_contract::grant::{DeclarationVersion, GRANT_VERSION, GrantClient, Subject};
use pdpp_contract::{Grant, SourceDeclaration};
use pdpp_store::connections::Connection;
use pdpp_store::grants::{NewGrant, NewPackage};
use pdpp_store::tokens::NewToken;

use super::{IssuedPackage, PackageRequest};
use crate::access::OwnerAccess;
use crate::allow::{AllowSpec, SpecFault, connection_text};
use crate::error::{AuthError, InternalFault};
use crate::lifetime::Lifetime;
use crate::resolve::{AddedKeyField, Resolved, resolve};
use crate::token::AccessToken;
use crate::{Auth, mint};

/// The one person a store belongs to.
const SUBJECT: &str = "owner";
/// What a grant is for when the owner issues it without being asked for a purpose.
const PURPOSE: &str = "https://pdpp.dev/purpose/owner_directed";

/// A connection with everything that was asked of it.
pub(crate) struct Asked<'a> {
    pub(crate) connection: Connection,
    pub(crate) declaration: SourceDeclaration,
    pub(crate) specs: Vec<&'a AllowSpec>,
}

/// A package that is ready to be kept, without a token.
pub(crate) struct Composed {
    pub(crate) package: NewPackage,
    issued: Vec<Grant>,
    added_key_fields: Vec<AddedKeyField>,
    expires_at: Timestamp,
}

/// What a grant of a source is for, when somebody said so.
pub(crate) type Purpose<'a> = dyn Fn(&str) -> Option<String> + Send + Sync + 'a;

/// A package that is resolved and not yet issued.
pub(super) struct Draft {
    pub(super) grants: Vec<NewGrant>,
    pub(super) added_key_fields: Vec<AddedKeyField>,
    pub(super) expires_at: Timestamp,
}

impl Auth {
    /// Issues a package of one grant for each connection, and the token that opens it.
    ///
    /// Everything is resolved against what the connections declare now; nothing declared later
    /// widens it. On refusal nothing was issued.
    pub async fn issue_package(
        &self,
        owner: &OwnerAccess,
        request: PackageRequest,
    ) -> Result<IssuedPackage, AuthError> {
        let now = self.clock.now();
        let composed = self.compose(&request, &|_| None, now).await?;
        let Composed { mut package, issued, added_key_fields, expires_at } = composed;
        let access_token = AccessToken::mint(TokenKind::Client, &*self.entropy);
        let mut event = AuditEvent::by_owner(now, "grant_create");
        event.package_id = Some(package.package_id.clone());
        event.token_fingerprint = owner.fingerprint().cloned();
        event.connection_ids =
            package.grants.iter().map(|grant| grant.connection_id.clone()).collect();
        let package_id = package.package_id.clone();
        package.token = Some(NewToken {
            hash: access_token.hash(),
            label: None,
            created_at: now,
            expires_at: Some(expires_at),
        });
        self.store.issue_package(package, event).await?;
        Ok(IssuedPackage { package_id, grants: issued, access_token, added_key_fields, expires_at })
    }

    /// Makes a package of what is asked for, ready to be kept.
    pub(crate) async fn compose(
        &self,
        request: &PackageRequest,
        purpose: &Purpose<'_>,
        now: Timestamp,
    ) -> Result<Composed, AuthError> {
        let draft = self.draft(request, purpose, now).await?;
        let Draft { grants, added_key_fields, expires_at } = draft;
        let package_id = mint::package_id(&*self.entropy).map_err(|_| AuthError::rule("bad id"))?;
        let issued =
            grants.iter().map(|grant| read(&grant.grant_json)).collect::<Result<_, _>>()?;
        let package = NewPackage {
            package_id,
            client: request.client.clone(),
            access_mode: request.access_mode,
            created_at: now,
            expires_at: Some(expires_at),
            grants,
            token: None,
        };
        Ok(Composed { package, issued, added_key_fields, expires_at })
    }

    /// Resolves everything that is asked for; keeps nothing.
    pub(super) async fn draft(
        &self,
        request: &PackageRequest,
        purpose: &Purpose<'_>,
        now: Timestamp,
    ) -> Result<Draft, AuthError> {
        let lifetime = request.expires_in.unwrap_or(Lifetime::of_package(request.access_mode));
        let expires_at = lifetime.end(now).ok_or(AuthError::NoSuchEnd)?;
        let mut draft = Draft { grants: Vec::new(), added_key_fields: Vec::new(), expires_at };
        for asked in self.asked(&request.allow).await? {
            let resolved = resolve(&asked.connection.id, &asked.declaration, &asked.specs)?;
            draft.added_key_fields.extend(resolved.added.iter().cloned());
            let purpose = purpose(asked.declaration.source.id.as_str());
            let purpose = purpose.unwrap_or_else(|| PURPOSE.to_owned());
            draft.grants.push(self.grant(request, asked, resolved, (purpose, now, expires_at))?);
        }
        Ok(draft)
    }

    /// The specs by connection, in the order the connections are first named.
    pub(crate) async fn asked<'a>(
        &self,
        specs: &'a [AllowSpec],
    ) -> Result<Vec<Asked<'a>>, AuthError> {
        if specs.is_empty() {
            let reason = "nothing is allowed; name at least one connection".to_owned();
            return Err(SpecFault { spec: String::new(), position: None, reason }.into());
        }
        let mut all: Vec<Asked<'a>> = Vec::new();
        for spec in specs {
            let found = self.store.find_connection(&spec.connection).await?;
            let name = || connection_text(&spec.connection).to_owned();
            let connection = found.ok_or_else(|| AuthError::UnknownConnection { name: name() })?;
            let same = |asked: &&mut Asked<'_>| asked.connection.id == connection.id;
            if let Some(asked) = all.iter_mut().find(same) {
                asked.specs.push(spec);
                continue;
            }
            let declaration = self.declaration(&connection).await?;
            all.push(Asked { connection, declaration, specs: vec![spec] });
        }
        Ok(all)
    }

    async fn declaration(&self, connection: &Connection) -> Result<SourceDeclaration, AuthError> {
        let text = self.store.declaration(connection.declaration).await?;
        text.and_then(|text| SourceDeclaration::parse(&text).ok())
            .ok_or_else(|| InternalFault::Declaration(connection.id.clone()))
            .map_err(AuthError::Internal)
    }

    fn grant(
        &self,
        request: &PackageRequest,
        asked: Asked<'_>,
        resolved: Resolved,
        (purpose_code, now, expires_at): (String, Timestamp, Timestamp),
    ) -> Result<NewGrant, AuthError> {
        let grant_id = mint::grant_id(&*self.entropy).map_err(|_| AuthError::rule("bad id"))?;
        let grant = Grant {
            version: GRANT_VERSION.to_owned(),
            grant_id: grant_id.clone(),
            issued_at: now.to_string(),
            subject: Subject { id: SUBJECT.to_owned() },
            client: GrantClient { client_id: request.client.to_string() },
            source: asked.declaration.source,
            source_declaration: DeclarationVersion {
                version: asked.declaration.declaration_version,
            },
            purpose_code,
            access_mode: request.access_mode,
            expires_at: Some(expires_at.to_string()),
            leave_out_codes: request.leave_out_codes,
            leave_out_secrets: request.leave_out_secrets,
            streams: resolved.streams,
        };
        grant.check().map_err(|_| AuthError::rule("a resolved grant is not closed"))?;
        let grant_json = serde_json::to_string(&grant)
            .map_err(|_| AuthError::rule("a grant cannot be written"))?;
        Ok(NewGrant { grant_id, connection_id: asked.connection.id, grant_json })
    }
}

/// The grant as the store will return it, so that the owner is shown what will be enforced.
pub(super) fn read(grant_json: &str) -> Result<Grant, AuthError> {
    serde_json::from_str(grant_json).map_err(|_| AuthError::rule("a grant cannot be read back"))
}
