//! Numbers from a seed: the same on every machine and in every run.

/// The seed of all sample data. Another one makes other stores.
pub const SEED: u64 = 0x7064_7070_2026;

/// A small generator (`SplitMix64`). Neighbouring seeds give unrelated numbers, so that every record
/// can have its own.
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of one thing.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// A number below `bound`; zero when there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// True in about `percent` of all cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A number that looks unrelated to the one it is made from, and is different for each.
pub fn mixed(number: u64) -> u64 {
    let first = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    second ^ (second >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_every_time() {
        let some = |seed| {
            let mut numbers = Numbers::of(seed);
            [numbers.next(), numbers.next(), numbers.below(10)]
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        assert!(Numbers::of(3).below(7) < 7);
        assert_eq!(Numbers::of(3).below(0), 0);
    }
}
