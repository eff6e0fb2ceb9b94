//! Names of folders: what a server spells in modified UTF-7 (RFC 3501, 5.1.3) as people read it.

use base64::Engine as _;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const ENCODING: GeneralPurpose = GeneralPurpose::new(
    &IMAP_MUTF7,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// A folder's name as a label: decoded, with `/` between a folder and one inside of it.
pub fn label(name: &str, delimiter: Option<&str>) -> String {
    let readable = decoded(name).unwrap_or_else(|| name.to_owned());
    match delimiter {
        Some(delimiter) if !delimiter.is_empty() && delimiter != "/" => {
            readable.replace(delimiter, "/")
        }
        _ => readable,
    }
}

fn decoded(name: &str) -> Option<String> {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((plain, encoded)) = rest.split_once('&') {
        text.push_str(plain);
        let (encoded, after) = encoded.split_once('-')?;
        rest = after;
        if encoded.is_empty() {
            text.push('&');
            continue;
        }
        let bytes = ENCODING.decode(encoded).ok()?;
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        let units = pairs.iter().map(|pair| u16::from_be_bytes(*pair));
        text.push_str(&char::decode_utf16(units).collect::<Result<String, _>>().ok()?);
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn a_name_is_shown_as_people_wrote_it() {
        assert_eq!(label("INBOX", Some(".")), "INBOX");
        assert_eq!(label("Work.Bills", Some(".")), "Work/Bills");
        assert_eq!(label("Entw&APw-rfe", Some("/")), "Entwürfe");
        assert_eq!(label("R&-D", Some("/")), "R&D");
        assert_eq!(label("&2D3eAA-", None), "😀");
        assert_eq!(label("broken &APw", None), "broken &APw");
    }
}
