//! The tree of a conversation: every edit and every second answer is a branch of it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use pdpp_contract::{Json, JsonObject};

use crate::record::lenient;

/// The messages of a conversation, parents before children as far as there is a root.
pub struct Tree<'c> {
    /// Nodes that hold a message.
    pub nodes: Vec<Node<'c>>,
}

/// A message in its place.
pub struct Node<'c> {
    /// The message's id.
    pub id: &'c str,
    /// The message it follows.
    pub parent: Option<&'c str>,
    /// Messages and empty nodes above it.
    pub depth: usize,
    /// Whether it is on the branch that the person saw last.
    pub is_current: bool,
    /// The message.
    pub message: &'c JsonObject,
}

impl<'c> Tree<'c> {
    /// Reads the `mapping` of a conversation. Loops and missing parents lose no message.
    pub fn new(conversation: &'c JsonObject) -> Self {
        let empty = &EMPTY;
        let mapping = lenient::object(conversation, "mapping").unwrap_or(empty);
        let raw: BTreeMap<&str, &JsonObject> = mapping
            .iter()
            .filter_map(|(id, node)| Some((id.as_str(), node.as_object()?)))
            .collect();
        let depths = depths(&raw);
        let current = current_branch(&raw, lenient::text(conversation, "current_node"));
        let mut nodes: Vec<Node<'c>> = raw
            .iter()
            .filter_map(|(id, node)| {
                let message = lenient::object(node, "message")?;
                let parent = parent(node).filter(|parent| {
                    raw.get(parent).is_some_and(|above| lenient::object(above, "message").is_some())
                });
                let parent = parent.and_then(|parent| message_id(parent, raw.get(parent)?));
                Some(Node {
                    id: lenient::text(message, "id").unwrap_or(id),
                    parent,
                    depth: depths.get(id).copied().unwrap_or(0),
                    is_current: current.contains(id),
                    message,
                })
            })
            .collect();
        nodes.sort_by_key(|node| node.depth);
        Self { nodes }
    }
}

static EMPTY: JsonObject = JsonObject::new();

fn parent(node: &JsonObject) -> Option<&str> {
    node.get("parent").and_then(Json::as_str)
}

fn message_id<'c>(node_id: &'c str, node: &'c JsonObject) -> Option<&'c str> {
    let message = lenient::object(node, "message")?;
    Some(lenient::text(message, "id").unwrap_or(node_id))
}

/// How far each node is from its root; nodes of a loop have no distance.
fn depths<'c>(raw: &BTreeMap<&'c str, &'c JsonObject>) -> HashMap<&'c str, usize> {
    let mut children: HashMap<&str, Vec<&'c str>> = HashMap::new();
    let mut open: VecDeque<(&'c str, usize)> = VecDeque::new();
    for (id, node) in raw {
        match parent(node).filter(|parent| raw.contains_key(parent)) {
            Some(parent) => children.entry(parent).or_default().push(id),
            None => open.push_back((id, 0)),
        }
    }
    let mut depths = HashMap::new();
    while let Some((id, depth)) = open.pop_front() {
        depths.insert(id, depth);
        let below = children.get(id).into_iter().flatten();
        open.extend(below.map(|child| (*child, depth + 1)));
    }
    depths
}

fn current_branch<'c>(
    raw: &BTreeMap<&'c str, &'c JsonObject>,
    leaf: Option<&'c str>,
) -> HashSet<&'c str> {
    let mut branch = HashSet::new();
    let mut at = leaf;
    while let Some(id) = at {
        // The second visit ends a loop.
        if !branch.insert(id) {
            break;
        }
        at = raw.get(id).copied().and_then(parent);
    }
    branch
}
