//! Windows of any size put together are the text: forwards, backwards and from a match, in any script,
//! on both backends.

use pdpp_contract::window::{FieldWindow, FieldWindowRequest, Window, WindowSelector};
use pdpp_contract::{ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

use crate::world::{World, mail, message};

/// What is easy to cut wrongly: joined emoji, marks on letters, wide characters, ends of lines.
const PIECES: [&str; 11] =
    ["👨‍👩‍👧‍👦", "👩🏽‍🚀", "🏳️‍🌈", "e\u{301}", "a\u{308}\u{323}", "漢字", "日本語", "한글", "\r\n", "É", " "];
/// Sizes around a chunk, and the largest one.
const SIZES: [u32; 4] = [3_999, 4_000, 4_001, 16_384];
/// Windows that are read in one direction at most; small ones then cover a part of a long text.
const STEPS: usize = 20;

/// A window around a match: where the text that is looked for stands, how long it is, and the rest of
/// the request.
#[derive(Debug, Clone)]
struct Around {
    place: usize,
    length: usize,
    before: Option<u32>,
    after: Option<u32>,
    limit: Option<u32>,
}

/// Texts of no, one or several chunks, most of them about as long as one or two.
fn text() -> impl Strategy<Value = String> {
    let size = prop_oneof![0_usize..90, 3_980_usize..4_020, 7_980_usize..8_020, 0_usize..13_000];
    (any::<u64>(), size).prop_map(|(seed, size)| {
        let mut text = String::new();
        for number in (seed % 1_000..).take(size) {
            let roll = usize::try_from(number.wrapping_mul(seed | 1) >> 40).unwrap();
            match PIECES.get(roll % 13) {
                Some(piece) => text.push_str(piece),
                None => text.push_str(&format!("A long run of plain letters, {number}. ")),
            }
        }
        text.chars().take(size).collect()
    })
}

fn size() -> impl Strategy<Value = u32> {
    prop_oneof![1_u32..70, 1_u32..9_000, prop::sample::select(SIZES.as_slice())]
}

/// Two of three stand across the border of a chunk, often with one character on one side of it.
fn around() -> impl Strategy<Value = Around> {
    let split = prop_oneof![Just(0), Just(usize::MAX), 0_usize..40];
    let border = prop_oneof![Just(4_000_usize), Just(8_000), 0_usize..13_000];
    let context = || prop::option::of(prop_oneof![0_u32..30, 0_u32..8_193]);
    let rest = (1_usize..40, context(), context(), prop::option::of(size()));
    (border, split, rest).prop_map(|(border, split, (length, before, after, limit))| {
        let place = border.saturating_sub(1 + split.min(length.saturating_sub(2)));
        Around { place, length, before, after, limit }
    })
}

/// A field, and what is known of it.
struct Field<'a> {
    reader: &'a GrantedReader,
    chars: Vec<char>,
}

impl Field<'_> {
    async fn ask(&self, selector: WindowSelector, limit_chars: Option<u32>) -> FieldWindow {
        let request = FieldWindowRequest {
            stream: StreamName::new("messages").unwrap(),
            record_id: RecordId::new("m1").unwrap(),
            connection_id: None,
            field_path: "body".to_owned(),
            selector,
            limit_chars,
        };
        self.reader.field_window(request).await.unwrap()
    }

    /// A window, which must be what it says it is.
    async fn read(&self, selector: WindowSelector, limit_chars: Option<u32>) -> Window {
        let FieldWindow { window, links, .. } = self.ask(selector, limit_chars).await;
        let [offset, limit] = ["offset_chars", "limit_chars"].map(|name| number(&links.this, name));
        let limit = u32::try_from(limit).unwrap();
        let same = self.ask(WindowSelector::Offset(offset), Some(limit)).await.window;
        assert_eq!(same.text, window.text, "its address leads to the same window");
        let (start, end) = (window.start_chars, window.end_chars);
        assert_eq!(window.text, self.cut(start, end), "{start}..{end}");
        assert_eq!(window.total_chars, self.total());
        assert_eq!(window.complete, start == 0 && end == self.total());
        assert_eq!(window.next_cursor.is_some(), end < self.total());
        assert_eq!(window.previous_cursor.is_some(), start > 0);
        window
    }

    fn total(&self) -> u64 {
        self.chars.len() as u64
    }

    fn cut(&self, start: u64, end: u64) -> String {
        let [start, end] = [start, end].map(|at| usize::try_from(at).unwrap());
        self.chars[start..end].iter().collect()
    }

    /// Follows cursors from a window, and checks that nothing is left out or told twice.
    async fn follow_both_ways(&self, first: &Window) {
        let (mut ahead, mut whole) = (first.clone(), first.text.clone());
        for _ in 0..STEPS {
            let Some(next) = ahead.next_cursor else { break };
            let from = ahead.end_chars;
            ahead = self.read(WindowSelector::Cursor(next), None).await;
            let limit = u64::from(first.limit_chars);
            assert_eq!(
                (ahead.start_chars, ahead.end_chars),
                (from, (from + limit).min(self.total()))
            );
            whole.push_str(&ahead.text);
        }
        let mut back = first.clone();
        for _ in 0..STEPS {
            let Some(previous) = back.previous_cursor else { break };
            let until = back.start_chars;
            back = self.read(WindowSelector::Cursor(previous), None).await;
            let limit = u64::from(first.limit_chars);
            assert_eq!((back.start_chars, back.end_chars), (until.saturating_sub(limit), until));
            whole.insert_str(0, &back.text);
        }
        assert_eq!(whole, self.cut(back.start_chars, ahead.end_chars));
    }

    /// From the beginning, from the end and from the middle, in windows of one size.
    async fn check_size(&self, limit: u32) {
        let (total, long) = (self.total(), u64::from(limit));
        for start in [0, total.saturating_sub(long), total / 2, 4_000 - long.min(4_000)] {
            let first = self.read(WindowSelector::Offset(start), Some(limit)).await;
            let start = start.min(total);
            assert_eq!((first.start_chars, first.end_chars), (start, (start + long).min(total)));
            self.follow_both_ways(&first).await;
        }
    }

    async fn check_match(&self, around: &Around) {
        let place = around.place % self.chars.len();
        let wanted = &self.chars[place..self.chars.len().min(place + around.length)];
        let q = wanted.iter().map(|char| swap_case(*char)).collect();
        let same =
            |part: &[char]| part.iter().copied().map(lower).eq(wanted.iter().copied().map(lower));
        let at = self.chars.windows(wanted.len()).position(same).unwrap() as u64;
        let selector =
            WindowSelector::Match { q, before_chars: around.before, after_chars: around.after };
        let window = self.read(selector, around.limit).await;
        let end = at + wanted.len() as u64;
        assert_eq!((window.match_start_chars, window.match_end_chars), (Some(at), Some(end)));
        let limit = u64::from(around.limit.unwrap_or(16_384)).max(end - at);
        assert!(window.start_chars <= at && end <= window.end_chars, "the match is shown whole");
        assert!(window.end_chars - window.start_chars <= limit);
        assert!(at - window.start_chars <= around.before.unwrap_or(2_048).into());
        assert!(window.end_chars - end <= around.after.unwrap_or(2_048).into());
        self.follow_both_ways(&window).await;
    }
}

/// A number in an address.
fn number(address: &str, name: &str) -> u64 {
    let (_, rest) = address.split_once(&format!("{name}=")).unwrap();
    rest.split('&').next().unwrap().parse().unwrap()
}

fn swap_case(char: char) -> char {
    if char.is_ascii_uppercase() { char.to_ascii_lowercase() } else { char.to_ascii_uppercase() }
}

fn lower(char: char) -> Option<char> {
    char.to_lowercase().next()
}

fn check(cases: u32, world: impl AsyncFnOnce() -> Option<World>) {
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    let runtime = threads.worker_threads(2).enable_all().build().unwrap();
    let Some(world) = runtime.block_on(world()) else { return };
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let matches = prop::collection::vec(around(), 3);
    TestRunner::new_with_rng(config, rng)
        .run(&(text(), size(), matches), |(text, size, matches)| {
            runtime.block_on(async {
                let data = json!({"sent_at": "2026-02-01", "subject": "s", "body": text});
                world.import("work-mail", &mail(), &[message("m1", data)]).await;
                let reader = &world.reader(&["work-mail"]).await;
                let field = Field { reader, chars: text.chars().collect() };
                for limit in SIZES.into_iter().chain([size]) {
                    field.check_size(limit).await;
                }
                for around in matches.iter().filter(|_| !text.is_empty()) {
                    field.check_match(around).await;
                }
                Ok(())
            })
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn windows_of_any_text_put_together_are_the_text() {
    check(40, async || Some(World::new(61).await));
}

#[test]
fn windows_of_any_text_put_together_are_the_text_on_postgres() {
    check(16, async || World::on_postgres(62).await);
}

#[tokio::test]
async fn windows_of_every_size_put_together_are_one_difficult_text() {
    let text = PIECES.concat();
    let world = World::new(63).await;
    let data = json!({"sent_at": "2026-02-01", "subject": "s", "body": text});
    world.import("work-mail", &mail(), &[message("m1", data)]).await;
    let reader = &world.reader(&["work-mail"]).await;
    let field = Field { reader, chars: text.chars().collect() };
    for limit in 1..=u32::try_from(field.chars.len()).unwrap() + 1 {
        field.check_size(limit).await;
    }
}
