//! Answers that the adapter itself cuts into pages: whole items within a budget, then a cursor.

use pdpp_contract::Json;
use pdpp_contract::envelope::{Warning, WarningCode};
use pdpp_contract::handles::{AnswerPlace, Handle, HandleKind};

use crate::call_context::CallContext;
use crate::refusal::Refusal;

/// Collects what an answer consists of, so that a cursor fits no other.
pub(crate) struct Question(u64);

impl Question {
    pub(crate) fn new(kind: &str) -> Self {
        let mut question = Self(0xcbf2_9ce4_8422_2325);
        question.add(kind);
        question
    }

    /// Adds a fact.
    pub(crate) fn add(&mut self, fact: &str) {
        for byte in fact.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl CallContext {
    /// The item that a cursor continues at; the first one without a cursor.
    pub(crate) async fn place(
        &self,
        question: &Question,
        cursor: Option<&str>,
    ) -> Result<usize, Refusal> {
        let Some(cursor) = cursor else {
            return Ok(0);
        };
        match self.handles.open(HandleKind::Place, cursor).await {
            Ok(Handle::Place(place)) if place.question == question.0 => {
                Ok(usize::try_from(place.index).unwrap_or(usize::MAX))
            }
            _ => {
                let message = "the cursor does not continue this answer; start again without it";
                Err(Refusal::new("invalid_cursor", 400, message).param("cursor"))
            }
        }
    }

    /// The cursor that continues at an item.
    pub(crate) fn cursor_at(&self, question: &Question, index: usize) -> Option<String> {
        let index = u32::try_from(index).ok()?;
        self.handles.seal(&Handle::Place(AnswerPlace { question: question.0, index }))
    }
}

/// How many items, from `start`, fit; at least one. Each costs so much text and so much data.
pub(crate) fn page_end(
    costs: &[(usize, usize)],
    start: usize,
    (text_bytes, data_bytes): (usize, usize),
) -> usize {
    let (mut text, mut data) = (0, 0);
    let rest = costs.get(start..).unwrap_or_default();
    let fits = rest.iter().take_while(|(item_text, item_data)| {
        text += item_text;
        data += item_data;
        text <= text_bytes && data <= data_bytes
    });
    start + fits.count().max(1).min(rest.len())
}

/// Says that a page holds fewer rows than were asked for.
pub(crate) fn page_reduced(requested: u32, returned: usize) -> Warning {
    let detail = [("requested", requested.to_string()), ("returned", returned.to_string())];
    let detail = detail.map(|(name, number)| (name.to_owned(), Json::Number(number)));
    Warning {
        code: WarningCode::PageReduced,
        message: format!(
            "page_reduced requested={requested} returned={returned}; next_cursor goes on"
        ),
        param: Some("limit".to_owned()),
        detail: Some(Json::Object(detail.into_iter().collect())),
    }
}

/// A limit of so many rows, and at least one.
pub(crate) fn page_limit(rows: usize) -> u32 {
    u32::try_from(rows.max(1)).unwrap_or(1)
}
