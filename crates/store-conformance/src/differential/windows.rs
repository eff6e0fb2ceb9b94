//! Random spans of texts, many of them across the borders of chunks.

use pdpp_contract::RecordId;
use pdpp_contract::limits::CHUNK_CHARS;

use super::limits::Limits;
use super::{Pair, Side};
use crate::sample::record_id;
use pdpp_store::RecordNo;
use pdpp_store::field_path::FieldPath;
use pdpp_store::text::{TextAnswer, TextRead};

/// Spans of one field that are read one after the other.
const READS: usize = 4;
const PATHS: [&str; 8] =
    ["body", "body", "title", "parts", "parts/long", "/parts/long", "/parts/short", "kind"];

/// One field of one record.
struct Place {
    limits: Limits,
    id: RecordId,
    path: FieldPath,
}

impl Place {
    async fn read(&self, side: &Side, read: &TextRead) -> TextAnswer {
        let scope = self.limits.scope(side);
        match side.store.read_text(&scope, &self.id, &self.path, read.clone()).await.unwrap() {
            TextAnswer::Text(mut window) => {
                window.record_no = RecordNo(0);
                TextAnswer::Text(window)
            }
            other => other,
        }
    }
}

impl Pair {
    pub(super) async fn window(&mut self) {
        let narrow = self.chance.once_in(2);
        let limits = if narrow { Limits::one(self.account(), "notes") } else { self.limits() };
        let long = !self.chance.once_in(4);
        let key = if long { self.chance.long_key() } else { self.chance.key() };
        let path = FieldPath::parse(self.chance.of(&PATHS)).unwrap();
        let place = Place { limits, id: record_id(&key), path };
        for _ in 0..READS {
            let asked = self.text_read(&place).await;
            let (left, right) =
                (place.read(&self.left, &asked).await, place.read(&self.right, &asked).await);
            self.same(&(&key, &place.path, &asked), &left, &right);
        }
    }

    async fn text_read(&mut self, place: &Place) -> TextRead {
        if self.chance.once_in(2) {
            return TextRead::Range { start: self.offset(), limit: self.length() };
        }
        let q = self.looked_for(place).await;
        let context = |pair: &mut Self| if pair.chance.once_in(3) { 0 } else { pair.length() };
        TextRead::Match { q, before: context(self), after: context(self), limit: self.length() }
    }

    /// What stands somewhere in the text, whole words and parts of them, or a word that need not.
    async fn looked_for(&mut self, place: &Place) -> String {
        let limit = u32::try_from(1 + self.chance.below(40)).unwrap();
        let span = TextRead::Range { start: self.offset(), limit };
        match place.read(&self.left, &span).await {
            TextAnswer::Text(found) if !found.text.is_empty() => {
                if self.chance.once_in(2) {
                    found.text.to_uppercase()
                } else {
                    found.text
                }
            }
            _ => self.chance.word().to_lowercase(),
        }
    }

    /// A position; every other one is near the border of a chunk.
    fn offset(&mut self) -> u64 {
        if self.chance.once_in(2) {
            return self.chance.below(20_000) as u64;
        }
        let border = CHUNK_CHARS * self.chance.below(5) as u64;
        (border + self.chance.below(40) as u64).saturating_sub(20)
    }

    /// So many characters: few, any, or about a chunk.
    fn length(&mut self) -> u32 {
        let any = 1 + self.chance.below(9_000);
        let chars = self.chance.of(&[1, 2, 300, 3_999, 4_000, 4_001, 16_384, any, any]);
        u32::try_from(chars).unwrap()
    }
}
