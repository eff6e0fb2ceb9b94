//! The wall clock: the one place where the program reads the time.

use jiff::Timestamp;
use pdpp_contract::ports::Clock;

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place where time enters the program"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
