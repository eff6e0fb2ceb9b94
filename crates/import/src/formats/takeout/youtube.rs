//! `youtube`: what was watched and searched on YouTube, as Takeout gives it.

use pdpp_contract::JsonObject;

use super::youtube_page;
use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::has_ending;
use crate::readers::json_list::objects;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;

/// What the export looks like.
const DECLARATION: &str = include_str!("../declarations/youtube.json");
/// What stands before a title, or after it, in some of the languages of accounts.
const BEFORE: [&str; 7] = [
    "Watched ",
    "Viewed ",
    "Searched for ",
    "Has visto ",
    "Vous avez regardé ",
    "Hai guardato ",
    "Viu ",
];
const AFTER: [&str; 4] = [" angesehen", " gesucht", " bekeken", " を視聴しました"];

/// YouTube's history.
pub static FORMAT: Format = Format {
    name: "youtube",
    help: "Read YouTube's watch and search history from Takeout",
    reads: "YouTube in Takeout, JSON or HTML: what was watched and searched, YouTube Music too",
    recognise: Recognise {
        rank: 82,
        claims: |file| {
            let has = |mark: &str| file.head().contains(mark);
            let is_page =
                file.ends_with(&[".html"]) && youtube_page::is_page(file.name(), file.head());
            let is_own = is_page
                || file.ends_with(&[".json"])
                    && has("\"titleUrl\"")
                    && has("\"products\"")
                    && (has("youtube.com/") || has("youtube.com\\u002f"))
                    && has("\"YouTube");
            is_own.then(Claim::file)
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let wanted = |name: &str| has_ending(name, ".json") || has_ending(name, ".html");
    export.each(sink, &wanted, &mut |name, reader, sink| {
        if has_ending(name, ".html") {
            youtube_page::each_entry(reader, sink, &mut put)
        } else {
            objects(reader, sink, &mut put)
        }
    })
}

fn put(entry: JsonObject, sink: &mut Sink<'_>) -> Flow {
    let text = |name| lenient::text(&entry, name);
    let (Some(title), Some(time)) = (text("title"), lenient::time(&entry, "time")) else {
        return super::reject(entry, "not an entry of the history: no title or no time", sink);
    };
    let url = text("titleUrl").unwrap_or_default();
    let id = content_key(&[time.as_bytes(), url.as_bytes(), title.as_bytes()]);
    let bare = BEFORE.iter().find_map(|before| title.strip_prefix(before)).unwrap_or(title);
    let bare = AFTER.iter().find_map(|after| bare.strip_suffix(after)).unwrap_or(bare);
    let data = RecordFields::default()
        .text("id", &*id)
        .maybe("url", text("titleUrl"))
        .maybe("product", text("header"));
    // The address tells searches from videos in every language.
    if let Some(query) = parameter(url, "search_query") {
        let words = if query.is_empty() { bare.to_owned() } else { query };
        return sink.record("searches", &id, data.text("title", words).text("searched_at", time));
    }
    let channel = lenient::objects(&entry, "subtitles").next();
    let channel = |name| channel.and_then(|channel| lenient::text(channel, name));
    let is_ad = lenient::objects(&entry, "details")
        .any(|detail| lenient::text(detail, "name") == Some("From Google Ads"));
    let data = data
        // A video that is gone has its address for a title.
        .text("title", bare)
        .maybe("video_id", parameter(url, "v").filter(|id| !id.is_empty()))
        .maybe("channel", channel("name"))
        .maybe("channel_url", channel("url"))
        .text("watched_at", time);
    // A page does not say it.
    let data = if entry.contains_key("products") { data.flag("is_ad", is_ad) } else { data };
    sink.record("watches", &id, data)
}

/// The value of a parameter in an address.
fn parameter(url: &str, name: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let pair =
        query.split(['&', '#']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    let mut bytes = Vec::new();
    let mut rest = pair.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| digit.map(char::from));
                let number = |digit: Option<char>| digit.and_then(|digit| digit.to_digit(16));
                let [high, low] = digits.map(number);
                u8::try_from(high? * 16 + low?).ok()?
            }
            byte => byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
