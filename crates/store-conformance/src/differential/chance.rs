//! Random choices that are the same for the same seed, and values that databases like to disagree on.

/// Words whose order and case differ between languages, and some that are common.
const WORDS: [&str; 18] = [
    "apple",
    "Äpfel",
    "zebra",
    "Zoo",
    "éclair",
    "e\u{301}clair",
    "straße",
    "STRASSE",
    "ışık",
    "I",
    "the",
    "kitchen",
    "tiles",
    "漢字",
    "ﬁsh",
    "10",
    "9",
    "naïve",
];
const NUMBERS: [&str; 10] =
    ["1", "1.0", "-0.001", "1e3", "1000", "0", "-7", "123456789012345678901234567890", "2.5", "3"];
const KINDS: [&str; 4] = ["red", "Red", "blue", "grün"];

/// A source of choices.
pub(super) struct Chance {
    seed: u64,
    state: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// A number below another.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) as usize % bound.max(1)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(super) fn word(&mut self) -> &'static str {
        self.of(&WORDS)
    }

    pub(super) fn number(&mut self) -> &'static str {
        self.of(&NUMBERS)
    }

    pub(super) fn kind(&mut self) -> &'static str {
        self.of(&KINDS)
    }

    /// A key; few enough that records are met again.
    pub(super) fn key(&mut self) -> String {
        match self.below(12) {
            0 => self.word().to_owned(),
            1 => format!("{} {}", self.word(), self.below(3)),
            2 => self.long_key(),
            _ => format!("k{}", self.below(30)),
        }
    }

    /// The key of a record that has long texts, if it is a note.
    pub(super) fn long_key(&mut self) -> String {
        format!("long{}", self.below(3))
    }

    /// Some words in a row.
    pub(super) fn sentence(&mut self, words: usize) -> String {
        let words: Vec<&str> = (0..words).map(|_| self.word()).collect();
        words.join(if self.once_in(9) { "\u{0} " } else { " " })
    }

    /// A record of a stream as JSON text.
    pub(super) fn record(&mut self, stream: &str) -> String {
        let mut data = serde_json::json!({ "id": self.key() });
        let words = 1 + self.below(4);
        data["title"] = self.sentence(words).into();
        if !self.once_in(4) {
            data["kind"] = self.kind().into();
        }
        match self.below(6) {
            0 => {}
            1 => data["day"] = self.time().into(),
            _ => data["day"] = self.date().into(),
        }
        if stream == "notes" {
            self.note(&mut data);
        }
        let mut text = data.to_string();
        // Numbers keep their spelling, which a JSON library would not.
        if stream == "notes" && !self.once_in(3) {
            text.truncate(text.len() - 1);
            text.push_str(&format!(r#","amount":{}}}"#, self.number()));
        }
        text
    }

    fn note(&mut self, data: &mut serde_json::Value) {
        match self.below(6) {
            0 => {}
            1 => data["at"] = serde_json::Value::Null,
            _ => data["at"] = self.time().into(),
        }
        if self.once_in(2) {
            data["done"] = self.once_in(2).into();
        }
        if data["id"].as_str().is_some_and(|id| id.starts_with("long")) {
            data["body"] = self.long_text().into();
            data["parts"] = serde_json::json!({ "long": self.long_text(), "short": self.word() });
        } else if !self.once_in(8) {
            data["body"] = self.sentence(12).into();
        }
    }

    /// A text of one to five chunks.
    fn long_text(&mut self) -> String {
        let words = 400 + self.below(2_600);
        self.sentence(words)
    }
}
