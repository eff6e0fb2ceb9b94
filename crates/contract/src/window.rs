//! Field windows: a bounded range of one text field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::envelope::{Links, Meta};
use crate::ids::{ConnectionId, StreamName};
use crate::key::RecordId;
use crate::record::{RecordNumber, TextKind};

/// Which range of a field to read. Mixing selectors is not expressible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowSelector {
    /// From a character onwards.
    Offset(u64),
    /// Where an earlier window left off.
    Cursor(String),
    /// Around the first match of a text.
    Match {
        /// What to look for, ignoring case.
        q: String,
        /// Characters before the match; the default when absent.
        before_chars: Option<u32>,
        /// Characters after the match; the default when absent.
        after_chars: Option<u32>,
    },
}

/// One bounded read of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldWindowRequest {
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_id: RecordId,
    /// One connection; the only one that holds the record when absent.
    pub connection_id: Option<ConnectionId>,
    /// A top-level field by its name, or a nested value by a path that begins with `/`.
    pub field_path: String,
    /// Which range.
    pub selector: WindowSelector,
    /// Longest window in characters; the default when absent.
    pub limit_chars: Option<u32>,
}

/// The answer: the range, where it lies, and how to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldWindow {
    /// Always `field_window`.
    pub object: FieldWindowTag,
    /// The stream.
    pub stream: StreamName,
    /// The record.
    pub record_id: RecordId,
    /// Where it comes from.
    pub connection_id: ConnectionId,
    /// The path of the record.
    pub url: String,
    /// The field.
    pub field: WindowField,
    /// The range.
    pub window: Window,
    /// Self.
    pub links: Links,
    /// Warnings.
    pub meta: Meta,
    /// The record's number, when the store that answered is in this process.
    #[serde(skip)]
    pub number: Option<RecordNumber>,
}

/// The constant `field_window`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldWindowTag {
    /// `field_window`
    FieldWindow,
}

/// The field a window was cut from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WindowField {
    /// The path as it was asked for.
    pub path: String,
    /// A string, or canonical JSON of an object or array.
    #[serde(rename = "type")]
    pub kind: TextKind,
    /// `application/json` for objects and arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Characters of the whole text.
    pub size_chars: u64,
    /// Digest of the whole text, where the provider knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A range of text; all numbers count Unicode scalar values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// The text, unchanged.
    pub text: String,
    /// Characters of the whole field.
    pub total_chars: u64,
    /// The first character shown.
    pub start_chars: u64,
    /// The first character after what is shown.
    pub end_chars: u64,
    /// The longest window that was asked for.
    pub limit_chars: u32,
    /// The window is the whole field.
    pub complete: bool,
    /// Text follows.
    pub has_more: bool,
    /// Where the following text begins.
    pub next_offset_chars: Option<u64>,
    /// Where the window before this one begins.
    pub previous_offset_chars: Option<u64>,
    /// Opens the following window, as long as the field is unchanged.
    pub next_cursor: Option<String>,
    /// Opens the window before this one, as long as the field is unchanged.
    pub previous_cursor: Option<String>,
    /// Where the match begins.
    pub match_start_chars: Option<u64>,
    /// The first character after the match.
    pub match_end_chars: Option<u64>,
}
