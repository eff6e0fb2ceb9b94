//! Which part of the log is asked for. What cannot be meant is left out, not refused: it is only a
//! view.

use jiff::ToSpan;
use pdpp_contract::access::AuditQuery;

use crate::pages::address::escaped;
use crate::pages::fault::PageFault;
use crate::pages::times::Times;
use crate::params::Params;

/// The choices of the filter, as they stand in the address.
#[derive(Debug, Clone, Default)]
pub struct ActivityFilter {
    pub agent: String,
    pub account: String,
    pub since: String,
    before: Option<u64>,
}

impl ActivityFilter {
    /// Reads the address.
    pub fn parse(query: Option<&str>) -> Result<Self, PageFault> {
        let mut params = Params::parse(query).map_err(|_| PageFault::BadForm)?;
        let mut take = |name| {
            let value = params.take(name).map_err(|_| PageFault::BadForm)?;
            Ok::<_, PageFault>(value.unwrap_or_default())
        };
        Ok(Self {
            agent: take("agent")?,
            account: take("account")?,
            since: take("since")?,
            before: take("before")?.parse().ok(),
        })
    }

    /// The question to the log.
    pub fn query(&self, times: &Times, limit: u32) -> AuditQuery {
        let days = match self.since.as_str() {
            "1d" => Some(0),
            "7d" => Some(6),
            "30d" => Some(29),
            _ => None,
        };
        let first = days.and_then(|days: i64| times.today().checked_sub(days.days()).ok());
        AuditQuery {
            client: self.agent.parse().ok(),
            connection_id: self.account.parse().ok(),
            since: first.and_then(|day| times.start_of(day)),
            before: self.before,
            limit,
            ..AuditQuery::default()
        }
    }

    /// The same choices as a query string, for the next page and for the file.
    pub fn address(&self, before: Option<u64>) -> String {
        let mut parts = Vec::new();
        for (name, value) in
            [("agent", &self.agent), ("account", &self.account), ("since", &self.since)]
        {
            if !value.is_empty() {
                parts.push(format!("{name}={}", escaped(value)));
            }
        }
        parts.extend(before.map(|before| format!("before={before}")));
        parts.join("&")
    }
}
