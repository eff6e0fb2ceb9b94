//! Credentials that must never reach an agent's side: recognised by their shape, wherever they stand.

/// What our tokens begin with, and the kinds that are the owner's or the server's own business.
const PREFIX: &str = "pdpp_";
const REFUSED_KINDS: [&str; 9] =
    ["owner", "metrics", "ctl", "ingest", "rs", "refresh", "code", "device", "reg"];
/// The owner's browser session.
const SESSION_COOKIE: &str = "pdpp_owner_session=";
/// Characters of a token behind its kind: 43 random ones and a checksum of 6.
const SECRET_CHARS: usize = 49;
/// Texts within texts that are looked through.
const LAYERS: usize = 8;

/// Whether a text holds a credential of the owner or of the control plane, also in the middle of
/// other text: `Bearer …`, an address, JSON.
///
/// Shape alone decides: a text that looks like such a token has no business there either.
pub fn holds_owner_credential(text: &str) -> bool {
    if text.contains(SESSION_COOKIE) {
        return true;
    }
    text.match_indices(PREFIX).any(|(at, _)| {
        let rest = text.get(at + PREFIX.len()..).unwrap_or_default();
        REFUSED_KINDS.iter().any(|kind| is_token_of(rest, kind))
    })
}

/// Whether a JSON message holds such a credential anywhere: in names and values, under a name that
/// stands twice, written with escapes, in JSON that is a text of the message.
///
/// Looks at the bytes, because a reader of JSON drops what it has no use for.
pub fn message_holds_owner_credential(message: &[u8]) -> bool {
    let mut text = String::from_utf8_lossy(message).into_owned();
    for _ in 0..LAYERS {
        if holds_owner_credential(&text) {
            return true;
        }
        match without_escapes(&text) {
            Some(plainer) => text = plainer,
            None => return false,
        }
    }
    false
}

/// A text with one layer of escapes undone, if it has any.
fn without_escapes(text: &str) -> Option<String> {
    let mut rest = text.contains('\\').then_some(text)?;
    let mut plain = String::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = after.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        rest = if let Some(character) = code.and_then(char::from_u32) {
            plain.push(character);
            after.get(5..).unwrap_or_default()
        } else {
            // No other escape stands for a character of a credential.
            let mut others = after.chars();
            plain.extend(others.next());
            others.as_str()
        };
    }
    plain.push_str(rest);
    Some(plain)
}

fn is_token_of(rest: &str, kind: &str) -> bool {
    let secret = rest.strip_prefix(kind).and_then(|rest| rest.strip_prefix('_'));
    secret.is_some_and(|secret| {
        let run = secret.bytes().take_while(u8::is_ascii_alphanumeric).count();
        run >= SECRET_CHARS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_and_control_credentials_are_seen_wherever_they_stand() {
        let secret = "0aB".repeat(17);
        for kind in REFUSED_KINDS {
            let token = format!("pdpp_{kind}_{}", &secret[..49]);
            for text in [
                token.clone(),
                format!("Bearer {token}"),
                format!("https://x.org/?a=b&t={token}&c=d"),
                format!(r#"{{"token":"{token}"}}"#),
                format!("pdpp_ {token}"),
            ] {
                assert!(holds_owner_credential(&text), "{kind}");
            }
        }
        assert!(holds_owner_credential("a=b; __Host-pdpp_owner_session=xyz"));
    }

    #[test]
    fn a_message_hides_no_credential() {
        let token = format!("pdpp_owner_{}", &"0aB".repeat(17)[..49]);
        let escape =
            |text: &str| text.bytes().map(|byte| format!("\\u{byte:04x}")).collect::<String>();
        let inner = format!(r#"{{"subject":"{}"}}"#, escape(&token));
        for message in [
            format!(r#"{{"id":"{token}"}}"#),
            format!(r#"{{"query":"{token}","query":"boiler"}}"#),
            format!(r#"{{"a":{{"_meta":{{"z":"a {token} b"}}}}}}"#),
            format!(r#"{{"query":"{}"}}"#, escape(&token)),
            format!(r#"{{"{}":1}}"#, escape(&token)),
            serde_json::json!({ "filter": inner }).to_string(),
            format!(r#"{{"query":"{token}"#),
        ] {
            assert!(message_holds_owner_credential(message.as_bytes()), "{message}");
        }
        for message in [
            r#"{"query":"pdpp_owner_ and \"more\" \u00e4 \ud83d\ude00"}"#.to_owned(),
            format!(r#"{{"token":"pdpp_client_{}"}}"#, &"0aB".repeat(17)[..49]),
            "\\".repeat(100),
            r"\u12".to_owned(),
        ] {
            assert!(!message_holds_owner_credential(message.as_bytes()), "{message}");
        }
    }

    #[test]
    fn an_agent_s_token_and_ordinary_words_pass() {
        let secret = "0aB".repeat(17);
        for text in [
            format!("pdpp_client_{secret}"),
            format!("pdpp_owner_{}", &secret[..48]),
            "pdpp_owner_token is a variable".to_owned(),
            "what does pdpp_ctl_ mean?".to_owned(),
            String::new(),
        ] {
            assert!(!holds_owner_credential(&text), "{text}");
        }
    }
}
