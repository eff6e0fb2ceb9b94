//! `browser`: history and bookmarks: Chrome's in Takeout, the bookmarks of Chromium's profiles, and the
//! bookmarks that any browser exports as a page.

use pdpp_contract::JsonObject;

use super::{bookmarks, host};
use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::{base_name, has_ending};
use crate::readers::json_document::read_document;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::{Candidate, Claim};

/// What history and bookmarks look like.
const DECLARATION: &str = include_str!("../declarations/browser.json");

/// History and bookmarks of browsers.
pub static FORMAT: Format = Format {
    name: "browser",
    help: "Read browser history (Chrome's Takeout) and bookmarks",
    reads: "Chrome in Takeout (`BrowserHistory.json`, `History.json`), `Bookmarks` of Chromium's \
            profiles, bookmarks exported as HTML by any browser",
    recognise: Recognise { rank: 83, claims, beside: None, counts: None },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

fn claims(file: &Candidate<'_>) -> Option<Claim> {
    let is_own = match file.base() {
        name if is_history(name) => file.head().contains("\"Browser History\""),
        name if is_bookmarks(name) => file.head().contains("\"roots\""),
        name => is_page(name) && bookmarks::is_page(file.head()),
    };
    is_own.then(Claim::file)
}

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let wanted = |name: &str| {
        let name = base_name(name);
        is_history(name) || is_bookmarks(name) || is_page(name)
    };
    export.each(sink, &wanted, &mut |name, reader, sink| match base_name(name) {
        name if is_page(name) => bookmarks::read_page(reader, sink),
        name if is_bookmarks(name) => bookmarks::read_profile(reader, sink),
        _ => read_document(reader, sink, &mut |document, sink| {
            document.each_member(sink, &mut |name, document, sink| match name {
                "Browser History" => document.each_object(sink, &mut put_visit),
                _ => document.skip(),
            })
        }),
    })
}

fn is_history(name: &str) -> bool {
    ["browserhistory.json", "history.json"].contains(&name.to_ascii_lowercase().as_str())
}

fn is_bookmarks(name: &str) -> bool {
    name == "Bookmarks" || name == "Bookmarks.bak"
}

fn is_page(name: &str) -> bool {
    has_ending(name, ".html") || has_ending(name, ".htm")
}

fn put_visit(visit: JsonObject, sink: &mut Sink<'_>) -> Flow {
    let url = lenient::text(&visit, "url").unwrap_or_default().to_owned();
    let Some(visited_at) = lenient::micros(&visit, "time_usec").filter(|_| !url.is_empty()) else {
        return super::reject(visit, "not a visit: no address or no time", sink);
    };
    let id = content_key(&[visited_at.as_bytes(), url.as_bytes()]);
    let transition = lenient::text(&visit, "page_transition").map(str::to_ascii_lowercase);
    let data = RecordFields::default()
        .text("id", &*id)
        .maybe("title", lenient::text(&visit, "title"))
        .text("url", &*url)
        .maybe("host", host(&url))
        .text("visited_at", visited_at)
        .maybe("transition", transition);
    sink.record("visits", &id, data)
}
