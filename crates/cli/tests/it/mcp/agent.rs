//! An agent behind one client: it calls tools and gets nothing but what its client shows.

use serde_json::{Value, json};

use super::lane::{Class, Road};
use super::view::{View, Window};
use super::wire::Wire;

pub struct Agent {
    pub wire: Wire,
    pub class: Class,
    pub road: Road,
    /// For messages of failing tests.
    pub lane: String,
}

impl Agent {
    /// Calls a tool and keeps the part of the answer that this class of client shows.
    pub fn try_call(&mut self, tool: &str, arguments: &Value) -> View {
        let params = json!({"name": tool, "arguments": arguments});
        let result = self.wire.request("tools/call", params).unwrap_or_else(|error| {
            panic!("{}: {tool} {arguments}: {error}", self.lane);
        });
        View::of(self.class, &result)
    }

    /// Calls a tool that must not refuse.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> View {
        let view = self.try_call(tool, arguments);
        assert!(!view.refused, "{}: {tool} {arguments}: {view:?}", self.lane);
        view
    }

    /// Calls a tool that must refuse, and answers the refusal.
    pub fn refused(&mut self, tool: &str, arguments: &Value) -> Value {
        let view = self.try_call(tool, arguments);
        assert!(view.refused, "{}: {tool} {arguments}: {view:?}", self.lane);
        view.refusal()
    }

    /// Reads a resource's text.
    pub fn read(&mut self, uri: &str) -> Result<String, Value> {
        let result = self.wire.request("resources/read", json!({"uri": uri}))?;
        Ok(result["contents"][0]["text"].as_str().unwrap_or_default().to_owned())
    }

    /// A window by a call.
    pub fn window(&mut self, arguments: &Value) -> Window {
        self.call("read_record_field", arguments).window()
    }

    /// Everything of a field before and after a window, read by cursors.
    pub fn whole_field(&mut self, first: &Window, id: &str, field: &str) -> String {
        let mut text = first.text.clone();
        let (mut next, mut previous) = (first.next.clone(), first.previous.clone());
        let go_on = |cursor: &str| json!({"id": id, "field_path": field, "cursor": cursor});
        while let Some(cursor) = next {
            let window = self.window(&go_on(&cursor));
            text.push_str(&window.text);
            next = window.next;
        }
        while let Some(cursor) = previous {
            let window = self.window(&go_on(&cursor));
            text.insert_str(0, &window.text);
            previous = window.previous;
        }
        text
    }

    /// The same by following the addresses that resources give.
    pub fn whole_resource(&mut self, uri: &str) -> String {
        let first = Window::of_resource(&self.read(uri).unwrap());
        let mut text = first.text.clone();
        let (mut next, mut previous) = (first.next, first.previous);
        while let Some(uri) = next {
            let window = Window::of_resource(&self.read(&uri).unwrap());
            text.push_str(&window.text);
            next = window.next;
        }
        while let Some(uri) = previous {
            let window = Window::of_resource(&self.read(&uri).unwrap());
            text.insert_str(0, &window.text);
            previous = window.previous;
        }
        text
    }

    /// Every row of a listing, page after page, by the cursors that this client shows. No page may
    /// have more rows than were asked for.
    pub fn every_row(&mut self, tool: &str, arguments: &Value) -> Vec<String> {
        let mut rows = Vec::new();
        let mut arguments = arguments.clone();
        for _ in 0..100 {
            let view = self.call(tool, &arguments);
            let page = view.ids();
            let most = arguments["limit"].as_u64().unwrap_or(100);
            assert!(page.len() as u64 <= most, "{}: {} rows", self.lane, page.len());
            rows.extend(page);
            match view.next_cursor() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => return rows,
            }
        }
        panic!("{}: the pages do not end", self.lane);
    }
}
