//! The importers, one file or folder each, and the table of formats.

mod bank;
mod calendar;
mod chatgpt;
mod claude;
mod contacts;
pub mod mail;
mod markdown;
mod slack;
mod spotify;
pub mod table;
mod takeout;
mod telegram;
mod transcripts;
mod whatsapp;

use crate::format::Format;

/// Every format, in the order in which help and documentation list them.
pub static FORMATS: &[&Format] = &[
    &mail::MBOX,
    &mail::EML,
    &mail::MAILDIR,
    &chatgpt::FORMAT,
    &claude::FORMAT,
    &slack::FORMAT,
    &whatsapp::FORMAT,
    &telegram::FORMAT,
    &calendar::FORMAT,
    &contacts::FORMAT,
    &spotify::FORMAT,
    &markdown::FORMAT,
    &bank::OFX,
    &bank::CAMT,
    &takeout::keep::FORMAT,
    &takeout::browser::FORMAT,
    &takeout::youtube::FORMAT,
    &takeout::location::FORMAT,
    &transcripts::CLAUDE_CODE,
    &transcripts::CODEX,
    &transcripts::GEMINI,
    &transcripts::OPENCODE,
    &table::CSV,
    &table::JSON,
    &table::SINGER,
];
