//! Which records go with which when one is left out: files with the message they hang on, a thread
//! with the message that began it. Told from the declared relationships; the same for every backend.

use pdpp_contract::declaration::{Cardinality, SourceDeclaration, StreamDeclaration};
use pdpp_contract::key::key_part;
use pdpp_contract::{FieldName, JsonObject, StreamName};

/// Streams with one of these words in their names hold what hangs on other records.
const PARTS: &[&str] = &[
    "attachment",
    "attachments",
    "attendee",
    "attendees",
    "enclosure",
    "enclosures",
    "file",
    "files",
    "image",
    "images",
    "media",
    "part",
    "parts",
    "photo",
    "photos",
    "recording",
    "recordings",
    "upload",
    "uploads",
];
/// Streams whose names end with one of these words hold what a first record begins.
const THREADS: &[&str] = &["thread", "threads", "conversation", "conversations"];

/// One end of a relationship: the other stream, and the field of the belonging one that names a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InheritanceLink {
    /// The other stream.
    pub stream: StreamName,
    /// The field, on whichever stream belongs to the other.
    pub field: FieldName,
}

/// How one stream hangs together with others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InheritanceLinks {
    /// A record goes with the record of this stream that its field names.
    pub part_of: Vec<InheritanceLink>,
    /// Records of these streams go with the record that their field names.
    pub parts: Vec<InheritanceLink>,
    /// A record may have begun the record of this stream that its field names.
    pub begins: Vec<InheritanceLink>,
    /// Records of this stream are begun by records of these.
    pub begun_by: Vec<InheritanceLink>,
}

/// How a record is tied to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieKind {
    /// It is a part of it.
    PartOf,
    /// It may have begun it.
    Begins,
}

/// A record of another stream, by its key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tie {
    /// How.
    pub kind: TieKind,
    /// The other stream, and the field that names the key.
    pub link: InheritanceLink,
    /// The key, as the field spells it.
    pub key: String,
}

impl InheritanceLinks {
    /// How a stream of a source hangs together with its others.
    pub fn of(source: &SourceDeclaration, stream: &StreamDeclaration) -> Self {
        let mut inheritance = Self::default();
        for (child, field, parent) in edges(source) {
            let link = |other: &StreamDeclaration| InheritanceLink {
                stream: other.name.clone(),
                field: field.clone(),
            };
            let is_part = is_part(child);
            let list = match (child.name == stream.name, parent.name == stream.name) {
                (true, false) if is_part => &mut inheritance.part_of,
                (true, false) if is_thread(parent) => &mut inheritance.begins,
                (false, true) if is_part => &mut inheritance.parts,
                (false, true) if is_thread(parent) => &mut inheritance.begun_by,
                // A record that answers another one of its own stream was not made from it.
                _ => continue,
            };
            let link = link(if child.name == stream.name { parent } else { child });
            if !list.contains(&link) {
                list.push(link);
            }
        }
        inheritance
    }

    /// The other records that a record's own fields name.
    pub(crate) fn ties(&self, data: &JsonObject) -> Vec<Tie> {
        let tie = |kind, link: &InheritanceLink| {
            let key = key_part(data.get(link.field.as_str())?)?;
            Some(Tie { kind, link: link.clone(), key })
        };
        let parts = self.part_of.iter().filter_map(|link| tie(TieKind::PartOf, link));
        let begun = self.begins.iter().filter_map(|link| tie(TieKind::Begins, link));
        parts.chain(begun).collect()
    }
}

/// Every relationship as (who belongs, by which field, to whom).
fn edges(
    source: &SourceDeclaration,
) -> impl Iterator<Item = (&StreamDeclaration, &FieldName, &StreamDeclaration)> {
    source.streams.iter().flat_map(move |stream| {
        stream.relationships.iter().filter_map(move |relationship| {
            let other = source.streams.iter().find(|other| other.name == relationship.stream)?;
            let (child, parent) = match relationship.cardinality {
                Cardinality::HasOne => (stream, other),
                Cardinality::HasMany => (other, stream),
            };
            Some((child, &relationship.foreign_key, parent))
        })
    })
}

fn is_part(stream: &StreamDeclaration) -> bool {
    words(&stream.name).any(|word| PARTS.contains(&word.as_str()))
}

fn is_thread(stream: &StreamDeclaration) -> bool {
    words(&stream.name).last().is_some_and(|word| THREADS.contains(&word.as_str()))
}

fn words(name: &StreamName) -> impl Iterator<Item = String> {
    name.as_str()
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(links: &[InheritanceLink]) -> Vec<(&str, &str)> {
        links.iter().map(|link| (link.stream.as_str(), link.field.as_str())).collect()
    }

    #[test]
    fn files_hang_on_messages_and_messages_begin_threads() {
        let stream = |name: &str, relationships: &str| {
            format!(
                r#"{{"name":"{name}","semantics":"mutable_state","primary_key":["id"],
                    "schema":{{"type":"object","properties":{{"id":{{"type":"string"}},
                        "thread_id":{{"type":"string"}},"message_id":{{"type":"string"}},
                        "channel_id":{{"type":"string"}}}}}},
                    "selection":{{"fields":true,"resources":true}},
                    "relationships":[{relationships}]}}"#
            )
        };
        let one = |name: &str, to: &str, key: &str| {
            format!(
                r#"{{"name":"{name}","stream":"{to}","foreign_key":"{key}","cardinality":"has_one"}}"#
            )
        };
        let text = format!(
            r#"{{"protocol_version":"0.1.0","source":{{"kind":"connector","id":"https://x.test/mail"}},
                "declaration_version":"1","publisher":{{"id":"https://x.test/p"}},
                "display":{{"name":"Mail"}},"streams":[{},{},{},{}]}}"#,
            stream(
                "messages",
                &[
                    one("thread", "mail_threads", "thread_id"),
                    one("channel", "channels", "channel_id")
                ]
                .join(",")
            ),
            stream("mail_threads", ""),
            stream("attachments", &one("message", "messages", "message_id")),
            stream("channels", ""),
        );
        let source = SourceDeclaration::parse(&text).unwrap();
        let of = |name: &str| {
            let name = name.parse::<StreamName>().unwrap();
            InheritanceLinks::of(
                &source,
                source.streams.iter().find(|one| one.name == name).unwrap(),
            )
        };
        let messages = of("messages");
        assert_eq!(links(&messages.begins), [("mail_threads", "thread_id")]);
        assert_eq!(links(&messages.parts), [("attachments", "message_id")]);
        assert_eq!(links(&of("attachments").part_of), [("messages", "message_id")]);
        assert_eq!(links(&of("mail_threads").begun_by), [("messages", "thread_id")]);
        assert_eq!(
            of("channels"),
            InheritanceLinks::default(),
            "a channel is not made from its messages"
        );
    }
}
