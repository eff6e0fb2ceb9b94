//! What a JSON file looks like at its beginning, in words: the names of its outer members.

/// Most members that are named.
const MEMBERS: usize = 8;
/// Longest name that is repeated.
const NAME_CHARS: usize = 40;

/// `an object with about, chats`; `None` when there is no member to name.
pub fn describe(head: &str) -> Option<String> {
    let (what, depth) = match head.as_bytes().first()? {
        b'{' => ("an object with", 1),
        b'[' => ("a list of objects with", 2),
        _ => return None,
    };
    let names = members(head, depth);
    let more = if names.len() > MEMBERS { ", …" } else { "" };
    let named: Vec<&str> = names.iter().take(MEMBERS).map(String::as_str).collect();
    (!named.is_empty()).then(|| format!("{what} {}{more}", named.join(", ")))
}

/// The names of members at a depth of nesting, each once.
fn members(head: &str, wanted: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let (mut depth, mut chars) = (0_usize, head.chars().peekable());
    let mut last = String::new();
    while let Some(c) = chars.next() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ':' if depth == wanted && !last.is_empty() => {
                let name: String = last.chars().take(NAME_CHARS).collect();
                if !names.contains(&name) {
                    names.push(name);
                }
                last.clear();
                if names.len() > MEMBERS {
                    break;
                }
            }
            '"' => {
                last.clear();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => drop(chars.next()),
                        c if c.is_control() => {}
                        c => last.push(c),
                    }
                }
            }
            ',' => last.clear(),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outer_members_are_named() {
        let chats = r#"{"about": "x: y", "chats": {"list": [{"id": 1}]}, "left": 1}"#;
        assert_eq!(describe(chats).unwrap(), "an object with about, chats, left");
        assert_eq!(
            describe(r#"[{"a":1,"b":[2]},{"a":1}]"#).unwrap(),
            "a list of objects with a, b"
        );
        assert_eq!(describe("[1, 2]"), None);
    }
}
