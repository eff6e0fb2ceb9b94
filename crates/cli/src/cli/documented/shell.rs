//! Lines of a shell, as far as documentation uses it: quotes, comments, pipes and chains.

/// The commands of a line, each as its words. Comments are gone and quotes are taken off.
pub fn words(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | ';' | '&') if word.is_none() || c == ';' => {
                commands.last_mut().unwrap().extend(word.take());
                commands.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => commands.last_mut().unwrap().extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    commands.last_mut().unwrap().extend(word);
    commands.retain(|words| !words.is_empty());
    commands
}

/// What `pdpp` is given in a command; `None` when it is another program's.
pub fn arguments(words: &[String]) -> Option<Vec<String>> {
    // Where output goes is the shell's business.
    let is_redirection = |word: &String| word.trim_start_matches('2').starts_with(['>', '<']);
    let end = words.iter().position(is_redirection).unwrap_or(words.len());
    let words = &words[..end];
    let is_program = |word: &String| word == "pdpp" || word.ends_with("/pdpp");
    let mut rest = words;
    loop {
        rest = match rest {
            [first, ..] if is_assignment(first) => &rest[1..],
            [sudo, user, _, ..] if sudo == "sudo" && user == "-u" => &rest[3..],
            [other, ..] if ["sudo", "env", "exec", "$"].contains(&other.as_str()) => &rest[1..],
            _ => break,
        };
    }
    if rest.first().is_some_and(is_program) {
        return Some(rest[1..].to_vec());
    }
    // `claude mcp add pdpp -- pdpp mcp …`, `cargo run --release -- demo`
    let after = rest.iter().position(|word| word == "--").map(|at| &rest[at + 1..])?;
    if after.first().is_some_and(is_program) {
        return Some(after[1..].to_vec());
    }
    let is_ours = rest.first().is_some_and(|word| word == "cargo") && rest[1] == "run";
    is_ours.then(|| after.to_vec())
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    })
}

#[test]
fn commands_are_found_behind_other_words() {
    for (line, given) in [
        ("pdpp serve   # until Ctrl-C", "serve"),
        ("sudo -u pdpp pdpp owner password", "owner password"),
        ("PDPP_LOG=debug ./target/release/pdpp serve", "serve"),
        ("tap-x --config c.json | pdpp import singer -", "import singer -"),
        ("claude mcp add pdpp -- pdpp mcp --client a", "mcp --client a"),
        ("cargo run --release -- demo", "demo"),
        ("pdpp completions bash > a/pdpp", "completions bash"),
        ("pdpp connection rename a 'Work # mail; old'", "connection rename a Work # mail; old"),
    ] {
        let found: Vec<String> =
            words(line).iter().filter_map(|one| arguments(one)).map(|one| one.join(" ")).collect();
        assert_eq!(found, [given], "{line}");
    }
    for line in ["docker run pdpp", "apt install pdpp", "# pdpp serve", "claude mcp get pdpp"] {
        assert!(words(line).iter().all(|one| arguments(one).is_none()), "{line}");
    }
    assert_eq!(words("pdpp audit && pdpp verify; pdpp health").len(), 3);
}
