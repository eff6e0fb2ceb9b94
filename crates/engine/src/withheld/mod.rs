//! What a grant may leave out: records that carry sign-in codes or secrets.

pub mod classification;
pub mod codes;
pub mod secrets;
