//! Bytes as lower-case hexadecimal digits.

/// Writes bytes as digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect()
}

/// Reads a digest of 32 bytes. Only lower-case digits are taken, so that equal digests have equal texts.
pub fn digest_from_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut digest = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_keeps_leading_zeros() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn a_digest_is_read_as_it_was_written() {
        let digest: [u8; 32] = std::array::from_fn(|at| u8::try_from(at * 8).unwrap());
        assert_eq!(digest_from_hex(&hex(&digest)), Some(digest));
        for bad in ["", "00", &hex(&digest).to_uppercase(), &"+1".repeat(32), &"é".repeat(32)] {
            assert_eq!(digest_from_hex(bad), None, "{bad}");
        }
    }
}
