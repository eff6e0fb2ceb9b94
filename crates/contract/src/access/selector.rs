//! What somebody who names a grant may mean: a package, a grant, or everything of an agent.

use crate::{ClientName, GrantId, InvalidName, PackageId};

/// How ids of packages begin.
pub const PACKAGE_PREFIX: &str = "pkg_";
/// How ids of grants begin.
pub const GRANT_PREFIX: &str = "grt_";
/// How many hexadecimal digits follow the prefix.
const ID_DIGITS: usize = 32;

/// Names grants: all of a package, one, or all of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantSelector {
    /// The package with this id.
    Package(PackageId),
    /// The grant with this id.
    Grant(GrantId),
    /// Everything issued to this agent.
    Client(ClientName),
}

impl std::str::FromStr for GrantSelector {
    type Err = InvalidName;

    /// What has the exact shape of one of our ids is that id; any other text is an agent's name.
    fn from_str(text: &str) -> Result<Self, InvalidName> {
        if is_id(text, PACKAGE_PREFIX) {
            return PackageId::new(text).map(Self::Package);
        }
        if is_id(text, GRANT_PREFIX) {
            return GrantId::new(text).map(Self::Grant);
        }
        ClientName::new(text).map(Self::Client)
    }
}

impl std::fmt::Display for GrantSelector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Package(id) => id.fmt(f),
            Self::Grant(id) => id.fmt(f),
            Self::Client(name) => name.fmt(f),
        }
    }
}

fn is_id(text: &str, prefix: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix(prefix)
        .is_some_and(|digits| digits.len() == ID_DIGITS && digits.bytes().all(is_digit))
}

/// What a revocation ended: only what was not ended before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revocation {
    /// Packages that ended, in the order they were issued.
    pub packages: Vec<PackageId>,
    /// Grants that ended, in the order they were issued.
    pub grants: Vec<GrantId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_shape_of_an_id_is_an_id() {
        let digits = "0123456789abcdef".repeat(2);
        let package: GrantSelector = format!("pkg_{digits}").parse().unwrap();
        assert!(matches!(package, GrantSelector::Package(_)));
        let grant: GrantSelector = format!("grt_{digits}").parse().unwrap();
        assert!(matches!(grant, GrantSelector::Grant(_)));
        for name in ["claude", "pkg_tracker", "grt_", &digits] {
            let client: GrantSelector = name.parse().unwrap();
            assert!(matches!(client, GrantSelector::Client(_)), "{name}");
            assert_eq!(client.to_string(), *name);
        }
        assert!("".parse::<GrantSelector>().is_err());
    }
}
