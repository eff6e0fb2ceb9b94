//! Checked names. A value of one of these types has passed its rule; no other code checks again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{
    MAX_CLIENT_NAME_BYTES, MAX_CONNECTION_ID_BYTES, MAX_DISPLAY_NAME_BYTES, MAX_NAME_BYTES,
};

/// Why a string is not a valid name. The text is safe to show: it never repeats the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {reason}")]
pub struct InvalidName {
    /// What the string was meant to be, in words ("stream name").
    pub what: &'static str,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Defines a string newtype whose only constructor is its check.
macro_rules! checked_name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $check:path) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks `value` and wraps it.
            pub fn new(value: impl Into<String>) -> Result<Self, InvalidName> {
                let value = value.into();
                match $check(&value) {
                    Ok(()) => Ok(Self(value)),
                    Err(reason) => Err(InvalidName { what: $what, reason }),
                }
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidName;
            fn try_from(value: String) -> Result<Self, InvalidName> {
                Self::new(value)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidName;
            fn from_str(value: &str) -> Result<Self, InvalidName> {
                Self::new(value)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

checked_name! {
    /// The public id of a connection (`cin_…` in our own stores): the only source selector.
    ConnectionId, "connection id", check_connection_id
}
checked_name! {
    /// The owner's short name of a connection, such as `work-mail`.
    ConnectionName, "connection name", check_connection_name
}
checked_name! {
    /// The kind of source a connection reads, such as `gmail`.
    ConnectorKey, "connector key", check_path_safe
}
checked_name! {
    /// The name of a stream inside a source.
    StreamName, "stream name", check_stream_name
}
checked_name! {
    /// The name of a top-level field of a record.
    FieldName, "field name", check_plain
}
checked_name! {
    /// The id of one grant.
    GrantId, "grant id", check_opaque_id
}
checked_name! {
    /// The id of a package: the grants behind one access token.
    PackageId, "package id", check_opaque_id
}
checked_name! {
    /// The name of the agent a grant is for.
    ClientName, "client name", check_client_name
}
checked_name! {
    /// What the owner calls a connection, as free text.
    DisplayName, "display name", check_display_name
}

type Check = Result<(), &'static str>;

fn check_length(value: &str, max_bytes: usize) -> Check {
    if value.is_empty() {
        return Err("must not be empty");
    }
    if value.len() > max_bytes {
        return Err("is too long");
    }
    Ok(())
}

fn check_printable(value: &str) -> Check {
    if value.chars().any(char::is_control) {
        return Err("must not contain control characters");
    }
    Ok(())
}

fn check_plain(value: &str) -> Check {
    check_length(value, MAX_NAME_BYTES)?;
    check_printable(value)
}

/// Names that stand in a URL path segment and in the id grammar, which `/`, `\` and `..` would break.
fn check_path_safe(value: &str) -> Check {
    check_plain(value)?;
    check_no_traversal(value)
}

fn check_no_traversal(value: &str) -> Check {
    if value.contains(['/', '\\']) || value.contains("..") || value == "." {
        return Err("must not contain '/', '\\' or '..'");
    }
    Ok(())
}

fn check_stream_name(value: &str) -> Check {
    check_path_safe(value)?;
    if value == "*" {
        return Err("must be the name of one stream, not '*'");
    }
    if value.contains(':') {
        return Err("must not contain ':', which separates stream and record in result ids");
    }
    Ok(())
}

fn check_connection_id(value: &str) -> Check {
    check_length(value, MAX_CONNECTION_ID_BYTES)?;
    check_printable(value)?;
    check_no_traversal(value)
}

fn check_connection_name(value: &str) -> Check {
    check_length(value, 63)?;
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !value.chars().all(allowed) {
        return Err("may use lower-case letters, digits and '-' only");
    }
    if value.starts_with('-') {
        return Err("must begin with a letter or a digit");
    }
    Ok(())
}

fn check_opaque_id(value: &str) -> Check {
    check_length(value, MAX_NAME_BYTES)?;
    if !value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Err("may use letters, digits, '_' and '-' only");
    }
    Ok(())
}

fn check_client_name(value: &str) -> Check {
    check_length(value, MAX_CLIENT_NAME_BYTES)?;
    check_printable(value)
}

fn check_display_name(value: &str) -> Check {
    check_length(value, MAX_DISPLAY_NAME_BYTES)?;
    check_printable(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_breaks_its_rule_never_becomes_a_value() {
        for bad in ["", "..", "a/b", "a\\b", "*", "a:b", "nul\0", &"x".repeat(129)] {
            assert!(StreamName::new(bad).is_err(), "{bad:?} was accepted");
            let quoted = serde_json::to_string(bad).unwrap();
            assert!(serde_json::from_str::<StreamName>(&quoted).is_err(), "{bad:?} was parsed");
        }
        for bad in ["", "Work", "-a", "a_b", "a b", &"x".repeat(64)] {
            assert!(ConnectionName::new(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn a_good_name_survives_the_wire_unchanged() {
        for good in ["messages", "Order items", "日記"] {
            let name = StreamName::new(good).unwrap();
            let wire = serde_json::to_string(&name).unwrap();
            assert_eq!(serde_json::from_str::<StreamName>(&wire).unwrap(), name);
        }
        assert!(ConnectionName::new("work-mail-2").is_ok());
        assert!(FieldName::new("a/b..c").is_ok(), "field names are not path segments");
    }
}
