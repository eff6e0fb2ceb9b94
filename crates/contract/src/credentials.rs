//! Credentials that must never reach an agent's side: recognised by their shape, wherever they stand.

/// What our tokens begin with, and the kinds that are the owner's or the server's own business.
const PREFIX: &str = "pdpp_";
const REFUSED_KINDS: [&str; 8] =
    ["owner", "ctl", "ingest", "rs", "refresh", "code", "device", "reg"];
/// The owner's browser session.
const SESSION_COOKIE: &str = "pdpp_owner_session=";
/// Characters of a token behind its kind: 43 random ones and a checksum of 6.
const SECRET_CHARS: usize = 49;

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
