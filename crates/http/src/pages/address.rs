//! Query strings of our own links.

/// `a=b&c=d` of the pairs that have a value, each escaped.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> =
        pairs.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
    pairs.join("&")
}

/// A value as it stands in an address.
pub fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let escape = |byte: u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(escape).collect()
}

/// The record page's query for one record.
pub fn record(account: &str, stream: &str, id: &str) -> String {
    query(&[("account", account), ("stream", stream), ("id", id)])
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_of_any_spelling_survive_an_address() {
        let address = super::record("cin_a", "notes", "a/b?c=d&e\u{e9} \"");
        assert_eq!(address, "account=cin_a&stream=notes&id=a%2Fb%3Fc%3Dd%26e%C3%A9%20%22");
        assert_eq!(super::query(&[("a", ""), ("b", "1")]), "b=1");
    }
}
