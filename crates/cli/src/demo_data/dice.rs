//! A tiny fixed-seed generator, so that filler texts vary and every run is the same.

/// Throws that depend on the seed alone.
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for one seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `sides`; zero when there are no sides.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let sides = u64::try_from(sides).unwrap_or(1).max(1);
        usize::try_from((self.0 >> 11) % sides).unwrap_or(0)
    }

    /// One of the given texts; empty when there are none.
    pub fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        let at = self.roll(texts.len());
        texts.get(at).copied().unwrap_or_default()
    }
}
