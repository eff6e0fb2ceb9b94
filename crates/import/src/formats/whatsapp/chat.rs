//! A chat and its messages, as the file tells them.

use std::collections::HashMap;

use super::date_order::DateOrder;
use super::stamp::Stamp;
use crate::blobs::content_key;

/// Longest message that is read.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;
/// What phones put before the name of the other side, in small letters.
const NAME_PREFIXES: [&str; 10] = [
    "whatsapp chat with ",
    "whatsapp chat - ",
    "whatsapp-chat mit ",
    "chat de whatsapp con ",
    "discussion whatsapp avec ",
    "conversa do whatsapp com ",
    "chat whatsapp con ",
    "whatsapp-chat met ",
    "whatsapp chat ",
    "whatsapp-",
];

/// What phones write in place of a message that was deleted, in small letters.
const DELETED: [&str; 14] = [
    "this message was deleted",
    "you deleted this message",
    "diese nachricht wurde gelöscht",
    "du hast diese nachricht gelöscht",
    "se eliminó este mensaje",
    "eliminaste este mensaje",
    "ce message a été supprimé",
    "vous avez supprimé ce message",
    "questo messaggio è stato eliminato",
    "hai eliminato questo messaggio",
    "mensagem apagada",
    "você apagou esta mensagem",
    "dit bericht is verwijderd",
    "je hebt dit bericht verwijderd",
];
/// What phones write behind a message that was edited.
const EDITED: [&str; 7] = [
    "<This message was edited>",
    "<Diese Nachricht wurde bearbeitet.>",
    "<Se editó este mensaje.>",
    "<Ce message a été modifié>",
    "<Questo messaggio è stato modificato>",
    "<Mensagem editada>",
    "<Dit bericht is bewerkt>",
];

/// Media types by the ending of a file name.
const MIME_TYPES: [(&str, &str); 12] = [
    (".jpg", "image/jpeg"),
    (".jpeg", "image/jpeg"),
    (".png", "image/png"),
    (".webp", "image/webp"),
    (".gif", "image/gif"),
    (".mp4", "video/mp4"),
    (".opus", "audio/ogg"),
    (".m4a", "audio/mp4"),
    (".mp3", "audio/mpeg"),
    (".aac", "audio/aac"),
    (".pdf", "application/pdf"),
    (".vcf", "text/vcard"),
];

/// The media type of what no name tells.
pub const UNKNOWN_TYPE: &str = "application/octet-stream";

/// The media type that a file name suggests.
pub fn mime_type(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let found = MIME_TYPES.iter().find(|(ending, _)| name.ends_with(ending));
    found.map_or(UNKNOWN_TYPE, |(_, mime_type)| mime_type)
}

/// The name of the other side, from the file's name or, for `_chat.txt`, from the archive's.
pub fn chat_name(file: &str, root: &str) -> String {
    let mut parts = file.rsplit('/');
    let own = parts.next().unwrap_or_default();
    let above = parts.next().unwrap_or(root);
    let name = if own == "_chat.txt" { above } else { own };
    let name = name.strip_suffix(".txt").or(name.strip_suffix(".zip")).unwrap_or(name);
    let prefix = NAME_PREFIXES.iter().find(|prefix| {
        name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    });
    let name = prefix.and_then(|prefix| name.get(prefix.len()..)).unwrap_or(name).trim();
    // A second download gets a number.
    let copy = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    let numbered = copy.filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let name = numbered.map_or(name, |(name, _)| name.trim_end());
    if name.is_empty() { "Chat".to_owned() } else { name.to_owned() }
}

/// A chat that is being read.
pub struct Chat {
    /// Its key.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How its dates are written.
    pub order: DateOrder,
    begun: bool,
    /// The messages of the current moment, to tell equal ones apart.
    moment: String,
    same: HashMap<(Option<String>, String), usize>,
}

impl Chat {
    /// A chat of this name.
    pub fn new(name: String, order: DateOrder) -> Self {
        let id = content_key(&[b"chat", name.as_bytes()]);
        Self { id, name, order, begun: false, moment: String::new(), same: HashMap::new() }
    }

    /// Whether its first message comes now.
    pub fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    /// How many equal messages came before at the same moment.
    pub fn occurrence(&mut self, sent_at: &str, message: &Message) -> usize {
        if self.moment != sent_at {
            sent_at.clone_into(&mut self.moment);
            self.same.clear();
        }
        let seen = self.same.entry((message.author.clone(), message.text.clone())).or_default();
        *seen += 1;
        *seen - 1
    }
}

/// One message, perhaps of several lines.
pub struct Message {
    /// When.
    pub stamp: Stamp,
    /// Who; nobody for notices.
    pub author: Option<String>,
    /// What.
    pub text: String,
    /// More than a message can be; the rest was let go.
    pub too_long: bool,
}

impl Message {
    /// A message that begins with `rest`, what stands after its time.
    pub fn new(stamp: Stamp, rest: &str) -> Self {
        let (author, text) = match rest.split_once(": ").or(rest.split_once(":\u{a0}")) {
            Some((author, text)) => (Some(visible(author)), text),
            None => match rest.strip_suffix(':') {
                Some(author) => (Some(visible(author)), ""),
                None => (None, rest),
            },
        };
        Self { stamp, author, text: visible(text), too_long: false }
    }

    /// Adds a further line.
    pub fn push_line(&mut self, line: &str) {
        self.too_long = self.too_long || self.text.len() + line.len() > MAX_TEXT_BYTES;
        if self.too_long {
            return;
        }
        self.text.push('\n');
        self.text.push_str(&visible(line));
    }

    /// `message`, `media`, `notice`, `deleted` or `edited`.
    pub fn kind(&self) -> &'static str {
        let left_out = self.text.starts_with('<') && self.text.ends_with('>');
        match &self.author {
            None => "notice",
            Some(_) if self.is_deleted() => "deleted",
            Some(_) if self.edited_text().is_some() => "edited",
            Some(_) if left_out || self.filename().is_some() => "media",
            Some(_) if self.text.ends_with(" omitted") => "media",
            Some(_) => "message",
        }
    }

    fn is_deleted(&self) -> bool {
        let text = self.text.trim_end_matches('.').to_lowercase();
        DELETED.contains(&text.as_str())
    }

    /// What an edited message says, without the words that tell so.
    pub fn edited_text(&self) -> Option<&str> {
        EDITED.iter().find_map(|mark| self.text.strip_suffix(mark)).map(str::trim_end)
    }

    /// The file it carries: `<attached: NAME>` or `NAME (file attached)` in any language.
    pub fn filename(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let inside = first.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let name = match inside {
            Some(inside) => inside.split_once(": ").map(|(_, name)| name)?,
            None => first.strip_suffix(')')?.rsplit_once(" (").map(|(name, _)| name)?,
        };
        let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| {
            (2..=4).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
        });
        (has_ending && !name.contains('/')).then_some(name)
    }
}

/// Text without the marks that only steer the direction of writing.
fn visible(text: &str) -> String {
    let text: String = text.chars().filter(|c| !super::stamp::is_mark(*c)).collect();
    text.trim().to_owned()
}
