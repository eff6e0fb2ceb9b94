//! Answers that are made and not yet taken: they fill memory for as long as their callers like, so they
//! are counted in bytes, for each package and together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdpp_contract::PackageId;

/// What one package may leave lying before its next call is refused.
const EACH: usize = 32 * 1024 * 1024;
/// What all may leave together: from there on only those get answers that have taken theirs.
const TOGETHER: usize = 64 * 1024 * 1024;

/// The bytes of answers that are not taken yet. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Unsent(Arc<Mutex<Bytes>>);

#[derive(Debug, Default)]
struct Bytes {
    together: usize,
    each: HashMap<PackageId, usize>,
}

impl Unsent {
    /// Whether a package should take its answers before it asks for more.
    pub fn is_too_much(&self, package: &PackageId) -> bool {
        let bytes = self.bytes();
        let own = bytes.each.get(package).copied().unwrap_or(0);
        own >= EACH || (own > 0 && bytes.together >= TOGETHER)
    }

    /// Counts an answer until it is dropped.
    pub fn hold(&self, package: &PackageId, size: usize) -> Held {
        let mut bytes = self.bytes();
        bytes.together += size;
        *bytes.each.entry(package.clone()).or_default() += size;
        drop(bytes);
        Held { unsent: self.clone(), package: package.clone(), size }
    }

    fn bytes(&self) -> MutexGuard<'_, Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One answer that is not taken yet.
pub struct Held {
    unsent: Unsent,
    package: PackageId,
    size: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut bytes = self.unsent.bytes();
        bytes.together = bytes.together.saturating_sub(self.size);
        if let Some(own) = bytes.each.get_mut(&self.package) {
            *own = own.saturating_sub(self.size);
            if *own == 0 {
                bytes.each.remove(&self.package);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_takes_nothing_is_stopped_and_others_are_not() {
        let unsent = Unsent::default();
        let package = |name: &str| PackageId::new(name).unwrap();
        let (one, two, three) = (package("pkg_1"), package("pkg_2"), package("pkg_3"));
        let first = unsent.hold(&one, EACH);
        assert!(unsent.is_too_much(&one) && !unsent.is_too_much(&two));
        let _small = unsent.hold(&two, 1);
        assert!(!unsent.is_too_much(&two));
        let _second = unsent.hold(&three, TOGETHER - EACH - 1);
        assert!(unsent.is_too_much(&two), "there is too much together");
        assert!(!unsent.is_too_much(&package("pkg_4")), "who left nothing may ask");
        drop(first);
        assert!(!unsent.is_too_much(&one) && !unsent.is_too_much(&two));
    }
}
