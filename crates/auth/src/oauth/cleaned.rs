//! Names that strangers give themselves, made safe to stand on a page.

use pdpp_contract::{ClientName, hex};
use sha2::{Digest, Sha256};

/// Longest name that is shown.
const MAX_CHARS: usize = 100;
/// Room for the name in a handle; a mark follows it.
const HANDLE_BYTES: usize = 100;

/// A name without control, direction and invisible characters, on one line, not too long.
pub(super) fn cleaned(name: &str) -> Option<String> {
    let visible = name.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let visible: String = visible.filter(|c| !is_invisible(*c)).take(MAX_CHARS * 4).collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(MAX_CHARS).collect();
    (!name.is_empty()).then_some(name)
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The name that packages and the audit log carry. The mark tells apart clients that call
/// themselves alike, and from the names of agents at this machine.
pub(super) fn handle(name: &str, client_id: &str) -> Option<ClientName> {
    let digest = Sha256::digest(client_id.as_bytes());
    let mark = hex(digest.get(..4)?);
    let mut end = name.len().min(HANDLE_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    ClientName::new(format!("{} #{mark}", name.get(..end)?.trim_end())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_becomes_one_short_line() {
        assert_eq!(cleaned(" Claude\u{202e}\n Code\u{200b} ").unwrap(), "Claude Code");
        assert_eq!(cleaned("\u{200b}\u{e0041}"), None);
        assert_eq!(cleaned(&"x".repeat(10_000)).unwrap().len(), 100);
        assert_eq!(cleaned("<b>hi</b>").unwrap(), "<b>hi</b>", "escaping is the page's work");
    }

    #[test]
    fn two_clients_of_one_name_have_two_handles() {
        let (one, two) = (handle("Claude", "dcr_1").unwrap(), handle("Claude", "dcr_2").unwrap());
        assert_ne!(one, two);
        assert!(one.as_str().starts_with("Claude #"));
        assert!(handle(&"é".repeat(100), "x").is_some());
    }
}
