//! Commands that a message names: written by rooms that do not know where the store is, completed here.

/// How every one of them begins.
const PROGRAM: &str = "pdpp ";
/// Those of other rooms, and how many words follow.
const COMMANDS: [(&str, usize); 5] = [
    ("connection list", 0),
    ("connection show", 1),
    ("grant list", 0),
    ("owner token list", 0),
    ("verify", 0),
];

/// The message with each such command as `advice` writes it. One that has its options keeps them.
pub fn completed(message: &str, advice: impl Fn(&str) -> String) -> String {
    let mut parts = message.split(PROGRAM);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (command, rest) = part.split_at(length(part));
        if command.is_empty() || rest.starts_with(" --") {
            whole.push_str(PROGRAM);
            whole.push_str(command);
        } else {
            whole.push_str(&advice(command));
        }
        whole.push_str(rest);
    }
    whole
}

/// How much of a text is one of these commands.
fn length(text: &str) -> usize {
    let known = COMMANDS.iter().find(|(command, _)| text.starts_with(command));
    let Some((command, words)) = known else { return 0 };
    let rest = text.get(command.len()..).unwrap_or_default();
    // Names have letters, digits, - and _; whatever else comes ends the command.
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut end = 0;
    for _ in 0..*words {
        let Some(word) = rest.get(end..).and_then(|rest| rest.strip_prefix(' ')) else { break };
        end += 1 + word.find(|c| !is_name(c)).unwrap_or(word.len());
    }
    let is_word = !rest.get(end..).unwrap_or_default().starts_with(is_name);
    if is_word { command.len() + end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(message: &str) -> String {
        completed(message, |command| format!("pdpp {command} --data-dir d"))
    }

    #[test]
    fn a_command_in_a_message_finds_the_same_store() {
        for (message, wanted) in [
            ("no 'x'; `pdpp connection list` shows", "`pdpp connection list --data-dir d` shows"),
            (
                "`pdpp connection show work-mail` lists",
                "`pdpp connection show work-mail --data-dir d` lists",
            ),
            ("run pdpp verify, then restore", "run pdpp verify --data-dir d, then restore"),
            ("see: pdpp owner token list", "see: pdpp owner token list --data-dir d"),
        ] {
            let said = there(message);
            assert!(said.contains(wanted), "{said}");
            assert_eq!(there(&said), said, "once is enough");
        }
    }

    #[test]
    fn one_that_is_whole_leaves_the_others_to_be_completed() {
        let said = there("pdpp grant list --data-dir e; pdpp grant list");
        assert_eq!(said, "pdpp grant list --data-dir e; pdpp grant list --data-dir d");
    }

    #[test]
    fn what_is_no_command_of_these_stays() {
        for message in ["this is not a pdpp store", "pdpp verifying", "pdpp ", "a pdpp connect URL"]
        {
            assert_eq!(there(message), message);
        }
    }
}
