//! What Google's Takeout holds besides mail, calendars and contacts.

use pdpp_contract::Json;

use crate::bench::{import, text};

const NOTE: &str = r#"{"color":"YELLOW","isTrashed":false,"isPinned":true,"isArchived":false,
  "attachments":[{"filePath":"18a.aa.jpeg","mimetype":"image/jpeg"}],
  "annotations":[{"description":"","source":"WEBLINK","title":"Valves","url":"https://example.org/valves"}],
  "textContent":"Boiler\nask for a valve","title":"","userEditedTimestampUsec":1767225660000000,
  "createdTimestampUsec":1767225600000000,"labels":[{"name":"House"}],"sharees":[{"isOwner":true,"type":"WRITER","email":"ann@example.org"}]}"#;
const LIST: &str = r#"{"isTrashed":true,"title":"Shopping","listContent":[{"text":"milk","isChecked":true},{"text":"bread","isChecked":false}],
  "userEditedTimestampUsec":1767225660000000,"createdTimestampUsec":1767225600000001}"#;

#[test]
fn notes_of_keep_have_their_labels_lists_and_pictures() {
    let outcome = import(
        "keep",
        &[
            ("Takeout/Keep/Boiler.json", NOTE.as_bytes()),
            ("Takeout/Keep/Shopping.json", LIST.as_bytes()),
            ("Takeout/Keep/18a.aa.jpg", b"\xff\xd8"),
        ],
    );
    assert_eq!(outcome.rejected, []);
    let note = outcome.find("notes", "title", "Boiler");
    assert_eq!(text(note, "edited_at"), "2026-01-01T00:01:00Z");
    assert_eq!(note["labels"].to_canonical(), r#"["House"]"#);
    assert_eq!(note["urls"].to_canonical(), r#"["https://example.org/valves"]"#);
    let list = outcome.find("notes", "title", "Shopping");
    assert_eq!(text(list, "text"), "[x] milk\n[ ] bread");
    assert_eq!(list["is_trashed"], Json::Bool(true));
    let picture = outcome.find("attachments", "mime_type", "image/jpeg");
    assert_eq!(text(picture, "note_id"), text(note, "id"));
    assert!(picture.contains_key("blob_ref"), "although its ending is another one");
}

const HISTORY: &str = r#"{"Browser History": [
  {"favicon_url":"https://x/f.ico","page_transition":"LINK","title":"Valves","url":"https://www.example.org:443/valves?a=1","client_id":"c==","time_usec":1767225600123456},
  {"page_transition":"TYPED","title":"","url":"","time_usec":1}], "Session": [{"tab":{}}]}"#;
const PROFILE: &str = r#"{"checksum":"x","roots":{"bookmark_bar":{"children":[
  {"date_added":"13411699200000000","date_last_used":"0","guid":"g","id":"5","name":"Plan","type":"url","url":"https://example.org/plan"},
  {"children":[{"date_added":"13411699200000000","id":"7","name":"","type":"url","url":"https://example.org/b"}],"name":"House","type":"folder"}],
  "name":"Bookmarks bar","type":"folder"},"other":{"children":[],"name":"Other","type":"folder"}},"version":1}"#;
const PAGE: &str = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n\
  <TITLE>Bookmarks</TITLE>\n<H1>Bookmarks Menu</H1>\n<DL><p>\n    <DT><H3 ADD_DATE=\"1767225600\">Choir &amp; more</H3>\n    <DL><p>\n\
  <DT><A HREF=\"https://example.org/choir?a=1&amp;b=2\" ADD_DATE=\"1767225600\" SHORTCUTURL=\"ch\" TAGS=\"music,friday\" ICON=\"data:image/png;base64,AA\">Choir <b>plan</b></A>\n\
      </DL><p>\n    <DT><A HREF=\"https://example.org/top\">Top</A>\n</DL>\n";

#[test]
fn history_and_bookmarks_of_browsers_are_read() {
    let outcome = import(
        "browser",
        &[
            ("Takeout/Chrome/History.json", HISTORY.as_bytes()),
            ("Default/Bookmarks", PROFILE.as_bytes()),
            ("bookmarks.html", PAGE.as_bytes()),
        ],
    );
    assert_eq!(outcome.rejected.len(), 1, "a visit without an address");
    let visit = outcome.find("visits", "title", "Valves");
    assert_eq!(text(visit, "visited_at"), "2026-01-01T00:00:00.123456Z");
    assert_eq!((text(visit, "host"), text(visit, "transition")), ("www.example.org", "link"));
    let plan = outcome.find("bookmarks", "title", "Plan");
    assert_eq!(text(plan, "folder"), "Bookmarks bar");
    assert_eq!(text(plan, "added_at"), "2026-01-01T00:00:00Z");
    assert_eq!(plan.get("last_used_at"), None);
    let nameless = outcome.find("bookmarks", "title", "https://example.org/b");
    assert_eq!(text(nameless, "folder"), "Bookmarks bar/House");
    let choir = outcome.find("bookmarks", "title", "Choir plan");
    assert_eq!(text(choir, "url"), "https://example.org/choir?a=1&b=2");
    assert_eq!((text(choir, "folder"), text(choir, "keyword")), ("Choir & more", "ch"));
    assert_eq!(choir["tags"].to_canonical(), r#"["music","friday"]"#);
    assert_eq!(text(outcome.find("bookmarks", "title", "Top"), "folder"), "");
}

const WATCHED: &str = r#"[
  {"header":"YouTube","title":"Watched How boilers work","titleUrl":"https://www.youtube.com/watch?v\u003dabc_123","subtitles":[{"name":"Heating","url":"https://www.youtube.com/channel/UC1"}],"time":"2026-01-01T10:00:00.123Z","products":["YouTube"],"activityControls":["YouTube watch history"]},
  {"header":"YouTube Music","title":"Ein Lied angesehen","titleUrl":"https://music.youtube.com/watch?v\u003dxyz","time":"2026-01-01T11:00:00Z","products":["YouTube"],"details":[{"name":"From Google Ads"}]},
  {"header":"YouTube","title":"Searched for choir songs","titleUrl":"https://www.youtube.com/results?search_query\u003dchoir+s%C3%B6ngs","time":"2026-01-01T12:00:00Z","products":["YouTube"]},
  {"header":"YouTube","title":"no time"}]"#;

#[test]
fn watched_videos_and_searches_are_told_apart_in_every_language() {
    let outcome = import("youtube", &[("history/watch-history.json", WATCHED.as_bytes())]);
    assert_eq!(outcome.rejected.len(), 1);
    let video = outcome.find("watches", "video_id", "abc_123");
    assert_eq!((text(video, "title"), text(video, "channel")), ("How boilers work", "Heating"));
    let song = outcome.find("watches", "title", "Ein Lied");
    assert_eq!((text(song, "product"), &song["is_ad"]), ("YouTube Music", &Json::Bool(true)));
    outcome.find("searches", "title", "choir söngs");
}

const PAGES: &str = r#"<html><head><title>x</title><style>.mdl-grid{}</style></head><body><div class="mdl-grid">
<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">YouTube<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Watched&nbsp;<a href="https://www.youtube.com/watch?v=abc_123&amp;t=1">How boilers &amp; valves work</a><br><a href="https://www.youtube.com/channel/UC1">Heating</a><br>Jan 1, 2026, 10:00:00&#8239;AM UTC<br></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div></div></div>
<div class="outer-cell"><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Watched a video that has been removed<br>Jan 1, 2026, 11:00:00&#8239;AM UTC<br></div></div>
<div class="outer-cell"><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Searched for&nbsp;<a href="https://www.youtube.com/results?search_query=choir">choir</a><br>1. janv. 2026<br></div></div>"#;

#[test]
fn the_history_of_youtube_is_read_from_a_page_too() {
    let name = "Takeout/YouTube and YouTube Music/history/watch-history.html";
    let page = PAGES;
    let outcome = import("youtube", &[(name, page.as_bytes())]);
    let video = outcome.find("watches", "video_id", "abc_123");
    assert_eq!(text(video, "title"), "How boilers & valves work");
    assert_eq!(
        (text(video, "channel"), text(video, "watched_at")),
        ("Heating", "2026-01-01T10:00:00Z")
    );
    assert_eq!(video.get("is_ad"), None);
    assert_eq!(outcome.stream("watches").len(), 2, "the video that is gone, too");
    assert_eq!(outcome.rejected.len(), 1, "a time in another language");
    let cut = import("youtube", &[(name, &page.as_bytes()[..page.len() / 2])]);
    assert!(!cut.rejected.is_empty() || !cut.stream("watches").is_empty());
}

const RECORDS: &str = r#"{"locations":[{"latitudeE7":525200080,"longitudeE7":-1234567,"accuracy":20,"activity":[{"activity":[{"type":"STILL","confidence":90}],"timestamp":"2026-01-01T00:00:00Z"}],"source":"WIFI","deviceTag":-123,"timestamp":"2026-01-01T00:00:00.500Z"},
  {"timestampMs":"1577836800000","latitudeE7":4294967286,"longitudeE7":1},{"timestamp":"2026-01-01T00:00:00Z"}]}"#;
const MONTH: &str = r#"{"timelineObjects":[
  {"placeVisit":{"location":{"latitudeE7":525200080,"longitudeE7":134049540,"placeId":"ChIJ1","address":"Street 1","name":"Choir hall","semanticType":"TYPE_UNKNOWN"},"duration":{"startTimestamp":"2020-01-01T10:00:00Z","endTimestamp":"2020-01-01T11:30:00Z"},"visitConfidence":90}},
  {"activitySegment":{"startLocation":{"latitudeE7":525200080,"longitudeE7":134049540},"endLocation":{"latitudeE7":525300080,"longitudeE7":134149540},"duration":{"startTimestampMs":"1577876400000","endTimestampMs":"1577877000000"},"distance":1200,"activityType":"IN_BUS","waypointPath":{"waypoints":[{"latE7":1,"lngE7":2}]}}}]}"#;
const PHONE: &str = r#"{"semanticSegments":[
  {"startTime":"2026-02-01T08:00:00.000+01:00","endTime":"2026-02-01T09:00:00.000+01:00","visit":{"hierarchyLevel":0,"probability":0.9,"topCandidate":{"placeId":"ChIJ2","semanticType":"HOME","probability":0.8,"placeLocation":{"latLng":"52.5200080°, 13.4049540°"}}}},
  {"startTime":"2026-02-01T09:00:00.000+01:00","endTime":"2026-02-01T09:10:00.000+01:00","activity":{"start":{"latLng":"52.5°, 13.4°"},"end":{"latLng":"52.6°, 13.5°"},"distanceMeters":900.5,"topCandidate":{"type":"WALKING","probability":0.7}}},
  {"startTime":"2026-02-01T09:00:00.000+01:00","endTime":"2026-02-01T11:00:00.000+01:00","timelinePath":[{"point":"52.5°, 13.4°","time":"2026-02-01T09:05:00.000+01:00"}]}],
 "rawSignals":[{"position":{"LatLng":"52.51°, 13.41°","accuracyMeters":12,"source":"GPS","timestamp":"2026-02-01T09:06:00.000+01:00"}},{"wifiScan":{}}],
 "userLocationProfile":{"frequentPlaces":[]}}"#;
const IPHONE: &str = r#"[{"endTime":"2026-03-01T09:00:00.000+01:00","startTime":"2026-03-01T08:00:00.000+01:00","visit":{"hierarchyLevel":"0","topCandidate":{"probability":"0.5","semanticType":"Work","placeID":"ChIJ3","placeLocation":"geo:52.520008,13.404954"},"probability":"0.75"}},
  {"endTime":"2026-03-01T11:00:00.000+01:00","startTime":"2026-03-01T09:00:00.000+01:00","timelinePath":[{"point":"geo:52.5,13.4","durationMinutesOffsetFromStartTime":"12"}]}]"#;

#[test]
fn the_timeline_is_read_in_all_its_forms() {
    let outcome = import(
        "location",
        &[
            ("Location History/Records.json", RECORDS.as_bytes()),
            ("Location History/Semantic Location History/2020/2020_JANUARY.json", MONTH.as_bytes()),
            ("Timeline.json", PHONE.as_bytes()),
            ("location-history.json", IPHONE.as_bytes()),
        ],
    );
    assert_eq!(outcome.rejected.len(), 1, "a position without a place");
    let point = outcome.find("points", "recorded_at", "2026-01-01T00:00:00.500Z");
    assert_eq!(
        (point["latitude"].to_canonical(), point["longitude"].to_canonical()),
        ("52.5200080".to_owned(), "-0.1234567".to_owned())
    );
    assert_eq!((text(point, "activity"), text(point, "device")), ("still", "-123"));
    let old = outcome.find("points", "recorded_at", "2020-01-01T00:00:00Z");
    assert_eq!(old["latitude"].to_canonical(), "-0.0000010");
    let hall = outcome.find("visits", "title", "Choir hall");
    assert_eq!(hall["duration_seconds"].to_canonical(), "5400");
    outcome.find("visits", "title", "home");
    let work = outcome.find("visits", "title", "work");
    assert_eq!(work["confidence"].to_canonical(), "0.75");
    let bus = outcome.find("trips", "title", "in bus");
    assert_eq!(
        (bus["distance_meters"].to_canonical(), bus["point_count"].to_canonical()),
        ("1200".to_owned(), "1".to_owned())
    );
    outcome.find("trips", "activity", "walking");
    outcome.find("points", "recorded_at", "2026-02-01T09:05:00.000+01:00");
    outcome.find("points", "source", "GPS");
    outcome.find("points", "recorded_at", "2026-03-01T08:12:00Z");
    assert_eq!(outcome.notes, ["signals of a phone that are no positions are left out"]);
}
