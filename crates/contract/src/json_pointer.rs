//! Member names in JSON pointers (RFC 6901).

/// The name as a token of a pointer: `~` first, or the `~` of `~1` would be escaped again.
pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The member name that a token stands for.
pub fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_back_from_its_token() {
        assert_eq!(escaped("a/b~c~1"), "a~1b~0c~01");
        assert_eq!(unescaped("a~1b~0c~01"), "a/b~c~1");
    }
}
