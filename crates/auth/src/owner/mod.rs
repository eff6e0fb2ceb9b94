//! The owner as a person: the first link, the password, browsers that are signed in, settings.

mod delay;
mod hashing;
mod known_browser;
mod login;
mod password;
mod retention;
mod session;
mod settings;
mod setup;
mod watching;

pub use login::{LoginRefused, Visitor};
pub use password::{PasswordFault, PasswordText};
pub use retention::{Pruned, PrunedBy, Retention, RetentionPeriod};
pub use session::{ProcessKey, Session, SessionKeys, SessionSecret};
pub use settings::{RefreshReuse, Settings, SettingsFault};
pub use setup::{SetupCode, SetupRefused};
