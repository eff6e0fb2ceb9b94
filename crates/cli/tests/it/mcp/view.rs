//! What a client of one class shows of an answer, and how its agent reads it.

use serde_json::Value;

use super::lane::Class;

/// The visible part of one tool answer.
#[derive(Debug, Clone)]
pub struct View {
    pub refused: bool,
    class: Class,
    /// The text blocks; empty for a structured-only client.
    pub text: String,
    /// The structured content; null for the others. On refusals what `_meta` says.
    pub data: Value,
    /// Addresses of links; only for a client that follows them.
    pub links: Vec<String>,
}

impl View {
    pub fn of(class: Class, result: &Value) -> Self {
        let refused = result["isError"] == true;
        let blocks = result["content"].as_array().cloned().unwrap_or_default();
        let text = |block: &Value| block["text"].as_str().map(str::to_owned);
        let texts: Vec<String> = blocks.iter().filter_map(text).collect();
        let links = blocks.iter().filter(|block| block["type"] == "resource_link");
        let links = links.filter_map(|link| link["uri"].as_str().map(str::to_owned)).collect();
        let none =
            |links| Self { refused, class, text: texts.join("\n"), data: Value::Null, links };
        match class {
            Class::Content => none(Vec::new()),
            Class::Resource => none(links),
            Class::Structured => {
                let data = if refused {
                    &result["_meta"]["pdpp/error"]
                } else {
                    &result["structuredContent"]
                };
                Self { refused, class, text: String::new(), data: data.clone(), links: Vec::new() }
            }
        }
    }

    fn is_data(&self) -> bool {
        self.class == Class::Structured
    }

    /// Whether a text stands anywhere in what the client shows.
    pub fn shows(&self, text: &str) -> bool {
        self.everything().contains(text)
    }

    /// Everything the client shows, as one text.
    pub fn everything(&self) -> String {
        if self.is_data() { self.data.to_string() } else { self.text.clone() }
    }

    pub fn refusal(&self) -> Value {
        if self.is_data() { self.data.clone() } else { serde_json::from_str(&self.text).unwrap() }
    }

    /// A document of `fetch`.
    pub fn document(&self) -> Value {
        if self.is_data() {
            self.data.clone()
        } else {
            serde_json::from_str(self.text.lines().next().unwrap()).unwrap()
        }
    }

    /// The ids of the hits or rows, in order.
    pub fn ids(&self) -> Vec<String> {
        if !self.is_data() {
            // Rows stand by source where there is no room to read them; their numbers are the order.
            let mut rows: Vec<(u32, String)> = self.text.lines().filter_map(row).collect();
            rows.sort();
            return rows.into_iter().map(|(_, id)| id).collect();
        }
        if let Some(results) = self.data["results"].as_array() {
            return results.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect();
        }
        let records = self.data["data"]["data"].as_array().cloned().unwrap_or_default();
        let id = |record: &Value| {
            let text = |name: &str| record[name].as_str().unwrap();
            format!("{}/{}:{}", text("connection_id"), text("stream"), text("id"))
        };
        records.iter().map(id).collect()
    }

    /// The id of the best hit.
    pub fn first_id(&self) -> String {
        self.ids().remove(0)
    }

    /// Where a listing goes on, as far as this client shows it.
    pub fn next_cursor(&self) -> Option<String> {
        if self.is_data() {
            return self.data["data"]["next_cursor"].as_str().map(str::to_owned);
        }
        self.word("next_cursor=")
    }

    /// What `schema` says that a field can do.
    pub fn field_words(&self, field: &str) -> String {
        if self.is_data() {
            let stream = &self.data["data"]["connectors"][0]["streams"][0];
            return stream["field_capabilities"][field].as_str().unwrap_or_default().to_owned();
        }
        let mut lines = self.text.lines();
        lines
            .find_map(|line| line.trim().strip_prefix(field)?.strip_prefix(": "))
            .unwrap()
            .to_owned()
    }

    /// What to pass as `changes_since` later.
    pub fn bookmark(&self) -> Option<String> {
        if self.is_data() {
            return self.data["data"]["next_changes_since"].as_str().map(str::to_owned);
        }
        self.word("next_changes_since=")
    }

    /// The exact count.
    pub fn count(&self) -> u64 {
        if self.is_data() {
            return self.data["data"]["meta"]["count"]["value"].as_u64().unwrap();
        }
        self.word("count=exact:").unwrap().parse().unwrap()
    }

    /// The rows that are gone.
    pub fn deleted(&self) -> Vec<String> {
        if self.is_data() {
            let records = self.data["data"]["data"].as_array().unwrap().iter();
            let gone = records.filter(|record| record["deleted"] == true);
            return gone.map(|record| record["id"].as_str().unwrap().to_owned()).collect();
        }
        let gone = self.text.lines().filter(|line| line.contains(" deleted_at="));
        gone.filter_map(row_id).map(|id| id.rsplit(':').next().unwrap().to_owned()).collect()
    }

    /// Key and count of each group.
    pub fn groups(&self) -> Vec<(String, u64)> {
        if self.is_data() {
            let groups = self.data["data"]["groups"].as_array().unwrap().iter();
            let group = |group: &Value| {
                (
                    group["key"].as_str().unwrap_or_default().to_owned(),
                    group["count"].as_u64().unwrap(),
                )
            };
            return groups.map(group).collect();
        }
        let lines = self.text.lines().skip(1).filter_map(|line| line.rsplit_once(" = "));
        lines.map(|(key, count)| (printed(key), count.parse().unwrap())).collect()
    }

    /// The word behind a name, up to the next space.
    fn word(&self, name: &str) -> Option<String> {
        let (before, rest) = self.text.split_once(name)?;
        // `next_cursor=` must not be found inside another name.
        let whole = before.chars().last().is_none_or(char::is_whitespace);
        let word = rest.split_whitespace().next()?;
        whole.then(|| word.to_owned())
    }

    /// A window of `read_record_field`.
    pub fn window(&self) -> Window {
        if !self.is_data() {
            return Window::of_text(&self.text, "next_cursor", "previous_cursor");
        }
        let window = &self.data["window"];
        let cursor = |name: &str| window[name].as_str().map(str::to_owned);
        Window {
            text: window["text"].as_str().unwrap().to_owned(),
            next: cursor("next_cursor"),
            previous: cursor("previous_cursor"),
            complete: window["complete"] == true,
        }
    }

    /// How to read the first match: arguments of a call, as far as this client shows them.
    pub fn read_arguments(&self) -> Value {
        if self.is_data() {
            return self.data["content_ladder"]["records"][0]["fields"][0]["read"]["arguments"]
                .clone();
        }
        let (_, call) = self.text.rsplit_once("read_record_field ").unwrap();
        let mut values = serde_json::Deserializer::from_str(call).into_iter::<Value>();
        values.next().unwrap().unwrap()
    }
}

/// A range of a field and the way on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub text: String,
    pub next: Option<String>,
    pub previous: Option<String>,
    pub complete: bool,
}

impl Window {
    /// One JSON line, a newline, then exactly the text.
    fn of_text(block: &str, next: &str, previous: &str) -> Self {
        let (header, text) = block.split_once('\n').unwrap();
        let header: Value = serde_json::from_str(header).unwrap();
        let member = |name: &str| header[name].as_str().map(str::to_owned);
        let range = header["end_chars"].as_u64().unwrap() - header["start_chars"].as_u64().unwrap();
        assert_eq!(range, u64::try_from(text.chars().count()).unwrap(), "{header}");
        Self {
            text: text.to_owned(),
            next: member(next),
            previous: member(previous),
            complete: header["complete"] == true,
        }
    }

    pub fn of_resource(text: &str) -> Self {
        Self::of_text(text, "next_uri", "previous_uri")
    }
}

/// The id in a line that shows a row.
fn row_id(line: &str) -> Option<String> {
    row(line).map(|(_, id)| id)
}

/// The number and the id of a row.
fn row(line: &str) -> Option<(u32, String)> {
    let (number, rest) = line.split_once(". id=")?;
    Some((number.parse().ok()?, printed(rest)))
}

/// A printed value: a JSON string, or everything up to the next space.
fn printed(text: &str) -> String {
    if text.starts_with('"') {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        return strings.next().unwrap().unwrap();
    }
    text.split(' ').next().unwrap().to_owned()
}
