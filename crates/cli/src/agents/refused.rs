//! Credentials that an agent's program must not even be started with: the owner's and the server's.
//!
//! They are looked for in the environment, by name and by value, on the command line and in the
//! credential that is about to be used, before anything else is looked at.

use std::ffi::OsString;

use pdpp_contract::credentials::holds_owner_credential;
use serde_json::Value;

use crate::failure::{Exit, Failure};

/// Variables that hold an owner's credential whatever it looks like.
const OWNER_VARIABLES: [&str; 5] = [
    "PDPP_OWNER_TOKEN",
    "PDPP_OWNER_SESSION_COOKIE",
    "PDPP_CONTROL_TOKEN",
    "PDPP_ADMIN_TOKEN",
    "PDPP_OWNER_PASSWORD",
];
/// Commands that an agent's client starts.
const AGENT_COMMANDS: [&str; 3] = ["mcp", "setup", "connect"];
/// Options of every command that take a value, which is no command.
const WITH_VALUE: [&str; 3] = ["--data-dir", "--database-url", "--database-url-file"];
/// Members of a credential file by which programs say what kind of token it holds.
const LABELS: [&str; 4] = ["pdpp_token_kind", "token_kind", "kind", "role"];

/// Refuses to start an agent's command with an owner's credential around it.
pub fn check_start(
    arguments: &[OsString],
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<(), Failure> {
    if !command_of(arguments).is_some_and(|command| AGENT_COMMANDS.contains(&command.as_str())) {
        return Ok(());
    }
    if let Some(name) = owner_variables(variables).next() {
        return Err(refused(&format!("the environment variable {name}")));
    }
    if arguments.iter().any(|argument| holds_owner_credential(&argument.to_string_lossy())) {
        return Err(refused("the command line"));
    }
    Ok(())
}

/// The names of variables that hold an owner's credential.
pub fn owner_variables(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = String> {
    variables.filter_map(|(name, value)| {
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        let by_name = OWNER_VARIABLES.contains(&&*name) && !value.is_empty();
        let found = by_name || holds_owner_credential(&value);
        found.then(|| name.replace(char::is_control, "?"))
    })
}

/// The command on a command line: its first word that is neither an option nor an option's value.
fn command_of(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&&*word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word.into_owned());
        }
    }
    None
}

/// Refuses a text that an agent's program is given, if it holds an owner's credential.
pub fn check_text(text: &str, place: &str) -> Result<(), Failure> {
    if holds_owner_credential(text) { Err(refused(place)) } else { Ok(()) }
}

/// Refuses a kept credential that is the owner's, by its label or by its token.
pub fn refuse_owner_credential(document: &Value, place: &str) -> Result<(), Failure> {
    if is_owner(document) || document.get("credential").is_some_and(is_owner) {
        return Err(refused(place));
    }
    if holds_owner_credential(&document.to_string()) {
        return Err(refused(place));
    }
    Ok(())
}

fn is_owner(document: &Value) -> bool {
    LABELS.iter().any(|label| {
        let kind = document.get(label).and_then(Value::as_str).unwrap_or_default();
        ["owner", "ctl", "control", "admin"].iter().any(|owner| kind.eq_ignore_ascii_case(owner))
    })
}

fn refused(place: &str) -> Failure {
    let message = format!("{place} holds an owner credential, which agents must not have");
    Failure::new(Exit::Refused, "owner_credential_refused", message)
        .with_advice("remove it and use a grant: pdpp grant create")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn owner_token() -> String {
        format!("pdpp_owner_{}", "a1B".repeat(17).get(..49).unwrap())
    }

    fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), Failure> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
        check_start(&arguments, variables)
    }

    #[test]
    fn an_owner_s_credential_stops_an_agent_s_command_and_is_not_repeated() {
        let token = owner_token();
        let bearer = format!("Bearer {token}");
        for (arguments, variables) in [
            (vec!["pdpp", "mcp"], vec![("PDPP_OWNER_TOKEN", "anything")]),
            (vec!["pdpp", "mcp"], vec![("HARMLESS", bearer.as_str())]),
            (vec!["pdpp", "--data-dir", "x", "connect", &token], vec![]),
            (vec!["pdpp", "mcp", "--nonsense", &token], vec![]),
        ] {
            let failure = start(&arguments, &variables).unwrap_err();
            assert_eq!((failure.exit, failure.code), (Exit::Refused, "owner_credential_refused"));
            assert!(!failure.sentence().contains(&token), "{}", failure.sentence());
        }
    }

    #[test]
    fn other_commands_and_an_agent_s_own_token_pass() {
        let token = owner_token();
        assert!(start(&["pdpp", "owner", "token", &token], &[]).is_ok());
        assert!(start(&["pdpp", "--data-dir", "mcp", "serve"], &[("X", &token)]).is_ok());
        let own = token.replace("owner", "client");
        assert!(start(&["pdpp", "mcp"], &[("X", &own), ("PDPP_OWNER_TOKEN", "")]).is_ok());
    }

    #[test]
    fn a_kept_credential_is_known_by_its_label_and_by_its_token() {
        for owner in [
            json!({"credential": {"access_token": "x", "pdpp_token_kind": "Owner"}}),
            json!({"credential": {"access_token": "x"}, "role": "owner"}),
            json!({"credential": {"access_token": owner_token()}}),
        ] {
            assert_eq!(refuse_owner_credential(&owner, "a file").unwrap_err().exit, Exit::Refused);
        }
        let own = json!({"credential": {"access_token": "x", "pdpp_token_kind": "client"}});
        assert!(refuse_owner_credential(&own, "a file").is_ok());
    }
}
