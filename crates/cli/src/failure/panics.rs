//! A fault of the program itself: one plain sentence, and the exit code of anything else.

use std::panic::{self, Location, UnwindSafe};

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Runs the program. Where it stumbles over itself, people read a sentence instead of a stack, which
/// could hold their data; developers get the stack with `RUST_BACKTRACE`.
pub fn guarded(output: Output, wants_stack: bool, run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    if !wants_stack {
        panic::set_hook(Box::new(move |info| output.failure(&fault(info.location()))));
    }
    panic::catch_unwind(run).unwrap_or(Exit::Other)
}

fn fault(place: Option<&Location<'_>>) -> Failure {
    let place = place.map_or_else(String::new, |place| {
        format!(" ({} line {})", place.file().rsplit("crates/").next().unwrap_or("?"), place.line())
    });
    let message = format!(
        "internal error{place}; your data is safe, please report this with the command you \
         ran"
    );
    Failure::new(Exit::Other, "internal_fault", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_sentence_with_its_place_and_no_content() {
        let failure = fault(Some(Location::caller()));
        assert!(failure.message.contains("cli/src/failure/panics.rs line "), "{}", failure.message);
        assert_eq!((failure.exit, failure.message.lines().count()), (Exit::Other, 1));
    }

    #[test]
    fn a_run_that_stumbles_ends_with_1() {
        let output = || Output::new(true, true);
        // The hook belongs to the whole process, so the tests' own stays.
        let exit = guarded(output(), true, || panic!("a person's data"));
        assert_eq!(exit, Exit::Other);
        assert_eq!(guarded(output(), true, || Exit::Done), Exit::Done);
    }
}
