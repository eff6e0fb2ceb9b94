//! What a token is asked for: one of our two doors, in the spellings that clients use.

use pdpp_contract::access::Resource;

use super::address::WebAddress;
use super::error::{OauthCode, OauthError};

const FOREIGN: OauthError = OauthError::new(
    OauthCode::InvalidTarget,
    "this server issues no tokens for that resource; ask for the address of its /mcp",
);

/// Reads a `resource` parameter. Absent, and the bare origin that older clients send, mean `/mcp`.
pub(super) fn of(resource: Option<&str>, issuer: &str) -> Result<Resource, OauthError> {
    let Some(text) = resource else { return Ok(Resource::Mcp) };
    let address = WebAddress::parse(text).ok_or(FOREIGN)?;
    if !address.origin().eq_ignore_ascii_case(issuer) {
        return Err(FOREIGN);
    }
    match address.rest {
        "" | "/" | "/mcp" | "/mcp/" => Ok(Resource::Mcp),
        "/v1" | "/v1/" => Ok(Resource::V1),
        _ => Err(FOREIGN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_doors_are_known_in_every_spelling_and_nobody_elses() {
        let issuer = "https://data.example.org";
        for ours in [
            "https://data.example.org/mcp",
            "https://data.example.org/mcp/",
            "HTTPS://DATA.example.org/mcp",
            "https://data.example.org",
            "https://data.example.org/",
        ] {
            assert_eq!(of(Some(ours), issuer), Ok(Resource::Mcp), "{ours}");
        }
        assert_eq!(of(None, issuer), Ok(Resource::Mcp));
        assert_eq!(of(Some("https://data.example.org/v1"), issuer), Ok(Resource::V1));
        for foreign in [
            "https://evil.example/mcp",
            "http://data.example.org/mcp",
            "https://data.example.org/mcp?x",
            "https://data.example.org:8443/mcp",
            "https://data.example.org.evil.example/mcp",
            "https://data.example.org/other",
            "",
        ] {
            assert_eq!(of(Some(foreign), issuer), Err(FOREIGN), "{foreign}");
        }
    }
}
