//! An owner's credential in the environment: every agent that is started from here would get it.

use super::{DoctorContext, Findings};
use crate::agents::owner_variables;

const CHECK: &str = "environment";

pub fn check(context: &DoctorContext, findings: &mut Findings) {
    let mut found = owner_variables(context.variables.iter().cloned()).peekable();
    if found.peek().is_none() {
        findings.good(CHECK, "no owner credential in the environment");
    }
    for name in found {
        findings.fault(
            CHECK,
            format!("the environment variable {name} holds an owner credential"),
            format!(
                "unset {name} and remove it from your shell's startup files; agents use a grant"
            ),
        );
    }
}
