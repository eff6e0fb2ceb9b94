//! Addresses and codes from another server, before a person sees them or a browser opens them.

use pdpp_mcp::remote::ProviderUrl;

/// Longer codes are not meant to be typed.
const MOST_CODE_CHARS: usize = 40;

/// Whether an address leads to a web page, over https or on this machine, and is spelt without
/// tricks: anything else might start a program instead of showing a page.
pub fn is_web_page(address: &str) -> bool {
    let is_spelt_plainly = address.bytes().all(|byte| byte.is_ascii_graphic())
        && !address.contains(['#', '"', '\'', '`', '<', '>', '\\', '|']);
    let names_its_scheme = ["https://", "http://"].iter().any(|start| address.starts_with(start));
    is_spelt_plainly && names_its_scheme && address.parse::<ProviderUrl>().is_ok()
}

/// Whether a code can be shown as it is.
pub fn is_plain_code(code: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
    !code.is_empty() && code.len() <= MOST_CODE_CHARS && code.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_pages_are_opened() {
        for good in
            ["https://a.example/authorize", "https://a.example/x?y=1", "http://127.0.0.1:7667/a"]
        {
            assert!(is_web_page(good), "{good}");
        }
        for bad in [
            "",
            "a.example/authorize",
            "file:///etc/passwd",
            "smb://a.example/share/run.exe#",
            "javascript:alert(1)",
            "--manual",
            "http://a.example/authorize",
            "https://owner@a.example/",
            "https://a.example/\u{1b}[2J",
            "https://a.example/\n  https://b.example",
            "https://a.example/a b",
            "https://a.example/#x",
        ] {
            assert!(!is_web_page(bad), "{bad}");
        }
    }

    #[test]
    fn only_plain_codes_are_shown() {
        assert!(is_plain_code("BCDF-GHJK"));
        for bad in ["", "A\u{1b}]0;x", "A\nB", "<b>", &"A".repeat(41)] {
            assert!(!is_plain_code(bad), "{bad}");
        }
    }
}
