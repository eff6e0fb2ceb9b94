//! Fresh ids: a prefix and 128 random bits in lower-case hexadecimal.

use pdpp_contract::access::{GRANT_PREFIX, PACKAGE_PREFIX};
use pdpp_contract::ports::Entropy;
use pdpp_contract::{GrantId, InvalidName, PackageId};

/// A new package id, `pkg_…`.
pub(crate) fn package_id(entropy: &dyn Entropy) -> Result<PackageId, InvalidName> {
    PackageId::new(id(PACKAGE_PREFIX, entropy))
}

/// A new grant id, `grt_…`.
pub(crate) fn grant_id(entropy: &dyn Entropy) -> Result<GrantId, InvalidName> {
    GrantId::new(id(GRANT_PREFIX, entropy))
}

/// A prefix and 128 random bits.
pub(crate) fn id(prefix: &str, entropy: &dyn Entropy) -> String {
    let mut random = [0_u8; 16];
    entropy.fill(&mut random);
    format!("{prefix}{:032x}", u128::from_be_bytes(random))
}
