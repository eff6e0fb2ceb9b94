//! A word that is no command: the answer names those that are.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};

use crate::cli::Cli;

/// Puts the known names beside the one that is not known, such as the commands of `pdpp account`.
pub fn name_known(refusal: &mut clap::Error, arguments: &[OsString]) {
    if refusal.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let Some(ContextValue::String(unknown)) = refusal.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let root = Cli::command();
    let before = arguments.iter().take_while(|word| *word != unknown.as_str());
    let above = before.fold(&root, |at, word| at.find_subcommand(word).unwrap_or(at));
    let shown = above.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = shown.map(Command::get_name).collect();
    let known = format!("available: {}", names.join(", "));
    refusal.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![known.into()]));
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn said(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let mut refusal = Cli::try_parse_from(&arguments).unwrap_err();
        name_known(&mut refusal, &arguments);
        refusal.render().to_string()
    }

    #[test]
    fn an_unknown_command_is_told_every_command_beside_it() {
        let words = said("pdpp account nosuch");
        assert!(words.contains("available: add, list, status, sync, "), "{words}");
    }

    #[test]
    fn a_word_of_another_command_leads_nowhere_else() {
        let words = said("pdpp --data-dir /data grant nosuch");
        assert!(words.contains("available: create, "), "{words}");
        assert!(!said("pdpp import mbox").contains("available"));
    }
}
