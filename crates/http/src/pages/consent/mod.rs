//! The consent page: who asks, what the owner chooses, what that shows and hides, yes or no.
//!
//! One form holds the choices and the decision. A decision that comes with other choices than the
//! ones that were shown is not made: the page is shown again, with the new choices.

mod decide;
mod draft_form;
mod existing_access;
mod picker;
mod requester;
mod sample_rows;
mod samples;
mod script;
mod show;

pub use decide::{decision, draft};
pub use script::script;
pub use show::show;
