//! One access as both pages show it.

use pdpp_auth::oauth::Verified;
use pdpp_auth::{ActiveHour, PackageSummary, Standing};
use pdpp_contract::AccessMode;

use crate::app::App;
use crate::pages::bars::Bars;
use crate::pages::fault::PageFault;
use crate::pages::grant_text::{Clause, clause};
use crate::pages::names::DisplayNames;
use crate::pages::plain;
use crate::pages::times::{Times, When};

/// One agent's access.
#[derive(Debug)]
pub struct AccessRow {
    pub package_id: String,
    /// The name in the log and on the command line.
    pub handle: String,
    pub agent: String,
    /// How sure its name is.
    pub known_as: Option<String>,
    pub clauses: Vec<Clause>,
    pub is_live: bool,
    pub once: bool,
    pub since: When,
    pub until: Option<When>,
    /// When it ended, for one that is over.
    pub ended: Option<When>,
    pub last_read: Option<When>,
    pub bars: Bars,
    pub bars_words: String,
    /// For ordering: the last use, else the beginning.
    pub last_activity: jiff::Timestamp,
}

impl AccessRow {
    /// Calls an agent that signed in by what it calls itself, and says how sure that is.
    pub async fn introduce(&mut self, app: &App) -> Result<(), PageFault> {
        let Ok(handle) = self.handle.parse() else { return Ok(()) };
        if let Some(client) = app.services.auth.oauth_client(&handle).await? {
            self.agent = plain::line(&client.name, 80);
            self.known_as = Some(match client.verified {
                Verified::Published { host } => format!("verified by {}", plain::line(&host, 253)),
                Verified::SelfRegistered => "not verified".to_owned(),
                Verified::ByOwner => "added by you".to_owned(),
            });
        }
        Ok(())
    }

    /// Whether keys, tokens and passwords stay hidden everywhere.
    pub fn leaves_out_secrets(&self) -> bool {
        !self.clauses.is_empty() && self.clauses.iter().all(|clause| clause.without_secrets)
    }

    /// Whether one-time codes and sign-in links stay hidden everywhere.
    pub fn leaves_out_codes(&self) -> bool {
        !self.clauses.is_empty() && self.clauses.iter().all(|clause| clause.without_codes)
    }

    pub fn of(
        package: &PackageSummary,
        hours: &[ActiveHour],
        names: &DisplayNames,
        times: &Times,
    ) -> Self {
        let own = || hours.iter().filter(|hour| hour.package_id == package.package_id);
        // A token is also shown to see whether it still works; only older uses must have been reads.
        let used_before = package.last_used_at.filter(|used| *used < Bars::since(times));
        let last_read = own().map(|hour| hour.last_at).max().or(used_before);
        let live = package
            .grants
            .iter()
            .filter(|grant| package.standing != Standing::Live || grant.standing == Standing::Live);
        let grants = live.filter_map(|grant| grant.grant.as_ref());
        let bars = Bars::of(own(), times);
        let ended = match package.standing {
            Standing::Live => None,
            Standing::Expired => package.expires_at,
            Standing::Revoked => package.revoked_at,
        };
        Self {
            package_id: package.package_id.to_string(),
            handle: package.client.to_string(),
            agent: plain::line(package.client.as_str(), 80),
            known_as: None,
            clauses: grants.map(|grant| clause(grant, names, times)).collect(),
            is_live: package.standing == Standing::Live,
            once: package.access_mode == AccessMode::SingleUse,
            since: times.day(package.created_at),
            until: package.expires_at.map(|end| times.moment(end)),
            ended: ended.map(|end| times.moment(end)),
            last_read: last_read.map(|at| times.moment(at)),
            bars_words: bars.words(),
            bars,
            last_activity: last_read.unwrap_or(package.created_at),
        }
    }
}
