//! Randomness: the one place where the program asks the operating system for it.

use pdpp_contract::ports::Entropy;
use rand::TryRng;
use rand::rngs::SysRng;

/// The operating system's source.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(
        clippy::expect_used,
        reason = "without randomness there are no keys and no tokens; stopping is the safe answer"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        SysRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
    }
}
