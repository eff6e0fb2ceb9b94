//! The importers, seen from outside: small exports in, records out.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod mail;
