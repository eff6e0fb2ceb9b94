//! The importers, seen from outside: small exports in, records out.

#[cfg(test)]
mod assistants;
#[cfg(test)]
mod bank;
#[cfg(test)]
mod bench;
#[cfg(test)]
mod cards;
#[cfg(test)]
mod chats;
#[cfg(test)]
mod corpora;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod file_texts;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod mail;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod surveys;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod takeout;
#[cfg(test)]
mod telegram;
#[cfg(test)]
mod transcripts;
