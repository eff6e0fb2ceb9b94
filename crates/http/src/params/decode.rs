//! Percent-decoding: once, strictly. A broken escape is refused, never guessed at.

/// What `+` stands for: itself in a path, a space in a query string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plus {
    Literal,
    Space,
}

/// The decoded text; `None` for a broken escape or bytes that are not UTF-8.
pub fn decode(text: &str, plus: Plus) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hex(bytes.next()?)? * 16 + hex(bytes.next()?)?,
            b'+' if plus == Plus::Space => b' ',
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_exactly_once() {
        assert_eq!(decode("a%2Fb", Plus::Literal).unwrap(), "a/b");
        assert_eq!(decode("100%2525", Plus::Literal).unwrap(), "100%25");
        assert_eq!(decode("%F0%9F%8E%B5", Plus::Literal).unwrap(), "🎵");
        assert_eq!(decode("a+b", Plus::Literal).unwrap(), "a+b");
        assert_eq!(decode("a+b%2B", Plus::Space).unwrap(), "a b+");
    }

    #[test]
    fn broken_escapes_and_broken_text_are_refused() {
        for bad in ["%", "%2", "%zz", "%+1", "%ff", "%c3%28", "%ed%a0%80"] {
            assert_eq!(decode(bad, Plus::Literal), None, "{bad}");
        }
    }
}
