//! Which clients get `resource_link` blocks: all but those known to trip over them.

/// Parts of the names of clients that drop a result, or ask their user to approve a file, when it
/// carries a link.
const TRIP_OVER_LINKS: [&str; 4] = ["kiro", "chatgpt", "openai-mcp", "agno"];

/// Whether to send links to a client that goes by any of these names.
pub(super) fn wanted<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    let Some(name) = names.into_iter().find(|name| !name.is_empty()) else {
        return true;
    };
    let name = name.to_ascii_lowercase();
    !TRIP_OVER_LINKS.iter().any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_that_is_known_decides_and_strangers_get_links() {
        assert!(wanted([]));
        assert!(wanted([""]));
        assert!(wanted(["claude-code"]));
        assert!(!wanted(["Kiro IDE"]));
        assert!(!wanted(["", "openai-mcp/1.0"]));
        assert!(wanted(["my-agent", "openai-mcp/1.0"]), "what a client says of itself comes first");
    }
}
