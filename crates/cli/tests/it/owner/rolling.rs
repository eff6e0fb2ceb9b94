//! Time limits that roll, as they are typed and said.

use crate::program::Home;
use crate::sample::letters;

use super::imported;

#[test]
fn a_rolling_limit_is_kept_as_a_rule_and_said_in_words() {
    let home = Home::new();
    imported(&home, "post", &letters(0..3));
    let create = |client: &str, spec: &str| {
        home.run(&["grant", "create", "--client", client, "--allow", spec])
    };
    let words = create("agent", "post/letters:subject@30d..+2w");
    assert_eq!(words.code, 0, "{}", words.stderr);
    assert!(words.stdout.contains("post/letters:id,subject@30d..+2w"), "{}", words.stdout);
    let said = "letters: sent_at from 30 days ago until before in 2 weeks; this moves every day";
    for line in [&["grant", "show", "agent"][..], &["grant", "list"]] {
        let shown = home.run(line).stdout;
        assert!(shown.contains(said), "{line:?}: {shown}");
    }
    let shown = home.json(&["grant", "show", "agent", "--json"]);
    let limit = &shown["packages"][0]["grants"][0]["streams"][0]["time_constraint"];
    let wire = serde_json::json!({"field": "sent_at", "since_rule": "-30d", "until_rule": "+2w"});
    assert_eq!(*limit, wire);
    let month = home.json(&[
        "grant",
        "create",
        "--client",
        "b",
        "--allow",
        "post/letters@2026-03..2026-04",
        "--json",
    ]);
    let limit = &month["grants"][0]["streams"][0]["time_constraint"];
    assert_eq!(limit["since"], "2026-03-01T00:00:00Z");
    assert_eq!(limit["until"], "2026-04-01T00:00:00Z");
    let unsigned = create("c", "post/letters@..30d");
    assert_eq!(unsigned.code, 64);
    assert!(unsigned.stderr.contains("-30d or +30d"), "{}", unsigned.stderr);
}
