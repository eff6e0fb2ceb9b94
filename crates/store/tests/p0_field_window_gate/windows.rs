//! The promise about spans: any window is exactly the characters that were asked for.

use pdpp_contract::Json;
use pdpp_contract::limits::MAX_WINDOW_CHARS;
use pdpp_store::hashing::TextDigest;
use pdpp_store::text::TextRead;

use crate::backend::{Backend, note, read, text};

/// One to four bytes in UTF-8, a combining mark, a modifier, and what JSON and C strings escape.
const PALETTE: &[char] =
    &['a', 'Z', ' ', 'é', 'ß', '日', '語', '👍', '🏽', '\u{301}', '\n', '"', '\\', '\0', '\u{7ff}'];
const CHARS: usize = 21_003;
const WINDOWS: usize = 200;

pub async fn are_exact(backend: &dyn Backend) {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let chars: Vec<char> = (0..CHARS).map(|_| PALETTE[dice.below(PALETTE.len())]).collect();
    let body: String = chars.iter().collect();
    let parts = Json::Array(vec![text("first"), text(&body), text("last")]);
    let members = [("body", text(&body)), ("parts", parts.clone())];
    backend.put("a", note("windows", &members, false)).await;

    any_window(backend, "body", &body, &mut dice).await;
    any_window(backend, "parts", &parts.to_canonical(), &mut dice).await;
    any_window(backend, "/parts/1", &body, &mut dice).await;
    any_window(backend, "/parts/2", "last", &mut dice).await;
    any_window(backend, "id", "windows", &mut dice).await;
}

async fn any_window(backend: &dyn Backend, field: &str, whole: &str, dice: &mut Dice) {
    let total = whole.chars().count();
    let digest = TextDigest::of(whole);
    let limit = usize::try_from(MAX_WINDOW_CHARS).unwrap();
    let random = (0..WINDOWS).map(|_| (dice.below(total + 2), dice.below(limit + 1)));
    let random: Vec<_> = random.collect();
    let edges = [(0, total), (3_999, 1), (4_000, 1), (3_999, 4_002), (8_000, 0), (total, 1)];
    for (start, limit) in edges.into_iter().chain(random) {
        let asked = TextRead::Range {
            start: u64::try_from(start).unwrap(),
            limit: u32::try_from(limit).unwrap(),
        };
        let window = read(backend, "windows", field, asked).await;
        let expected: String = whole.chars().skip(start).take(limit).collect();
        assert_eq!(window.text, expected, "{field}: {limit} from {start}");
        assert_eq!(window.start, u64::try_from(start.min(total)).unwrap());
        assert_eq!(window.total_chars, u64::try_from(total).unwrap());
        assert_eq!(window.digest, digest);
        assert_eq!(window.matched, None);
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).unwrap()).unwrap()
    }
}
