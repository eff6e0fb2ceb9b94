//! What can be asked of the program, as far as a grant decides the answer.

/// One kind of question, or one part of answers that could tell something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakOperation {
    SigningIn,
    List,
    Get,
    Window,
    Search,
    Aggregate,
    Changes,
    Expand,
    Blobs,
    Schema,
    Handles,
    ETags,
    Cursors,
    Bookmarks,
    Errors,
    Writing,
    Erasing,
}

use BreakOperation::{
    Aggregate, Blobs, Bookmarks, Changes, Cursors, ETags, Erasing, Errors, Expand, Get, Handles,
    List, Schema, Search, SigningIn, Window, Writing,
};

/// Everything that reads records.
pub const ALL_READS: &[BreakOperation] =
    &[List, Get, Window, Search, Aggregate, Changes, Expand, Blobs, Handles];

impl BreakOperation {
    /// Each of them.
    #[cfg(test)]
    pub const ALL: &[Self] = &[
        SigningIn, List, Get, Window, Search, Aggregate, Changes, Expand, Blobs, Schema, Handles,
        ETags, Cursors, Bookmarks, Errors, Writing, Erasing,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            SigningIn => "signing in",
            List => "list",
            Get => "get",
            Window => "window",
            Search => "search",
            Aggregate => "aggregate",
            Changes => "changes",
            Expand => "expand",
            Blobs => "blobs",
            Schema => "schema",
            Handles => "handles",
            ETags => "ETags",
            Cursors => "cursors",
            Bookmarks => "bookmarks",
            Errors => "errors",
            Writing => "writing",
            Erasing => "erasing",
        }
    }
}
