//! What other programs keep in a client's settings is not shown, whatever the change around it.

use std::fs;

use super::{file_of, furnished};

/// A secret of another server, which nobody asked to see.
const TOKEN: &str = "sk-somebody-else-s";

#[test]
fn a_long_line_of_somebody_else_is_never_shown() {
    let home = furnished();
    let token = format!("{TOKEN}{}", "x".repeat(210));
    let server = format!("{{\"command\":\"npx\",\"env\":{{\"TOKEN\":\"{token}\"}}}}");
    let line = format!("{{\"mcpServers\":{{\"other\":{server}}}}}");
    assert!((280..320).contains(&line.len()), "neither short nor a book");
    for (more, way) in [(&[][..], "a person"), (&["--json"], "a script")] {
        fs::write(file_of(&home, "cursor"), &line).unwrap();
        for command in [&["setup", "cursor", "--dry-run"][..], &["setup", "cursor"]] {
            let answer = home.run(&[command, more].concat());
            let said = format!("{}{}", answer.stdout, answer.stderr);
            assert_eq!(answer.code, 0, "{said}");
            assert!(!said.contains(TOKEN), "{way} sees {said}");
            assert!(said.contains("(a long line)") && said.contains("--client"), "{said}");
        }
        let answer = home.run(&[&["setup", "cursor", "--remove"], more].concat());
        assert!(!format!("{}{}", answer.stdout, answer.stderr).contains(TOKEN), "{way}");
        assert_eq!(fs::read_to_string(file_of(&home, "cursor")).unwrap(), line);
    }
}

#[test]
fn an_address_that_stood_in_the_settings_is_not_shown_when_it_goes() {
    let home = furnished();
    let args = "\"mcp\", \"--client\", \"codex\", \"--database-url\", \"postgres://a:sesame@h/x\"";
    let text = format!("[mcp_servers.pdpp]\ncommand = \"pdpp\"\nargs = [{args}]\n");
    fs::write(file_of(&home, "codex"), text).unwrap();
    for more in [&[][..], &["--json"]] {
        let answer = home.run(&[&["setup", "codex", "--dry-run"], more].concat());
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        assert!(!answer.stdout.contains("sesame"), "{}", answer.stdout);
        assert!(answer.stdout.contains("--data-dir"), "what comes is shown: {}", answer.stdout);
    }
}
