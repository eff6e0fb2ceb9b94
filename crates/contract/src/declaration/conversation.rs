//! Which records of a stream belong to one conversation, and in which order: as the declaration says,
//! else by the usual names of keys and fields.

use super::field::FieldKind;
use super::stream::{Cardinality, Conversation, StreamDeclaration};
use crate::ids::FieldName;

/// Fields that say to which conversation a record belongs, the widest first: a channel with threads
/// is one conversation. Written without case and punctuation.
const KEYS: [&str; 27] = [
    "conversationid",
    "convid",
    "conversation",
    "chatid",
    "chat",
    "channelid",
    "channel",
    "roomid",
    "room",
    "threadid",
    "thread",
    "dialogid",
    "dialogueid",
    "dialog",
    "dialogue",
    "discussionid",
    "ticketid",
    "meetingid",
    "callid",
    "transcriptid",
    "interviewid",
    "episodeid",
    "sessionid",
    "session",
    "postid",
    "issueid",
    "documentid",
];
/// Streams whose records are conversations, for keys of other names.
const HOLDERS: [&str; 8] =
    ["conversation", "chat", "channel", "room", "thread", "dialog", "discussion", "session"];
/// Fields that say where in its conversation a record stands, where its time does not.
const ORDERS: [&str; 12] = [
    "turn",
    "turnindex",
    "messageindex",
    "index",
    "position",
    "seq",
    "sequence",
    "ordinal",
    "order",
    "line",
    "messagenumber",
    "number",
];

impl StreamDeclaration {
    /// What holds the stream's conversations together: declared, else inferred.
    pub fn conversation(&self) -> Option<Conversation> {
        self.conversation.clone().or_else(|| self.inferred_conversation())
    }

    /// The conversations of a stream whose declaration does not speak of any.
    pub fn inferred_conversation(&self) -> Option<Conversation> {
        // A record that is found by nothing says nothing to its neighbours.
        if self.query.search.lexical_fields.is_empty() {
            return None;
        }
        let names = self.field_names();
        let named = |wanted: &str| names.iter().find(|name| plain(name.as_str()) == wanted);
        let is_key = |field: &FieldName| self.primary_key.as_slice() == std::slice::from_ref(field);
        let fits = |field: &&FieldName| {
            let kind = self.field_kind(field.as_str());
            let holds = matches!(kind, Some(FieldKind::String | FieldKind::Integer));
            holds && !is_key(field)
        };
        let by_name = || KEYS.iter().filter_map(|wanted| named(wanted)).find(fits);
        let by_relation = || {
            let holders = self.relationships.iter().filter(|other| {
                let stream = plain(other.stream.as_str());
                let is_holder = |name: &&str| stream.trim_end_matches('s').ends_with(*name);
                other.cardinality == Cardinality::HasOne && HOLDERS.iter().any(is_holder)
            });
            holders.map(|other| &other.foreign_key).find(fits)
        };
        let field = by_name().or_else(by_relation)?.clone();
        let is_count =
            |field: &&FieldName| self.field_kind(field.as_str()).is_some_and(FieldKind::is_numeric);
        let order = ORDERS.iter().filter_map(|wanted| named(wanted)).find(is_count);
        let order = order.filter(|order| self.cursor_field.as_ref() != Some(*order)).cloned();
        Some(Conversation { field, order_field: order })
    }
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
