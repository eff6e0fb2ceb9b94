//! Rich text: words between control words, in groups of braces.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::TextRefused;

/// Groups that hold no text of the document.
const UNSEEN: [&str; 16] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "themedata",
    "colorschememapping",
    "latentstyles",
    "datastore",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "generator",
    "xmlnstbl",
    "fldinst",
];
/// Deepest groups.
const MAX_DEPTH: usize = 1_000;

/// The text of a document.
pub fn text(file: &[u8]) -> Result<String, TextRefused> {
    let start = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii_start();
    if !start.starts_with(b"{\\rtf") {
        return Err(TextRefused);
    }
    let mut document = Document {
        text: String::new(),
        bytes: Vec::new(),
        encoding: WINDOWS_1252,
        groups: Vec::new(),
        unseen: false,
        fallback: 1,
        skip: 0,
    };
    let mut rest = start;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match byte {
            b'{' => {
                document.open()?;
                after
            }
            b'}' => {
                document.close();
                after
            }
            b'\\' => document.control(after),
            b'\r' | b'\n' => after,
            byte => {
                document.byte(byte);
                after
            }
        };
    }
    document.flush();
    Ok(document.text)
}

struct Document {
    text: String,
    /// Bytes of the document's encoding that wait to be decoded together.
    bytes: Vec<u8>,
    encoding: &'static Encoding,
    /// What held outside of each open group: whether it is unseen, and the length of replacements.
    groups: Vec<(bool, u32)>,
    unseen: bool,
    /// How many characters stand for one that older programs cannot show …
    fallback: u32,
    /// … and how many of them are still to come.
    skip: u32,
}

impl Document {
    fn open(&mut self) -> Result<(), TextRefused> {
        self.flush();
        if self.groups.len() >= MAX_DEPTH {
            return Err(TextRefused);
        }
        self.groups.push((self.unseen, self.fallback));
        Ok(())
    }

    fn close(&mut self) {
        self.flush();
        if let Some((unseen, fallback)) = self.groups.pop() {
            (self.unseen, self.fallback, self.skip) = (unseen, fallback, 0);
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if !self.unseen {
            self.bytes.push(byte);
        }
    }

    fn put(&mut self, words: &str) {
        self.flush();
        if !self.unseen {
            self.text.push_str(words);
        }
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let decoded = self.encoding.decode_without_bom_handling(&self.bytes).0;
            self.text.push_str(&decoded);
            self.bytes.clear();
        }
    }

    /// Takes a control word and gives what follows it.
    fn control<'d>(&mut self, rest: &'d [u8]) -> &'d [u8] {
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 {
            return self.symbol(rest);
        }
        let (word, rest) = rest.split_at(letters);
        let minus = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.iter().skip(minus).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) =
            if digits == 0 { rest.split_at(0) } else { rest.split_at(minus + digits) };
        let number = std::str::from_utf8(number).ok().and_then(|text| text.parse::<i64>().ok());
        let word = std::str::from_utf8(word).unwrap_or_default();
        self.word(word, number);
        rest.strip_prefix(b" ").unwrap_or(rest)
    }

    fn symbol<'d>(&mut self, rest: &'d [u8]) -> &'d [u8] {
        let Some((&symbol, after)) = rest.split_first() else { return rest };
        match symbol {
            b'\'' => {
                let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    Some(byte) => {
                        self.byte(byte);
                        after.get(2..).unwrap_or_default()
                    }
                    None => after,
                }
            }
            b'*' => {
                self.unseen = true;
                after
            }
            b'~' => {
                self.put(" ");
                after
            }
            b'_' => {
                self.put("-");
                after
            }
            b'\\' | b'{' | b'}' => {
                self.byte(symbol);
                after
            }
            b'\r' | b'\n' => {
                self.put("\n");
                after
            }
            _ => after,
        }
    }

    fn word(&mut self, word: &str, number: Option<i64>) {
        match word {
            "par" | "line" | "row" | "sect" | "page" => self.put("\n"),
            "tab" | "cell" => self.put("\t"),
            "emdash" => self.put("—"),
            "endash" => self.put("–"),
            "bullet" => self.put("•"),
            "lquote" | "rquote" => self.put("'"),
            "ldblquote" | "rdblquote" => self.put("\""),
            "uc" => self.fallback = number.and_then(|count| u32::try_from(count).ok()).unwrap_or(1),
            "u" => {
                // Numbers above 32,767 are written as negative ones.
                let code = number.map(|code| if code < 0 { code + 65_536 } else { code });
                let letter =
                    code.and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
                self.put(&letter.map(String::from).unwrap_or_default());
                self.skip = self.fallback.min(100);
            }
            "ansicpg" => {
                let label = format!("windows-{}", number.unwrap_or(1252));
                self.encoding = Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252);
            }
            word if UNSEEN.contains(&word) => self.unseen = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn words_are_read_and_tables_of_fonts_are_not() {
        let rtf = br"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0\fs24 Gr\'fc\'dfe, \b Ann\b0\par
{\field{\*\fldinst HYPERLINK x}{\fldrslt the plan}}\tab \u8364?5 \{ok\}}";
        assert_eq!(text(rtf).unwrap(), "Grüße, Ann\nthe plan\t€5 {ok}");
        assert!(text(b"plain words").is_err());
        for cut in 0..rtf.len() {
            let _ = text(&rtf[..cut]);
        }
    }
}
