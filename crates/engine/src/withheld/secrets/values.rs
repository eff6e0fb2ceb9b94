//! What stands behind a label: a secret, or a mask, a placeholder, a word about it.

/// Words that stand where a password would: placeholders, types, states.
const WORDS: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "string",
    "str",
    "text",
    "varchar",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "required",
    "optional",
    "missing",
    "invalid",
    "incorrect",
    "wrong",
    "expired",
    "changed",
    "unchanged",
    "hidden",
    "redacted",
    "removed",
    "empty",
    "forgotten",
    "forgot",
    "reset",
    "weak",
    "strong",
    "medium",
    "correct",
    "unknown",
    "disabled",
    "enabled",
    "encrypted",
    "hashed",
    "changeme",
    "example",
    "placeholder",
    "default",
    "same",
    "tbd",
    "todo",
    "here",
    "below",
    "above",
    "attached",
    "separately",
    "erforderlich",
    "vergessen",
    "siehe",
    "unten",
    "oblig",
    "requis",
    "obligatoire",
    "oublié",
    "requerida",
    "obligatoria",
    "olvidada",
    "obrigatória",
    "obbligatoria",
    "verplicht",
    "vergeten",
    "obligatoriskt",
    "glömt",
    "wymagane",
    "обязательно",
    "забыли",
    "必填",
    "忘记",
    "必須",
    "필수",
    "bytes",
    "char",
    "optionnel",
    "opcional",
    "input",
    "field",
    "label",
    "click",
    "click here",
    "user",
    "admin",
    "option",
    "self",
];

/// Whether a value stands for a secret without being one.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_lowercase();
    let masks = |char: char| "*•●·.xX_-#?…".contains(char);
    let starts_code = value.starts_with(['<', '{', '$', '%', '[', '('])
        || value.contains("${")
        || value.contains("{{");
    value.chars().all(masks)
        || starts_code
        || value.contains("***")
        || value.contains("•••")
        || value.contains(['(', ')'])
        || lower.starts_with("your")
        || lower.starts_with("env.")
        || lower.starts_with("process.")
        || lower.starts_with("os.")
        || lower.contains("example")
        || lower.contains("://")
        || WORDS.contains(&lower.as_str())
        || lower.trim_start_matches("my").trim_matches(['_', '-']) == "password"
        || lower.trim_start_matches("my").trim_matches(['_', '-']) == "secret"
}

/// What a value is made of.
pub(super) struct Makeup {
    pub chars: usize,
    pub digits: usize,
    pub letters: usize,
    pub marks: usize,
    /// A capital behind a small letter.
    pub mixed_case: bool,
}

impl Makeup {
    pub(super) fn of(value: &str) -> Self {
        let mut makeup = Self { chars: 0, digits: 0, letters: 0, marks: 0, mixed_case: false };
        let mut small = false;
        for char in value.chars() {
            makeup.chars += 1;
            if char.is_ascii_digit() {
                makeup.digits += 1;
            } else if char.is_alphabetic() {
                makeup.letters += 1;
            } else {
                makeup.marks += 1;
            }
            makeup.mixed_case |= small && char.is_uppercase();
            small = char.is_lowercase();
        }
        makeup
    }
}
