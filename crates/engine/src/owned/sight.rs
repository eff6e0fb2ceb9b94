//! Which agents can see a record, and why or why not.
//!
//! Nothing is worked out beside the enforcement: every verdict is a read through the agent's own
//! scope, and every reason such a read with the other limits lifted.

use pdpp_auth::{LivePackage, OwnerAccess};
use pdpp_contract::handles::RecordRef;
use pdpp_contract::{ApiError, ClientName, FieldName, PackageId};
use pdpp_store::{CollectionScope, ReadScope, TimeBounds};

use crate::Engine;
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{GrantedStream, Narrow, resolve};

/// What one package shows of a record.
#[derive(Debug, Clone)]
pub struct RecordSight {
    /// The agent.
    pub client: ClientName,
    /// The package whose token it reads with.
    pub package_id: PackageId,
    /// The verdict.
    pub verdict: SightVerdict,
}

/// Whether a package shows a record.
#[derive(Debug, Clone)]
pub enum SightVerdict {
    /// It does, with these fields, in the declaration's order.
    Visible {
        /// The fields that it shows.
        fields: Vec<FieldName>,
        /// The declared fields that it does not.
        hidden: Vec<FieldName>,
    },
    /// It does not, for each of these reasons.
    Hidden(Vec<HiddenBecause>),
}

/// Why a package does not show a record. Each reason would do alone.
#[derive(Debug, Clone)]
pub enum HiddenBecause {
    /// Nothing of the account is granted.
    Account,
    /// The account's stream is not granted.
    Stream,
    /// The record lies outside the time limit, or has no time.
    Time(TimeBounds),
    /// The grant names other records.
    OtherRecords,
    /// It carries a one-time code or sign-in link, or belongs to what does.
    Code,
    /// It carries a key, token or password, or belongs to what does.
    Secret,
}

/// What a record carries that grants leave out unless they show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sensitivity {
    /// One-time codes, password resets or sign-in links.
    pub codes: bool,
    /// Keys, tokens or passwords.
    pub secrets: bool,
}

impl Engine {
    /// What each package shows of a record, in their order. The record must be there.
    pub async fn record_sights(
        &self,
        _: &OwnerAccess,
        record: &RecordRef,
        packages: &[LivePackage],
    ) -> Result<Vec<RecordSight>, ApiError> {
        let mut sights = Vec::with_capacity(packages.len());
        for package in packages {
            let reader = self.reader(&package.access);
            sights.push(RecordSight {
                client: package.client.clone(),
                package_id: package.package_id.clone(),
                verdict: reader.verdict(record).await?,
            });
        }
        Ok(sights)
    }

    /// What a record carries that grants leave out unless they show it.
    pub async fn record_sensitivity(
        &self,
        owner: &OwnerAccess,
        record: &RecordRef,
    ) -> Result<Sensitivity, ApiError> {
        self.shared.check_classified().await?;
        let reader = self.owner_reader(owner.clone()).await?;
        let narrow = narrow(record);
        let granted_streams = resolve(&self.shared, &reader.authority, narrow).await?;
        let Some(granted) = granted_streams.into_iter().next() else {
            return Ok(Sensitivity::default());
        };
        let without_codes = CollectionScope { leave_out_codes: true, ..granted.scope.clone() };
        let without_secrets = CollectionScope { leave_out_secrets: true, ..granted.scope };
        Ok(Sensitivity {
            codes: !reader.shows(record, without_codes).await?,
            secrets: !reader.shows(record, without_secrets).await?,
        })
    }
}

impl GrantedReader {
    async fn verdict(&self, record: &RecordRef) -> Result<SightVerdict, ApiError> {
        let of_account = |grant: &&crate::view::EffectiveGrant| {
            grant.connection == record.connection_id && !grant.streams.is_empty()
        };
        let Some(grant) = self.authority.grants.iter().find(of_account) else {
            return Ok(SightVerdict::Hidden(vec![HiddenBecause::Account]));
        };
        if grant.streams.iter().all(|stream| stream.name != record.stream) {
            return Ok(SightVerdict::Hidden(vec![HiddenBecause::Stream]));
        }
        // A granted stream that its source no longer declares is refused like one that never was.
        let Ok(granted_streams) = resolve(&self.shared, &self.authority, narrow(record)).await
        else {
            return Ok(SightVerdict::Hidden(vec![HiddenBecause::Stream]));
        };
        let mut reasons = Vec::new();
        for granted in &granted_streams {
            if self.shows(record, granted.scope.clone()).await? {
                return Ok(visible(granted));
            }
            reasons.extend(self.reasons(record, &granted.scope).await?);
        }
        Ok(SightVerdict::Hidden(reasons))
    }

    /// Every limit of the scope that would hide the record by itself.
    async fn reasons(
        &self,
        record: &RecordRef,
        scope: &CollectionScope,
    ) -> Result<Vec<HiddenBecause>, ApiError> {
        let bare = CollectionScope {
            time: None,
            records: None,
            leave_out_codes: false,
            leave_out_secrets: false,
            ..scope.clone()
        };
        let mut single = Vec::new();
        if let Some(time) = &scope.time {
            let limited = CollectionScope { time: Some(time.clone()), ..bare.clone() };
            single.push((HiddenBecause::Time(time.clone()), limited));
        }
        if scope.records.is_some() {
            let limited = CollectionScope { records: scope.records.clone(), ..bare.clone() };
            single.push((HiddenBecause::OtherRecords, limited));
        }
        if scope.leave_out_codes {
            let limited = CollectionScope { leave_out_codes: true, ..bare.clone() };
            single.push((HiddenBecause::Code, limited));
        }
        if scope.leave_out_secrets {
            let limited = CollectionScope { leave_out_secrets: true, ..bare };
            single.push((HiddenBecause::Secret, limited));
        }
        let mut reasons = Vec::new();
        for (reason, limited) in single {
            if !self.shows(record, limited).await? {
                reasons.push(reason);
            }
        }
        Ok(reasons)
    }

    /// Whether a scope of one stream holds the record.
    async fn shows(&self, record: &RecordRef, scope: CollectionScope) -> Result<bool, ApiError> {
        let scope = ReadScope::new(vec![scope]);
        let found = self.shared.store.find_records(&scope, &record.record_id, 0).await;
        Ok(!found.map_err(from_store)?.is_empty())
    }
}

fn narrow(record: &RecordRef) -> Narrow<'_> {
    Narrow { stream: Some(&record.stream), connection: Some(&record.connection_id) }
}

fn visible(granted: &GrantedStream) -> SightVerdict {
    let declared = granted.stream.field_names().into_iter();
    let (fields, hidden) = declared.partition(|field| granted.scope.fields.contains(field));
    SightVerdict::Visible { fields, hidden }
}
