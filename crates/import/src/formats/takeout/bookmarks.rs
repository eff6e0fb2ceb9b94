//! Bookmarks: the page that every browser exports, and the file of Chromium's profiles.

use std::convert::Infallible;
use std::io::{BufRead, Read};

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};

use super::host;
use crate::blobs::content_key;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};

/// Largest file of bookmarks.
const MAX_BYTES: u64 = 64 << 20;
/// Deepest folder.
const MAX_DEPTH: usize = 64;
/// How many microseconds Chromium's clock, which begins in 1601, is ahead of 1970.
const SINCE_1601: i64 = 11_644_473_600_000_000;

/// Whether a page says that it is one of bookmarks.
pub fn is_page(head: &str) -> bool {
    head.to_ascii_lowercase().contains("netscape-bookmark-file-1")
}

fn whole(
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
) -> Result<Option<String>, crate::sink::Stop> {
    let mut text = String::new();
    let why = match reader.take(MAX_BYTES + 1).read_to_string(&mut text) {
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= MAX_BYTES) => {
            return Ok(Some(text));
        }
        Ok(_) => "a file of bookmarks has at most 64 MiB",
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => "not valid UTF-8",
        Err(error) => {
            sink.unreadable(error)?;
            return Ok(None);
        }
    };
    sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]))?;
    Ok(None)
}

/// One bookmark.
#[derive(Default)]
struct Bookmark {
    title: String,
    url: String,
    folder: String,
    added_at: Option<String>,
    used_at: Option<String>,
    tags: Vec<String>,
    keyword: Option<String>,
}

impl Bookmark {
    fn put(self, sink: &mut Sink<'_>) -> Flow {
        sink.begin_item();
        if self.url.is_empty() {
            return Ok(());
        }
        let id = content_key(&[self.folder.as_bytes(), self.url.as_bytes(), self.title.as_bytes()]);
        let title = if self.title.trim().is_empty() { self.url.clone() } else { self.title };
        let mut data = RecordFields::default()
            .text("id", &*id)
            .text("title", title)
            .maybe("host", host(&self.url))
            .text("url", self.url)
            .text("folder", self.folder)
            .maybe("keyword", self.keyword)
            .maybe("added_at", self.added_at)
            .maybe("last_used_at", self.used_at);
        if !self.tags.is_empty() {
            data = data.texts("tags", self.tags);
        }
        sink.record("bookmarks", &id, data)
    }
}

/// `Bookmarks` in a profile of Chromium: folders inside of folders.
pub fn read_profile(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    let Some(text) = whole(reader, sink)? else { return Ok(()) };
    let roots = match Json::parse(&text) {
        Ok(Json::Object(mut file)) => file.remove("roots"),
        _ => None,
    };
    let Some(Json::Object(roots)) = roots else {
        let why = "not a file of bookmarks";
        return sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]));
    };
    for root in roots.values().filter_map(Json::as_object) {
        put_node(root, "", 0, sink)?;
    }
    Ok(())
}

fn put_node(node: &JsonObject, folder: &str, depth: usize, sink: &mut Sink<'_>) -> Flow {
    let name = lenient::text(node, "name").unwrap_or_default();
    if lenient::text(node, "type") == Some("url") {
        let time = |name| {
            let micros = lenient::whole(node, name).filter(|micros| *micros > SINCE_1601)?;
            lenient::from_micros(micros - SINCE_1601)
        };
        let bookmark = Bookmark {
            title: name.to_owned(),
            url: lenient::text(node, "url").unwrap_or_default().to_owned(),
            folder: folder.to_owned(),
            added_at: time("date_added"),
            used_at: time("date_last_used"),
            ..Bookmark::default()
        };
        return bookmark.put(sink);
    }
    if depth >= MAX_DEPTH {
        return super::reject(node.clone(), "folders are nested too deeply", sink);
    }
    let inside = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    for child in lenient::objects(node, "children") {
        put_node(child, &inside, depth + 1, sink)?;
    }
    Ok(())
}

/// `bookmarks.html`: lists inside of lists, a heading before each.
pub fn read_page(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Flow {
    let Some(html) = whole(reader, sink)? else { return Ok(()) };
    let mut page = Page::default();
    let see = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        page.see(&event);
        None
    };
    match Tokenizer::new_with_emitter(&html, CallbackEmitter::new(see)).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
    if page.found.is_empty() {
        let why = "no bookmarks were found in the page";
        return sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]));
    }
    page.found.into_iter().try_for_each(|bookmark| bookmark.put(sink))
}

/// Where the words of the page go.
#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Words {
    #[default]
    Nowhere,
    Heading,
    Title,
}

#[derive(Default)]
struct Page {
    found: Vec<Bookmark>,
    folders: Vec<String>,
    heading: String,
    words: Words,
    attribute: String,
}

impl Page {
    fn see(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => self.open(name),
            CallbackEvent::AttributeName { name } => {
                self.attribute = String::from_utf8_lossy(name).to_ascii_lowercase();
            }
            CallbackEvent::AttributeValue { value } if self.words == Words::Title => {
                self.describe(&String::from_utf8_lossy(value));
            }
            CallbackEvent::String { value } => {
                let words = String::from_utf8_lossy(value);
                match (self.words, self.found.last_mut()) {
                    (Words::Heading, _) => self.heading.push_str(&words),
                    (Words::Title, Some(bookmark)) => bookmark.title.push_str(&words),
                    _ => {}
                }
            }
            CallbackEvent::EndTag { name } => match *name {
                b"dl" => {
                    self.folders.pop();
                }
                b"a" | b"h3" => self.words = Words::Nowhere,
                _ => {}
            },
            _ => {}
        }
    }

    fn open(&mut self, name: &[u8]) {
        self.words = match name {
            b"dl" => {
                if self.folders.len() < MAX_DEPTH {
                    self.folders.push(std::mem::take(&mut self.heading).trim().to_owned());
                }
                Words::Nowhere
            }
            b"h3" => {
                self.heading.clear();
                Words::Heading
            }
            b"a" => {
                let named = self.folders.iter().filter(|folder| !folder.is_empty());
                let folder = named.map(String::as_str).collect::<Vec<_>>().join("/");
                self.found.push(Bookmark { folder, ..Bookmark::default() });
                Words::Title
            }
            _ => self.words,
        };
    }

    fn describe(&mut self, value: &str) {
        let Some(bookmark) = self.found.last_mut() else { return };
        match self.attribute.as_str() {
            "href" => value.clone_into(&mut bookmark.url),
            "add_date" => bookmark.added_at = lenient::epoch(value),
            "last_visit" => bookmark.used_at = lenient::epoch(value),
            "shortcuturl" => bookmark.keyword = Some(value.to_owned()),
            "tags" => bookmark.tags = value.split(',').map(|tag| tag.trim().to_owned()).collect(),
            _ => {}
        }
    }
}
