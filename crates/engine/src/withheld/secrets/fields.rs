//! Fields that say by their name that they hold a secret.

use pdpp_contract::Json;

use super::labels::{Label, is_secret_value};

/// The longest value of such a field.
const VALUE_BYTES: usize = 512;

/// Words of a name that make its value a password, and words that make it a key.
const PASSWORDS: &[&str] = &["password", "passwd", "passphrase", "pwd", "passwort", "kennwort"];
const KEYS: &[&str] = &[
    "apikey",
    "secretkey",
    "privatekey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "clientsecret",
    "bottoken",
];

/// Whether the field is named after a secret, as `api_key` or `password` is, and holds one.
pub(super) fn is_secret_field(name: &str, value: &Json) -> bool {
    let Json::String(value) = value else {
        return false;
    };
    if value.len() > VALUE_BYTES || value.contains(char::is_whitespace) {
        return false;
    }
    let bare: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let label = if PASSWORDS.iter().any(|word| bare.ends_with(word)) {
        Label::Password
    } else if KEYS.iter().any(|word| bare.ends_with(word)) {
        Label::Key
    } else {
        return false;
    };
    is_secret_value(label, value, true)
}
