//! `pdpp history`: a shorter log expires the bookmarks that miss something, and no others.

use crate::program::Home;
use crate::running::Running;
use crate::sample::{imported, letter};

#[test]
fn pruning_ends_old_bookmarks() {
    let home = Home::new();
    for word in ["one", "two", "three"] {
        imported(&home, "post", &letter(0, word));
    }
    let grant = home.json(&["grant", "create", "--client", "a", "--allow", "post", "--json"]);
    let token = grant["access_token"].as_str().unwrap();
    let server = Running::start(&home, &["serve", "--json", "--listen", "127.0.0.1:0"]);
    let path = "/v1/streams/letters/records?changes_since=";
    let first = server.get(&format!("{path}beginning"), token);
    let bookmark = first.body["next_changes_since"].as_str().unwrap().to_owned();
    for word in ["four", "five", "six"] {
        imported(&home, "post", &letter(0, word));
    }
    assert_eq!(home.json(&["history", "show", "--json"])["changes"], 6);
    assert_eq!(server.get(&format!("{path}{bookmark}"), token).status, 200);
    let kept = home.json(&["history", "prune", "--keep-changes", "6", "--json"]);
    assert_eq!(kept["forgotten_versions"], 0);
    let pruned = home.json(&["history", "prune", "--keep-changes", "0", "--json"]);
    assert!(pruned["forgotten_versions"].as_u64().unwrap() > 0);
    let expired = server.get(&format!("{path}{bookmark}"), token);
    assert_eq!((expired.status, &expired.body["error"]["code"]), (410, &"cursor_expired".into()));
    assert_eq!(server.get(&format!("{path}beginning"), token).status, 200);
}
