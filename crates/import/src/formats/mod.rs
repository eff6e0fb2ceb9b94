//! The importers, one file or folder each, with the declarations of what they make.

pub mod calendar;
pub mod chatgpt;
pub mod claude;
pub mod contacts;
pub mod mail;
pub mod slack;
pub mod spotify;
pub mod table;
pub mod whatsapp;
