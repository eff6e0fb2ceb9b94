//! One note: its title, tags, links, tasks and times.

use pdpp_contract::Json;

use super::front_matter::{split, take, words};
use crate::readers::file_name::base_name;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::Sink;

/// Most tags or links that are listed of one note.
const MAX_LISTED: usize = 2_000;
/// Names that people and programs give to the time at which a note was begun …
const CREATED: [&str; 6] =
    ["created", "created_at", "date created", "creation date", "date", "created-at"];
/// … and changed.
const UPDATED: [&str; 6] =
    ["updated", "updated_at", "modified", "date modified", "last modified", "lastmod"];

/// The record of a note, without what only its path tells.
pub fn read(name: &str, text: &str, sink: &Sink<'_>) -> RecordFields {
    let (mut members, body) = split(text);
    let stem = base_name(name).rsplit_once('.').map_or(name, |(stem, _)| stem);
    let title = match take(&mut members, &["title"]) {
        Some(Json::String(title)) if !title.trim().is_empty() => title,
        _ => own_title(stem, body),
    };
    let mut time = |names: &[&str]| {
        let value = take(&mut members, names)?;
        lenient::local_time(value.as_str()?, sink.local_zone())
    };
    let created_at = time(&CREATED).or_else(|| day_in(stem, sink));
    let updated_at = time(&UPDATED);
    let mut tags = words(take(&mut members, &["tags", "tag"]), &[',', ' ']);
    for tag in &mut tags {
        *tag = tag.trim_start_matches('#').to_owned();
    }
    let aliases = words(take(&mut members, &["aliases", "alias"]), &[',']);
    let mut found = Found { tags, ..Found::default() };
    found.look_through(body);
    let mut data = RecordFields::default()
        .text("title", title)
        .text("text", body)
        .texts("tags", found.tags)
        .texts("links", found.links)
        .texts("urls", found.urls)
        .maybe("created_at", created_at)
        .maybe("updated_at", updated_at)
        .count("task_count", found.tasks)
        .count("open_task_count", found.open_tasks);
    if !aliases.is_empty() {
        data = data.texts("aliases", aliases);
    }
    if !members.is_empty() {
        data = data.json("properties", Json::Object(members));
    }
    data
}

/// The name of the file, by which notes link to each other; the first heading where that says nothing.
fn own_title(stem: &str, body: &str) -> String {
    let says_nothing =
        ["readme", "index", "untitled"].contains(&stem.to_ascii_lowercase().as_str());
    let heading = body.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
    match heading.filter(|heading| says_nothing && !heading.is_empty()) {
        Some(heading) => heading.to_owned(),
        None if stem.is_empty() => "Untitled".to_owned(),
        None => stem.to_owned(),
    }
}

/// The day that a daily note is named after: `2026-03-01`, or `2026-03-01 Choir`.
fn day_in(stem: &str, sink: &Sink<'_>) -> Option<String> {
    lenient::local_time(stem.get(..10)?, sink.local_zone())
}

/// What stands in the text of a note.
#[derive(Default)]
struct Found {
    tags: Vec<String>,
    links: Vec<String>,
    urls: Vec<String>,
    tasks: usize,
    open_tasks: usize,
}

impl Found {
    fn look_through(&mut self, body: &str) {
        let mut fence: Option<&str> = None;
        for line in body.lines() {
            let start = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
            match (fence, mark) {
                (Some(open), Some(mark)) if open == mark => fence = None,
                (None, Some(mark)) => fence = Some(mark),
                (None, None) => self.look_at(line, start),
                _ => {}
            }
        }
    }

    fn look_at(&mut self, line: &str, start: &str) {
        let item = start.strip_prefix(['-', '*', '+']).map(str::trim_start);
        let state = item.and_then(|item| item.strip_prefix('[')?.get(..2));
        if let Some(state) = state.filter(|state| state.ends_with(']')) {
            self.tasks += 1;
            self.open_tasks += usize::from(state.starts_with(' '));
        }
        self.find_links(line);
        self.find_urls(line);
        self.find_tags(line);
    }

    /// `[[Note#Heading|Words]]`, `![[picture.png]]`, `[words](file.md)`
    fn find_links(&mut self, line: &str) {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("[[") {
            let Some((inside, after)) = after.split_once("]]") else { break };
            let target = inside.split(['|', '#', '^']).next().unwrap_or_default();
            add(&mut self.links, target);
            rest = after;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let end = after.find([')', ' ']).unwrap_or(after.len());
            let target = after.get(..end).unwrap_or_default().trim_matches(['<', '>']);
            if !target.contains("://") && !target.starts_with(['#', '/']) && !target.contains(':') {
                let target = target.split('#').next().unwrap_or_default();
                add(&mut self.links, &target.replace("%20", " "));
            }
            rest = after;
        }
    }

    fn find_urls(&mut self, line: &str) {
        for scheme in ["https://", "http://"] {
            let mut rest = line;
            while let Some(at) = rest.find(scheme) {
                let found = rest.get(at..).unwrap_or_default();
                let end = found.find(|c: char| c.is_whitespace() || "<>\"'`)]|".contains(c));
                let (url, after) = found.split_at(end.unwrap_or(found.len()));
                let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?']);
                if url.len() > scheme.len() {
                    add(&mut self.urls, url);
                }
                rest = after;
            }
        }
    }

    /// `#heating/boiler`, where it begins a word. A number alone is no tag, nor is a heading.
    fn find_tags(&mut self, line: &str) {
        let mut before = ' ';
        for (at, letter) in line.char_indices() {
            if letter == '#' && before.is_whitespace() {
                let rest = line.get(at + 1..).unwrap_or_default();
                let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-/".contains(c)));
                let tag = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                if tag.chars().any(|c| !c.is_ascii_digit()) {
                    add(&mut self.tags, tag.trim_end_matches('/'));
                }
            }
            before = letter;
        }
    }
}

fn add(list: &mut Vec<String>, item: &str) {
    let item = item.trim();
    if !item.is_empty() && list.len() < MAX_LISTED && !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}
