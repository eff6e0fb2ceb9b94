//! Random records and random questions, compared with a plain oracle. Seeded: every run is the same.

// Marked so that the lints know the helpers for test code.
#[cfg(test)]
mod desk;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod texts;
