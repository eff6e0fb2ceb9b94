//! Which record, as its page's address says it.

use pdpp_contract::key::RecordId;
use pdpp_contract::{ConnectionId, StreamName};

use crate::pages::address;
use crate::pages::fault::PageFault;
use crate::params::Params;

/// One record of one account.
#[derive(Debug, Clone)]
pub struct RecordAddress {
    pub account: ConnectionId,
    pub stream: StreamName,
    pub id: RecordId,
}

impl RecordAddress {
    /// Takes the record's three parts. What names nothing is not there.
    pub fn take(params: &mut Params) -> Result<Self, PageFault> {
        let mut take = |name| {
            let value = params.take(name).map_err(|_| PageFault::BadForm)?;
            value.ok_or(PageFault::Missing)
        };
        Ok(Self {
            account: take("account")?.parse().map_err(|_| PageFault::Missing)?,
            stream: take("stream")?.parse().map_err(|_| PageFault::Missing)?,
            id: RecordId::new(take("id")?).map_err(|_| PageFault::Missing)?,
        })
    }

    /// The query of the record's page.
    pub fn query(&self) -> String {
        address::record(self.account.as_str(), self.stream.as_str(), self.id.as_str())
    }
}
