//! What is asked of a number: in a full run, and in a quick one, whose stores are a tenth as large.

/// The limits of a number.
#[derive(Debug, Clone, Copy)]
pub struct Bar {
    full: Limit,
    quick: Limit,
}

/// One limit.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Nothing; the number is only reported.
    None,
}

impl Bar {
    /// Nothing is asked.
    pub const NONE: Self = Self { full: Limit::None, quick: Limit::None };

    /// At most this, in any run.
    pub const fn at_most(most: f64) -> Self {
        Self { full: Limit::AtMost(most), quick: Limit::AtMost(most) }
    }

    /// At least this, in any run.
    pub const fn at_least(least: f64) -> Self {
        Self { full: Limit::AtLeast(least), quick: Limit::AtLeast(least) }
    }

    /// The same with another value in quick runs.
    pub const fn when_quick(self, value: f64) -> Self {
        let quick = match self.full {
            Limit::AtMost(_) => Limit::AtMost(value),
            Limit::AtLeast(_) => Limit::AtLeast(value),
            Limit::None => Limit::None,
        };
        Self { quick, ..self }
    }

    /// What is asked in a run of this kind.
    pub const fn limit(self, quick: bool) -> Limit {
        if quick { self.quick } else { self.full }
    }
}
