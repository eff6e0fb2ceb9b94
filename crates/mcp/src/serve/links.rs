//! Which clients get `resource_link` blocks: all but those known to trip over them.

/// Parts of the names of clients that drop a result, or ask their user to approve a file, when it
/// carries a link.
const TRIP_OVER_LINKS: [&str; 4] = ["kiro", "chatgpt", "openai-mcp", "agno"];

/// Whether to send links to a client: what it says of itself decides, else the name its token was
/// issued to and what its requests call themselves.
pub(super) fn wanted(said: &str, issued: &str, agent: &str) -> bool {
    let names: &[&str] = if said.is_empty() { &[issued, agent] } else { &[said] };
    !names.iter().any(|name| trips(name))
}

fn trips(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TRIP_OVER_LINKS.iter().any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_known_decides_and_strangers_get_links() {
        assert!(wanted("", "", ""));
        assert!(wanted("claude-code", "", ""));
        assert!(!wanted("Kiro IDE", "", ""));
        assert!(!wanted("", "", "openai-mcp/1.0"));
        assert!(!wanted("", "chatgpt", "node"));
        assert!(!wanted("", "my-agent", "openai-mcp/1.0"), "an issued name tells little");
        assert!(wanted("my-agent", "", "openai-mcp/1.0"), "a client's own word comes first");
    }
}
