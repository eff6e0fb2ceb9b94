//! Long fields of several sizes, and where to look into them.

use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;

use crate::backend::{Backend, note, text};

/// A field of some size, the body of a note.
pub struct LongField {
    pub record: &'static str,
    pub bytes: usize,
    pub chars: u64,
}

/// Syllables of one to four bytes; words of them neither repeat much nor compress well.
const SYLLABLES: &[&str] = &[
    "ka", "ter", "mo", "lin", "ex", "pra", "sun", "di", "vo", "gem", "ra", "ist", "no", "um", "be",
    "chi", "wel", "to", "or", "grö", "ße", "naï", "日本", "語", "Прив", "👍🏽",
];

/// Stores a note per size, smallest first. `PDPP_HEAVY` adds the largest.
#[expect(clippy::disallowed_methods, reason = "the environment chooses between test and long run")]
pub async fn put_all(backend: &dyn Backend) -> Vec<LongField> {
    let mut sizes = vec![("64k", 64 << 10), ("1m", 1 << 20), ("16m", 16 << 20)];
    if std::env::var("PDPP_HEAVY").is_ok_and(|heavy| heavy == "1") {
        sizes.push(("256m", 256 << 20));
    }
    let mut fields = Vec::new();
    for (record, bytes) in sizes {
        let body = words(bytes);
        let chars = u64::try_from(body.chars().count()).unwrap();
        fields.push(LongField { record, bytes: body.len(), chars });
        backend.put("a", note(record, &[("body", text(&body))], false)).await;
    }
    fields
}

impl LongField {
    /// Where the measured windows begin: at the start, in the middle and at the end.
    pub fn starts(&self) -> [u64; 3] {
        let last = self.chars - u64::from(DEFAULT_WINDOW_CHARS);
        [0, last / 2, last]
    }
}

fn words(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 64);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    while text.len() < bytes {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut rest = usize::try_from(state >> 40).unwrap();
        for _ in 0..=rest % 4 {
            rest /= 4;
            text.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        }
        text.push(' ');
    }
    text
}
