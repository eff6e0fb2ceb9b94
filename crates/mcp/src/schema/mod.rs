//! The schema as an agent reads it: the index of everything in view, or one stream in detail.

mod examples;
mod field_words;
mod index;
mod limits;
mod stream;
mod stream_block;
