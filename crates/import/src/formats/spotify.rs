//! `spotify`: listening history, in the short form of the account export and in the extended one.

use pdpp_contract::{ErrorCode, Json, JsonObject};

use crate::blobs::content_key;
use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::json_list::each_object;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use crate::survey::Claim;
use pdpp_contract::import::Rejected;

/// What the export looks like.
const DECLARATION: &str = include_str!("declarations/spotify.json");

/// Spotify's listening history.
pub static FORMAT: Format = Format {
    name: "spotify",
    help: "Read Spotify's listening history",
    reads: "listening history, short and extended",
    recognise: Recognise {
        rank: 80,
        claims: |file| is_history(file.name()).then(Claim::file),
        beside: None,
        counts: None,
    },
    importer: Importer::Declared { declaration: DECLARATION, import },
};

/// Reads every play.
fn import(export: &Export, sink: &mut Sink<'_>) -> Flow {
    each_object(export, sink, &is_history, &mut |_, play, sink| put_play(&play, sink))
}

/// `StreamingHistory_music_0.json`, `Streaming_History_Audio_2024_1.json`, `endsong_0.json`
fn is_history(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let begins = ["streaminghistory", "streaming_history", "endsong"];
    let is_json = file.rsplit('.').next() == Some("json");
    is_json && begins.iter().any(|begin| file.starts_with(begin))
}

fn put_play(play: &JsonObject, sink: &mut Sink<'_>) -> Flow {
    let first = |names: &[&str]| names.iter().find_map(|name| lenient::text(play, name));
    // The short form writes minutes in UTC without saying so.
    let short =
        lenient::text(play, "endTime").map(|end| format!("{}:00Z", end.replacen(' ', "T", 1)));
    let played_at = lenient::time(play, "ts").or(short.and_then(|end| lenient::instant(&end)));
    let track = first(&["master_metadata_track_name", "trackName"]);
    let episode = first(&["episode_name", "episodeName"]);
    let (Some(played_at), Some(ms_played)) =
        (played_at, lenient::whole(play, "ms_played").or(lenient::whole(play, "msPlayed")))
    else {
        let item = Json::Object(play.clone()).to_canonical();
        let why = "not a play: no time or no length";
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, item.as_bytes()));
    };
    let uri = first(&["spotify_track_uri", "spotify_episode_uri", "audiobook_chapter_uri"]);
    let title = track.or(episode).or(first(&["audiobook_chapter_title"]));
    let title = title.unwrap_or("Unknown title");
    let kind = match (track, episode) {
        (Some(_), _) => "track",
        (None, Some(_)) => "episode",
        (None, None) => "other",
    };
    let id = content_key(&[
        played_at.as_bytes(),
        uri.unwrap_or(title).as_bytes(),
        ms_played.to_string().as_bytes(),
        first(&["platform"]).unwrap_or_default().as_bytes(),
    ]);
    let mut data = RecordFields::default()
        .text("id", &*id)
        .text("played_at", played_at)
        .text("title", title)
        .maybe("artist", first(&["master_metadata_album_artist_name", "artistName"]))
        .maybe("album", first(&["master_metadata_album_album_name"]))
        .maybe("show", first(&["episode_show_name", "podcastName", "audiobook_title"]))
        .text("kind", kind)
        .maybe("uri", uri)
        .number("ms_played", ms_played)
        .maybe("platform", first(&["platform"]))
        .maybe("country", first(&["conn_country"]))
        .maybe("reason_start", first(&["reason_start"]))
        .maybe("reason_end", first(&["reason_end"]));
    for name in ["skipped", "shuffle"] {
        if let Some(value) = lenient::flag(play, name) {
            data = data.flag(name, value);
        }
    }
    sink.record("plays", &id, data)
}
