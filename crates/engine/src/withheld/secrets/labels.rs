//! Secrets behind their label: "password: …", "API key = …", "your temporary password is …".

use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::values::{Makeup, is_placeholder};

/// What a label announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// Chosen by a person, or handed out to one.
    Password,
    /// Drawn by a machine.
    Key,
    /// Many words.
    Phrase,
}

/// The labels, in the languages people write them in.
const LABELS: &[(Label, &str)] = &[
    (
        Label::Phrase,
        r"(?:seed|recovery|secret|mnemonic|backup)[ _-]?phrase|pass[ _-]?phrase|mnemonic|wiederherstellungsphrase|phrase de récupération|frase de recuperación|фраза восстановления|助记词|助記詞",
    ),
    (
        Label::Key,
        r"api[ _-]?(?:key|token|secret)|(?:secret|access|private|auth(?:entication)?|encryption|master|signing|account)[ _-]?key|(?:access|auth|refresh|bearer|bot|api|personal access)[ _-]?token|client[ _-]?secret|webhook[ _-]?secret|secret[ _-]?access[ _-]?key|privatekey|presharedkey|(?-u:\b)(?:token|secret)(?-u:\b)|api-?schlüssel|clé (?:d'api|api|secrète)|clave (?:de )?api|chave (?:de )?api|chiave api|api-?sleutel|api-?nyckel|klucz api|ключ api|api 密钥|apiキー|api 키",
    ),
    (
        Label::Password,
        r"pass[ _-]?words?|passwd|pwd|(?m:^)[ \t]*(?:pass|pw)(?-u:\b)|(?:wi-?fi|wlan|wpa[23]?|network)[ _-]?(?:key|schlüssel|passphrase)|passwort|kennwort|mot de passe|contrase[ñn]a|clave de acceso|senha|palavra[ -]passe|wachtwoord|lösenord(?:et)?|adgangskode|kodeord|passord|hasł[oa]|парол[ья]|密码|密碼|口令|パスワード|비밀번호|암호|şifre(?:niz|si)?|parola(?:nız)?|salasana|heslo|jelszó|parolă|κωδικός πρόσβασης|كلمة (?:المرور|السر)|סיסמה|पासवर्ड|mật khẩu|kata sandi|รหัสผ่าน",
    ),
];
/// How far behind a label its value is looked for, in bytes.
const LOOKED_AT: usize = 1_024;
/// What joins a label and its value.
const JOINT: &str = r#"(?:["'`*_]{0,3}[ \t]*(?:[:=：]|->|=>|→|➜|\||(?-u:\b)(?:is|ist|lautet|est|es|er|jest|to|on|je)(?-u:\b)[ \t]*:?|[ \t](?:é|è|är|это|[–—-])[ \t]|为|是|は|：|은|는)[ \t]*(?:\r?\n[ \t]*){0,2}|[ \t]{0,2}\t[ \t]*|(?:\s{0,4}<[^<>\n]{0,80}>){1,4}\s{0,4}|[ \t]*\r?\n[ \t]*)"#;

static LABELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns: Vec<String> =
        LABELS.iter().map(|(_, label)| format!("(?:{label}){JOINT}")).collect();
    Regex::builder()
        .syntax(syntax::Config::new().case_insensitive(true).unicode(true))
        .configure(Regex::config().hybrid_cache_capacity(64 << 20).nfa_size_limit(None))
        .build_many(&patterns)
        .ok()
});

/// Whether a text holds a secret behind its label.
pub(super) fn holds_secret(text: &str) -> bool {
    let Some(labelled) = &*LABELLED else {
        return false;
    };
    labelled.find_iter(text).any(|found| {
        let Some((label, _)) = LABELS.get(found.pattern().as_usize()) else {
            return false;
        };
        let joint = text.get(found.range()).unwrap_or_default();
        let rest = text.get(found.end()..).unwrap_or_default();
        let before = text.get(..found.start()).unwrap_or_default();
        // The password of a meeting's link is part of the link, and so is the token of any other.
        let is_in_link = before.ends_with(['?', '&', ';'])
            && ["pwd", "token", "secret"].iter().any(|label| joint.starts_with(label));
        if is_in_link || !is_label(before, joint) {
            return false;
        }
        match label {
            Label::Phrase => is_phrase(rest),
            Label::Password | Label::Key => {
                let (value, is_alone) = value_of(rest);
                // Without a colon only something drawn is taken for a value.
                let is_named = joint.contains([':', '=', '：', '→', '|']) || joint.contains("->");
                let is_next_line = !is_named && joint.contains('\n');
                is_secret_value(*label, value, is_alone && is_named)
                    && (is_named || Makeup::of(value).digits > 0)
                    && (is_alone || !is_next_line)
            }
        }
    })
}

/// Not the end of a longer word, unless a name is put together as `DB_PASSWORD` or `dbPassword` is.
fn is_label(before: &str, found: &str) -> bool {
    let last = before.chars().next_back();
    let is_camel = found.starts_with(char::is_uppercase) && last.is_some_and(char::is_lowercase);
    last.is_none_or(|char| !char.is_alphanumeric() || !char.is_ascii()) || is_camel
}

/// The word that follows, without quotes and markup, and whether nothing else stands on its line.
fn value_of(rest: &str) -> (&str, bool) {
    let rest = rest.get(..rest.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
    let rest = rest.trim_start_matches(|char: char| "\"'`*_“”«»「".contains(char) || char == ' ');
    let rest = rest
        .strip_prefix("<code>")
        .or(rest.strip_prefix("<b>"))
        .or(rest.strip_prefix("<strong>"))
        .unwrap_or(rest);
    let end = rest
        .find(|char: char| char.is_whitespace() || "\"'`<“”«»」，。、；".contains(char))
        .unwrap_or(rest.len());
    let end = end.min(rest.floor_char_boundary(256));
    let (word, after) = rest.split_at(end);
    let value = word.trim_end_matches(['.', ',', ';', '*', '!', ')']);
    let value = if value.is_empty() { word } else { value };
    let line = after.trim_start_matches(|char: char| "\"'`*_”».,;!<".contains(char));
    (
        value,
        line.trim_start_matches([' ', '\t']).is_empty()
            || line.trim_start_matches([' ', '\t']).starts_with(['\n', '\r', '}', ',', '/']),
    )
}

/// Whether a value behind such a label is a secret.
pub(super) fn is_secret_value(label: Label, value: &str, is_alone: bool) -> bool {
    if is_placeholder(value) || value.contains('@') && value.contains('.') && label == Label::Key {
        return false;
    }
    let makeup = Makeup::of(value);
    match label {
        Label::Key => {
            makeup.chars >= 16 && makeup.digits >= 2 && makeup.letters >= 2 && !value.contains('/')
                || makeup.chars >= 32 && makeup.digits >= 2 && makeup.letters >= 6
        }
        Label::Password | Label::Phrase => {
            let drawn = makeup.digits > 0 && makeup.letters > 0
                || makeup.letters > 0
                    && makeup.marks > 0
                    && is_alone
                    && !value.contains(['/', '-', '\''])
                || makeup.mixed_case && is_alone && makeup.chars >= 8;
            let number = makeup.digits == makeup.chars && makeup.chars >= 4 && is_alone;
            let word = is_alone
                && makeup.letters == makeup.chars
                && makeup.chars >= 6
                && value.is_ascii()
                && value.bytes().all(|byte| byte.is_ascii_lowercase());
            makeup.chars >= 6 && drawn || number || word
        }
    }
}

/// Eleven words or more, all small and short, as wallets write them.
fn is_phrase(rest: &str) -> bool {
    let rest = rest.get(..rest.floor_char_boundary(400)).unwrap_or_default();
    let words = rest
        .split(|char: char| char.is_whitespace() || ",.".contains(char) || char.is_ascii_digit());
    let is_word = |word: &&str| {
        (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    words.filter(|word| !word.is_empty()).take_while(is_word).take(12).count() >= 11
}

#[cfg(test)]
mod tests {
    use super::LABELLED;

    #[test]
    fn the_labels_compile() {
        assert!(LABELLED.is_some());
    }
}
