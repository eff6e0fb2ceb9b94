//! What an answer looks like: texts within their budget, data within the wire's, and the way on.

pub(crate) mod aggregation;
pub(crate) mod document;
pub(crate) mod hit_row;
pub(crate) mod hits;
pub(crate) mod ladder;
pub(crate) mod left_out;
pub(crate) mod measure;
pub(crate) mod numbers;
pub(crate) mod one_line;
pub(crate) mod page_rows;
pub(crate) mod paging;
pub(crate) mod preview;
pub(crate) mod record_page;
pub(crate) mod record_text;
pub(crate) mod related;
pub(crate) mod rows;
pub(crate) mod search_text;
pub(crate) mod text;
pub(crate) mod titles;
pub(crate) mod window_view;
