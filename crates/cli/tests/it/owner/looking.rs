//! Search and show, as the owner and as an agent.

use serde_json::{Value, json};

use super::imported;
use crate::program::Home;
use crate::sample::{letter, letters};

fn granted(home: &Home, client: &str, spec: &str) -> Value {
    home.json(&["grant", "create", "--client", client, "--allow", spec, "--json"])
}

fn ids(page: &Value) -> Vec<&str> {
    page["results"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

#[test]
fn the_owner_finds_a_record_and_reads_it() {
    let home = Home::new();
    let long = format!("The boiler was mended. {}", "More about it. ".repeat(2_000));
    imported(&home, "post", &format!("{}{}\n", letters(0..5), letter(7, &long)));
    imported(&home, "old-post", &letters(0..3));
    let page = home.json(&["search", "boiler", "mended", "--json"]);
    assert_eq!(ids(&page), ["post/letters:l7"]);
    assert_eq!(page["results"][0]["title"], "Letter 7");
    assert_eq!(page["recall"]["complete"], true);
    let document = home.run(&["--json", "search", "boiler"]);
    assert_eq!((document.stdout.lines().count(), document.stderr.as_str()), (1, ""));
    let words = home.run(&["search", "boiler"]).stdout;
    assert!(words.contains("Letter 7") && words.contains("pdpp show post/letters:l7"), "{words}");
    let one = home.json(&["search", "reader", "--account", "old-post", "--json"]);
    assert_eq!(one["results"].as_array().unwrap().len(), 3);
    assert_eq!(home.run(&["search", "nothing-like-it"]).stdout, "No results.\n");
    let first = home.json(&["search", "reader", "--limit", "3", "--json"]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let next = home.json(&["search", "reader", "--limit", "3", "--cursor", cursor, "--json"]);
    assert!(ids(&first).iter().all(|id| !ids(&next).contains(id)), "{first} {next}");

    let record = home.json(&["show", "post/letters:l7", "--json"]);
    assert_eq!(record["data"]["subject"], "Letter 7");
    assert_eq!(record["previews"][0]["field"], "body");
    let words = home.run(&["show", "post/letters:l7"]).stdout;
    let hint = "read on: pdpp show post/letters:l7 --field body --from 2000";
    assert!(words.contains(hint), "{words}");
    assert!(words.contains("no agent has access to anything"), "{words}");
    let window = home.run(&["show", "post/letters:l7", "--field", "body", "--from", "4"]);
    assert!(window.stdout.starts_with("boiler was mended."), "{}", window.stdout);
    assert!(window.stderr.contains("--field body --from 16388"), "{}", window.stderr);
    let ambiguous = home.run(&["show", "letters:l1", "--json"]);
    assert!(ambiguous.stderr.contains("ambiguous_connection"), "{}", ambiguous.stderr);
    for (id, code) in [("post/letters:l99", 1), ("nonsense", 64), ("post/nothing:l1", 1)] {
        assert_eq!(home.run(&["show", id]).code, code, "{id}");
    }
}

#[test]
fn the_owner_is_told_who_can_see_a_record_and_why_not() {
    let home = Home::new();
    let code = letter(9, "Your verification code is 482913. Do not share it with anyone.");
    imported(&home, "post", &format!("{}{code}\n", letters(0..5)));
    imported(&home, "other", &letters(0..1));
    granted(&home, "all", "post");
    granted(&home, "heads", "post/letters:subject,sent_at");
    granted(&home, "later", "post/letters@2026-03-20..");
    granted(&home, "parcels", "post/parcels");
    granted(&home, "elsewhere", "other");
    granted(&home, "ended", "post");
    home.json(&["grant", "revoke", "ended", "--json"]);
    let record = home.json(&["show", "post/letters:l1", "--json"]);
    let agents = record["agents"].as_array().unwrap();
    let of = |name: &str| agents.iter().find(|agent| agent["client"] == name).unwrap();
    assert_eq!(agents.len(), 5, "an agent whose access has ended sees nothing");
    assert_eq!((&of("all")["visible"], &of("all")["hidden_fields"]), (&json!(true), &json!([])));
    assert_eq!(of("heads")["fields"], json!(["id", "subject", "sent_at"]));
    assert_eq!(of("heads")["hidden_fields"], json!(["body", "secret"]));
    assert_eq!(of("later")["reasons"], json!(["outside_time_limit"]));
    assert_eq!(of("parcels")["reasons"], json!(["stream_not_granted"]));
    assert_eq!(of("elsewhere")["reasons"], json!(["account_not_granted"]));
    assert_eq!((&record["codes"], &record["secrets"]), (&json!(false), &json!(false)));
    let record = home.json(&["show", "post/letters:l9", "--json"]);
    assert_eq!(record["codes"], true);
    let all = &record["agents"].as_array().unwrap()[0];
    assert_eq!((&all["client"], &all["reasons"]), (&json!("all"), &json!(["code_left_out"])));
    let words = home.run(&["show", "post/letters:l9"]).stdout;
    assert!(words.contains("all cannot see it: it has to do with a one-time code"), "{words}");
}

#[test]
fn looking_as_an_agent_answers_as_that_agent_is_answered() {
    let home = Home::new();
    imported(&home, "post", &letters(0..5));
    imported(&home, "other", &letters(0..2));
    granted(&home, "heads", "post/letters:subject,sent_at@2026-03-02..2026-03-04");
    let page = home.json(&["search", "letter", "--as", "heads", "--json"]);
    assert_eq!(ids(&page), ["post/letters:l2", "post/letters:l1"]);
    assert_eq!(page["as"], "heads");
    let hidden = home.json(&["search", "mat", "--as", "heads", "--json"]);
    assert_eq!(ids(&hidden), [""; 0], "words of a hidden field find nothing");
    let record = home.json(&["show", "post/letters:l1", "--as", "heads", "--json"]);
    assert_eq!(record["data"].as_object().unwrap().len(), 3);
    assert!(record.get("agents").is_none(), "an agent is not told about others");
    for id in ["post/letters:l4", "post/letters:l99"] {
        let refused = home.run(&["show", id, "--as", "heads", "--json"]);
        assert_eq!(refused.code, 1, "{id}");
        assert!(refused.stderr.contains("no record with this id"), "{}", refused.stderr);
    }
    let outside = ["show", "post/letters:l1", "--field", "secret", "--as", "heads"];
    assert_ne!(home.run(&outside).code, 0);
    let events = home.json(&["audit", "--client", "heads", "--json"]);
    assert_eq!(events["events"], json!([]), "the agent itself has read nothing");
    home.json(&["grant", "revoke", "heads", "--json"]);
    let ended = home.run(&["search", "letter", "--as", "heads", "--json"]);
    assert_eq!(ended.code, 77, "{}", ended.stderr);
    assert!(ended.stderr.contains("grant_revoked"), "{}", ended.stderr);
    let unknown = home.run(&["search", "letter", "--as", "nobody"]);
    assert!(unknown.stderr.contains("nobody"), "{}", unknown.stderr);
}
