//! `pdpp show ID --field`: one field of a record, piece by piece.

use pdpp_contract::ReadApi;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};

use super::record_id::RecordTarget;
use super::viewpoint::Viewpoint;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note};

/// Which piece of which field.
pub struct FieldPart {
    /// The field, or a path that begins with `/`.
    pub field: String,
    /// The first character.
    pub from: u64,
    /// How to go on, without the number of the character.
    pub again: String,
}

/// Shows the piece, and says how to read on.
pub async fn run(
    part: &FieldPart,
    target: RecordTarget,
    viewpoint: &Viewpoint,
    output: &Output,
) -> Result<Exit, Failure> {
    let request = FieldWindowRequest {
        stream: target.stream,
        record_id: target.record_id,
        connection_id: target.connection_id,
        field_path: part.field.clone(),
        selector: WindowSelector::Offset(part.from),
        limit_chars: Some(pdpp_contract::limits::MAX_WINDOW_CHARS),
    };
    let answer = viewpoint.reader.field_window(request).await?;
    output.answer(&answer, || answer.window.text.clone())?;
    let window = &answer.window;
    if let Some(next) = window.next_offset_chars.filter(|_| !output.is_json()) {
        let left = window.total_chars.saturating_sub(window.end_chars);
        note(&format!("{left} more characters; read on: {} --from {next}", part.again));
    }
    Ok(Exit::Done)
}
