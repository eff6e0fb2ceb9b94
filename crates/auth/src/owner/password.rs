//! Passwords: text that is forgotten when it was used.

use jiff::SignedDuration;
use zeroize::Zeroizing;

/// Shorter ones are guessed.
const FEWEST_CHARS: usize = 10;
/// Longer ones are no passwords.
pub(super) const MOST_BYTES: usize = 1_000;

/// A password as it was typed. Overwritten when it goes; never shown.
#[derive(Clone)]
pub struct PasswordText(pub(super) Zeroizing<String>);

impl PasswordText {
    /// Takes the text over.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// Whether it will do as a new password.
    pub fn check(&self) -> Result<(), PasswordFault> {
        if self.0.chars().count() < FEWEST_CHARS {
            return Err(PasswordFault::TooShort);
        }
        if self.0.len() > MOST_BYTES {
            return Err(PasswordFault::TooLong);
        }
        Ok(())
    }
}

impl std::fmt::Debug for PasswordText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordText(…)")
    }
}

/// Why a text will not do as a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordFault {
    /// Fewer than ten characters.
    #[error(
        "the password must have at least {FEWEST_CHARS} characters; three or four words work well"
    )]
    TooShort,
    /// More than a thousand bytes.
    #[error("the password must have at most {MOST_BYTES} bytes")]
    TooLong,
    /// Not the one that is set.
    #[error("the current password is wrong")]
    Wrong,
    /// Too many guesses; the present password was not looked at.
    #[error("too many wrong passwords; wait {} seconds", .0.as_secs() + 1)]
    Wait(SignedDuration),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> PasswordText {
        PasswordText::new(text.to_owned())
    }

    #[test]
    fn short_and_endless_texts_are_refused_and_none_is_shown() {
        assert_eq!(text("nine char").check(), Err(PasswordFault::TooShort));
        assert_eq!(text("zehn Zeich").check(), Ok(()));
        assert_eq!(text(&"x".repeat(1_001)).check(), Err(PasswordFault::TooLong));
        assert_eq!(format!("{:?}", text("secret")), "PasswordText(…)");
    }
}
