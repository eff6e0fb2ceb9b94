//! Fields that say by their name that they hold a one-time code.

use pdpp_contract::Json;

use super::phrases::{Kind, find_names};
use super::plain::plain;
use super::shapes;

/// The longest value of such a field.
const VALUE_BYTES: usize = 32;

/// Whether the field is named after a one-time code, as `login_code` or `otp` is, and holds one.
pub(super) fn is_code_field(name: &str, value: &Json) -> bool {
    let (Json::String(value) | Json::Number(value)) = value else {
        return false;
    };
    value.len() <= VALUE_BYTES
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && names_code(name)
        && shapes::candidates(&plain(value)).iter().any(|candidate| candidate.stands_alone)
}

fn names_code(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if !["code", "kod", "pin", "otp", "pass"].iter().any(|stem| lower.contains(stem)) {
        return false;
    }
    let spaced = spaced(name);
    let is_otp = |word: &str| matches!(word, "otp" | "totp");
    spaced.split(' ').any(is_otp) || find_names(&spaced).iter().any(|name| name.kind == Kind::Code)
}

/// `loginCode` and `login_code` as words.
fn spaced(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for char in name.chars() {
        if char.is_ascii_uppercase() && after_small {
            out.push(' ');
        }
        after_small = char.is_ascii_lowercase();
        let char = if matches!(char, '_' | '-' | '.') { ' ' } else { char };
        out.push(char.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use pdpp_contract::Json;

    use super::is_code_field;

    #[test]
    fn a_field_named_after_a_code_holds_one() {
        let text = |text: &str| Json::String(text.to_owned());
        assert!(is_code_field("otp", &text("482913")));
        assert!(is_code_field("verification_code", &text("482 913")));
        assert!(is_code_field("loginCode", &Json::Number("482913".to_owned())));
        assert!(!is_code_field("postal_code", &text("41502")));
        assert!(!is_code_field("code", &text("41502")));
        assert!(!is_code_field("verification_code", &text("sent at noon")));
        assert!(!is_code_field("verification_code_sent_at", &text("2026-05-01T00:00:00Z")));
    }
}
