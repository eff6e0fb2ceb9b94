//! Text for people, built line by line.

/// Lines under construction.
#[derive(Debug, Default)]
pub struct Words(String);

impl Words {
    /// Text that begins with this line.
    pub fn new(first: impl AsRef<str>) -> Self {
        let mut words = Self::default();
        words.line(first);
        words
    }

    /// Adds a line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.0.push_str(line.as_ref());
        self.0.push('\n');
    }

    /// Adds text that brings its own line breaks.
    pub fn block(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.0
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_and_blocks_do_not() {
        let mut words = Words::new("one");
        words.block("two\nthree\n");
        words.line("");
        assert_eq!(words.into_text(), "one\ntwo\nthree\n\n");
    }

    #[test]
    fn hexadecimal_keeps_leading_zeros() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
