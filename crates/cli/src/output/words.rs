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
}
