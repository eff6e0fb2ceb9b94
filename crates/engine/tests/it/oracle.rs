//! What a grant should show, computed the plain way over records in memory.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::world::{message, thread};

/// A record as it was sent.
#[derive(Clone)]
pub struct Sent {
    pub connection: &'static str,
    pub stream: &'static str,
    pub data: Value,
}

impl Sent {
    pub fn id(&self) -> &str {
        self.data["id"].as_str().unwrap()
    }

    pub fn line(&self) -> Value {
        match self.stream {
            "messages" => message(self.id(), self.data.clone()),
            _ => thread(self.id(), self.data["title"].as_str().unwrap()),
        }
    }
}

/// The records of the small world: edges of time, ties, missing and unreadable times.
pub fn records() -> Vec<Sent> {
    let mail = |connection, id: &str, sent_at: Value, subject: &str, size: i64| Sent {
        connection,
        stream: "messages",
        data: json!({"id": id, "sent_at": sent_at, "subject": subject, "size": size,
                     "body": format!("body of {id}")}),
    };
    let thread = |connection, id: &str| Sent {
        connection,
        stream: "threads",
        data: json!({"id": id, "title": format!("about {id}")}),
    };
    vec![
        mail("work-mail", "m1", json!("2026-01-01T00:00:00Z"), "a", 1),
        mail("work-mail", "m2", json!("2026-02-01T01:00:00+01:00"), "b", 10),
        mail("work-mail", "m3", json!("2026-02-01T00:00:00Z"), "a", 9),
        mail("work-mail", "m4", Value::Null, "b", 100),
        mail("work-mail", "m5", json!("not a time"), "a", 2),
        mail("home-mail", "m1", json!("2026-02-01T00:00:00Z"), "a", 5),
        mail("home-mail", "m6", json!("2026-03-01"), "c", 7),
        thread("work-mail", "t1"),
        thread("home-mail", "t1"),
        thread("home-mail", "t2"),
    ]
}

/// A grant in the oracle's words.
#[derive(Clone, Debug)]
pub struct Allowed {
    pub connections: Vec<&'static str>,
    /// Fields of messages; `None` when the stream is not granted.
    pub messages: Option<Vec<&'static str>>,
    /// Fields of threads; `None` when the stream is not granted.
    pub threads: Option<Vec<&'static str>>,
    pub since: Option<&'static str>,
    pub until: Option<&'static str>,
}

impl Allowed {
    pub fn specs(&self) -> Vec<String> {
        let mut specs = Vec::new();
        for connection in &self.connections {
            if let Some(fields) = &self.messages {
                let mut spec = format!("{connection}/messages:{}", fields.join(","));
                if self.since.is_some() || self.until.is_some() {
                    let (since, until) = (self.since.unwrap_or(""), self.until.unwrap_or(""));
                    spec.push_str(&format!("@{since}..{until}"));
                }
                specs.push(spec);
            }
            if let Some(fields) = &self.threads {
                specs.push(format!("{connection}/threads:{}", fields.join(",")));
            }
        }
        specs
    }

    pub fn fields(&self, stream: &str) -> Option<&Vec<&'static str>> {
        match stream {
            "messages" => self.messages.as_ref(),
            _ => self.threads.as_ref(),
        }
    }

    /// Whether the grant shows a record.
    pub fn shows(&self, record: &Sent) -> bool {
        if !self.connections.contains(&record.connection) || self.fields(record.stream).is_none() {
            return false;
        }
        let bounded = self.since.is_some() || self.until.is_some();
        if record.stream != "messages" || !bounded {
            return true;
        }
        let Some(at) = nanos(&record.data["sent_at"]) else {
            return false;
        };
        let bound = |text: &str| nanos(&json!(text)).unwrap();
        self.since.is_none_or(|since| at >= bound(since))
            && self.until.is_none_or(|until| at < bound(until))
    }

    /// What of a record the grant shows.
    pub fn project(&self, record: &Sent) -> Value {
        let fields = self.fields(record.stream).unwrap();
        let kept = record
            .data
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| name.as_str() == "id" || fields.contains(&name.as_str()));
        Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// The visible records of a stream in the order of a list.
    pub fn list<'a>(
        &self,
        all: &'a [Sent],
        stream: &str,
        sort: Option<&str>,
        descending: bool,
    ) -> Vec<&'a Sent> {
        let mut shown: Vec<&Sent> =
            all.iter().filter(|record| record.stream == stream && self.shows(record)).collect();
        let default = (stream == "messages").then_some("sent_at");
        let granted = |field: &&str| self.fields(stream).is_some_and(|all| all.contains(field));
        let field = sort.or(default).filter(granted);
        shown.sort_by(|a, b| compare(a, b, field, descending));
        shown
    }
}

fn compare(a: &Sent, b: &Sent, field: Option<&str>, descending: bool) -> Ordering {
    let value = |record: &Sent| match field {
        Some("sent_at") => nanos(&record.data["sent_at"]),
        Some(field) => record.data[field].as_i64().map(i128::from),
        None => None,
    };
    let turn = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    let (x, y) = (value(a), value(b));
    x.is_none()
        .cmp(&y.is_none())
        .then_with(|| turn(x.cmp(&y)))
        .then_with(|| turn(a.id().cmp(b.id())))
        .then_with(|| connection_key(a).cmp(&connection_key(b)))
}

fn connection_key(record: &Sent) -> String {
    crate::world::connection_id(record.connection).to_string()
}

/// An instant in nanoseconds, by a reading of its own: enough for the times used here.
fn nanos(value: &Value) -> Option<i128> {
    let text = value.as_str()?;
    let full = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    full.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_nanosecond)
}
