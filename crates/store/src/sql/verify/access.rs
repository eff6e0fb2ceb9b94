//! The full check of packages, grants and tokens: each can be read and leads to the others.

use super::backend::driver::Row;
use jiff::Timestamp;
use serde_json::Value;

use super::Check;
use super::backend::errors::from_driver;
use super::sql::access::grants::{every_package, load_package, optional_cell};
use crate::access::tokens::TokenHash;
use crate::error::StoreResult;

const LIST_TOKENS: &str = "
    SELECT t.token_hash, t.fingerprint, t.created_at, t.expires_at, t.revoked_at, t.last_used_at,
           t.kind = 'client' AND p.package_no IS NULL
      FROM tokens t LEFT JOIN packages p ON p.package_no = t.package_no
     ORDER BY t.fingerprint";
const LOST_GRANTS: &str = "
    SELECT count(*) FROM grants g LEFT JOIN packages p USING (package_no)
     WHERE p.package_no IS NULL";

impl Check<'_> {
    /// Reads every package, grant and token.
    pub(crate) fn access(&mut self) -> StoreResult<()> {
        for package_no in every_package(self.db)? {
            self.part(&format!("package {package_no}"), |check| check.package(package_no))?;
        }
        let lost: i64 =
            self.db.query_row(LOST_GRANTS, [], |row| row.get(0)).map_err(from_driver)?;
        if lost > 0 {
            self.fault(format!("{lost} grants without a package"));
        }
        let tokens: Vec<TokenRow> = self
            .db
            .prepare(LIST_TOKENS)
            .and_then(|mut list| list.query_map([], TokenRow::read)?.collect())
            .map_err(from_driver)?;
        for token in tokens.iter().filter(|token| !token.is_sound()) {
            self.fault(format!("token {} differs from what was issued", token.fingerprint));
        }
        Ok(())
    }

    fn package(&mut self, package_no: i64) -> StoreResult<()> {
        let package = load_package(self.db, package_no)?;
        for grant in &package.grants {
            let is_live = grant.revoked_at.is_none() && package.revoked_at.is_none();
            if !is_grant(&grant.grant_json, is_live) {
                self.fault(format!("grant {} cannot be read", grant.grant_id));
            }
        }
        Ok(())
    }
}

/// Whether a text can be a grant: an object that lists streams. An ended one may have lost them
/// with its connection.
fn is_grant(json: &str, is_live: bool) -> bool {
    let Ok(Value::Object(grant)) = serde_json::from_str(json) else {
        return false;
    };
    let streams = grant.get("streams").and_then(Value::as_array);
    !is_live || streams.is_some_and(|streams| !streams.is_empty())
}

struct TokenRow {
    hash: Vec<u8>,
    fingerprint: String,
    times: [Option<String>; 4],
    is_lost: bool,
}

impl TokenRow {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self {
            hash: row.get(0)?,
            fingerprint: row.get(1)?,
            times: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?],
            is_lost: row.get(6)?,
        })
    }

    /// Its name follows from its hash, its times can be read, and its package is there.
    fn is_sound(&self) -> bool {
        let hash = <[u8; 32]>::try_from(self.hash.as_slice());
        let name = hash.map(|hash| TokenHash::from_bytes(hash).fingerprint());
        let is_time = |text: &Option<String>| {
            optional_cell::<Timestamp>(text.as_deref(), "tokens", "created_at", 0).is_ok()
        };
        !self.is_lost
            && name.is_ok_and(|name| name.as_str() == self.fingerprint)
            && self.times.iter().all(is_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_lists_streams_as_long_as_it_is_live() {
        assert!(is_grant(r#"{"streams":[{"name":"a"}]}"#, true));
        for text in ["x", "[]", "{}", r#"{"streams":[]}"#] {
            assert!(!is_grant(text, true), "{text}");
        }
        assert!(is_grant("{}", false));
        assert!(!is_grant("x", false));
    }
}
