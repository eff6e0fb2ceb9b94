//! What callers take of their limits, as servers that share a store tell each other.

/// What one server let a caller take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Which limit.
    pub limit: &'static str,
    /// Whose bucket: a token's fingerprint, or an address.
    pub caller: String,
    /// How long the bucket takes to refill by as much; negative for what is given back.
    pub micros: i64,
}
