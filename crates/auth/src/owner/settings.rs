//! What the owner can set. Names and values are a closed list; an unknown one in the store is old.

use jiff::tz::TimeZone;

use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::AuthError;

const TIME_ZONE: &str = "time_zone";
const REFRESH_REUSE: &str = "refresh_reuse";
const CLIENT_DOCUMENTS: &str = "client_documents";

/// What happens when an agent presents a refresh token again that was just replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RefreshReuse {
    /// The direct predecessor works for half a minute more: several programs may share one agent.
    #[default]
    Coalesce,
    /// The access ends.
    Strict,
}

/// The settings as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The owner's time zone by its IANA name; the machine's when absent.
    pub time_zone: Option<String>,
    /// See [`RefreshReuse`].
    pub refresh_reuse: RefreshReuse,
    /// Whether this server may fetch the documents in which agents describe themselves.
    pub client_documents_off: bool,
}

/// A setting that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    /// No such time zone.
    #[error("unknown time zone; enter a name such as Europe/Berlin")]
    TimeZone,
}

impl Auth {
    /// The settings. For the program itself: they hold nothing of a person.
    pub async fn settings(&self) -> Result<Settings, AuthError> {
        let mut settings = Settings::default();
        for (name, value) in self.store.settings().await? {
            match (name.as_str(), value.as_str()) {
                (TIME_ZONE, zone) if is_zone(zone) => settings.time_zone = Some(value),
                (REFRESH_REUSE, "strict") => settings.refresh_reuse = RefreshReuse::Strict,
                (CLIENT_DOCUMENTS, "off") => settings.client_documents_off = true,
                _ => {}
            }
        }
        Ok(settings)
    }

    /// Changes what differs, each with its audit event.
    pub async fn change_settings(
        &self,
        owner: &OwnerAccess,
        new: Settings,
    ) -> Result<Result<(), SettingsFault>, AuthError> {
        if new.time_zone.as_deref().is_some_and(|zone| !is_zone(zone)) {
            return Ok(Err(SettingsFault::TimeZone));
        }
        let old = self.settings().await?;
        for ((name, value), (_, before)) in written(&new).into_iter().zip(written(&old)) {
            if value != before {
                let event = self.owner_event(owner, "settings_change");
                self.store.set_setting(name, value, event).await?;
            }
        }
        Ok(Ok(()))
    }
}

fn written(settings: &Settings) -> [(&'static str, &str); 3] {
    let reuse = match settings.refresh_reuse {
        RefreshReuse::Coalesce => "coalesce",
        RefreshReuse::Strict => "strict",
    };
    [
        (TIME_ZONE, settings.time_zone.as_deref().unwrap_or_default()),
        (REFRESH_REUSE, reuse),
        (CLIENT_DOCUMENTS, if settings.client_documents_off { "off" } else { "on" }),
    ]
}

fn is_zone(name: &str) -> bool {
    TimeZone::get(name).is_ok()
}
