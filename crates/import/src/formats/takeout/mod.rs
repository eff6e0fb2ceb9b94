//! What Google's Takeout holds besides mail, calendars and contacts.

pub mod bookmarks;
pub mod browser;
pub mod keep;
pub mod location;
mod timeline;
pub mod youtube;
mod youtube_page;

use pdpp_contract::import::Rejected;
use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::sink::{Flow, Sink};

fn reject(object: JsonObject, why: &str, sink: &mut Sink<'_>) -> Flow {
    let item = Json::Object(object).to_canonical();
    sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()))
}

/// The site of an address: `www.example.org` of `https://www.example.org/a`.
fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?.split(':').next()?;
    (scheme.starts_with("http") && !host.is_empty()).then_some(host)
}
