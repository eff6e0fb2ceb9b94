//! What the owner should look at: rejected items, refused calls, wrong passwords, access that ends.

use std::collections::{BTreeMap, HashMap};

use jiff::ToSpan;
use pdpp_auth::{OwnerAccess, PackageSummary, Standing};
use pdpp_contract::PackageId;
use pdpp_contract::access::{AuditActor, AuditEvent, StoredEvent};
use pdpp_engine::owned::OwnedConnection;

use crate::app::App;
use crate::pages::activity::is_alarming;
use crate::pages::address::escaped;
use crate::pages::fault::PageFault;
use crate::pages::names::account_label;
use crate::pages::plain::{self, counted};
use crate::pages::times::{Times, When};

/// Days before its end at which access is mentioned.
const ENDS_SOON_DAYS: i64 = 7;

/// One thing to look at, and where.
pub struct AttentionItem {
    pub words: String,
    pub at: Option<When>,
    /// The place inside of the session.
    pub place: String,
    pub link: &'static str,
}

/// What the list is made from.
pub struct AttentionView<'a> {
    pub owned: &'a [OwnedConnection],
    pub packages: &'a [PackageSummary],
    /// The events of the last day.
    pub recent: &'a [&'a StoredEvent],
    /// The names of agents that have access.
    pub called: &'a HashMap<PackageId, String>,
    pub times: &'a Times,
}

impl AttentionView<'_> {
    /// Everything to look at, in the order of importance.
    pub async fn items(
        &self,
        app: &App,
        owner: &OwnerAccess,
    ) -> Result<Vec<AttentionItem>, PageFault> {
        let mut items = Vec::new();
        items.extend(wrong_passwords(self.recent, self.times));
        items.extend(refused(self.recent, self.called));
        for account in self.owned {
            let rejected = app.services.engine.quarantined(owner, &account.id).await?;
            if rejected > 0 {
                let count = counted(rejected, "item was", "items were");
                items.push(AttentionItem {
                    words: format!("{count} rejected when importing {}.", account_label(account)),
                    at: None,
                    place: format!("/accounts/{}", account.id),
                    link: "Show the account",
                });
            }
        }
        items.extend(ending(self.packages, self.called, self.times));
        Ok(items)
    }
}

fn wrong_passwords(recent: &[&StoredEvent], times: &Times) -> Option<AttentionItem> {
    let failed = |one: &&&StoredEvent| one.event.operation.as_str() == AuditEvent::LOGIN_FAILED;
    let mut failed = recent.iter().filter(failed);
    let last = failed.next()?;
    let count = counted(1 + failed.count() as u64, "wrong password was", "wrong passwords were");
    Some(AttentionItem {
        words: format!("{count} entered in the last 24 hours, the last one"),
        at: Some(times.moment(last.event.at)),
        place: "/activity?since=1d".to_owned(),
        link: "Show activity",
    })
}

fn refused(recent: &[&StoredEvent], called: &HashMap<PackageId, String>) -> Vec<AttentionItem> {
    let mut counts: BTreeMap<&str, (u64, String)> = BTreeMap::new();
    for stored in recent.iter().filter(|one| is_alarming(&one.event)) {
        let AuditActor::Client(client) = &stored.event.actor else { continue };
        let name = stored.event.package_id.as_ref().and_then(|package| called.get(package));
        let name = name.cloned().unwrap_or_else(|| plain::line(client.as_str(), 80));
        counts.entry(client.as_str()).or_insert((0, name)).0 += 1;
    }
    let item = |(client, (count, name)): (&str, (u64, String))| AttentionItem {
        words: format!(
            "{} by {name} refused in the last 24 hours.",
            counted(count, "call", "calls")
        ),
        at: None,
        place: format!("/activity?agent={}", escaped(client)),
        link: "Show activity",
    };
    counts.into_iter().map(item).collect()
}

fn ending(
    packages: &[PackageSummary],
    called: &HashMap<PackageId, String>,
    times: &Times,
) -> Vec<AttentionItem> {
    let soon = times.now().checked_add((24 * ENDS_SOON_DAYS).hours()).unwrap_or(times.now());
    let live = packages.iter().filter(|one| one.standing == Standing::Live);
    let item = |package: &PackageSummary| {
        let end = package.expires_at.filter(|end| *end < soon)?;
        // Access that was given for less than that is not a surprise.
        let given = end.duration_since(package.created_at);
        if given.as_hours() <= 24 * ENDS_SOON_DAYS {
            return None;
        }
        Some(AttentionItem {
            words: format!("The access of {} ends", called.get(&package.package_id)?),
            at: Some(times.moment(end)),
            place: format!("/access/{}", package.package_id),
            link: "Show the access",
        })
    };
    live.filter_map(item).collect()
}
