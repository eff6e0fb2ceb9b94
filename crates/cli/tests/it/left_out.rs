//! What every new grant leaves out, as an agent meets it: codes, secrets and what goes with them.

use serde_json::{Value, json};

use crate::program::Home;
use crate::running::Running;

/// An ordinary thread, a mail with a code and a picture of it, one with a key.
fn mailbox() -> String {
    let head = |id: &str, day: u32, subject: &str| {
        format!(
            "From a@x Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@x>\nMessage-ID: <{id}@x>\nDate: Mon, {day} Jan 2026 \
             10:00:00 +0000\nSubject: {subject}\n"
        )
    };
    let key = format!("ghp_{}", "q7Zk2Vx9LmB4tRw8Yc1NsJ5Hd0Pf3GaT6uEo");
    let with_file = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\
        Hello,\n\n*482913*\n\n--b\nContent-Type: image/png\nContent-Disposition: attachment; filename=sign-in.png\n\nPNG\n--b--\n";
    format!(
        "{}\nDinner on Friday?\n\n{}{with_file}\n{}\nThe deploy key: {key}\n\n{}In-Reply-To: <1@x>\nReferences: <1@x>\n\nYour one-time code is 730155.\n",
        head("1", 5, "Dinner"),
        head("2", 6, "Your sign-in code"),
        head("3", 7, "Deploying"),
        head("4", 8, "Re: Dinner"),
    )
}

fn filled() -> Home {
    let home = Home::new();
    let mailbox_file = home.file("all.mbox", &mailbox());
    let report = home.run(&["import", "mbox", &mailbox_file, "--connection", "post", "--json"]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    home
}

fn issued(home: &Home, more: &[&str]) -> Value {
    home.json(
        &[&["grant", "create", "--client", "agent", "--allow", "post", "--json"][..], more]
            .concat(),
    )
}

/// The titles an agent sees of a stream.
fn seen(server: &Running, issued: &Value, stream: &str, field: &str) -> Vec<String> {
    let token = issued["access_token"].as_str().unwrap();
    let page = server.get(&format!("/v1/streams/{stream}/records?limit=100&count=exact"), token);
    assert_eq!(page.status, 200, "{:?}", page.body);
    let rows = page.body["data"].as_array().unwrap();
    let mut titles: Vec<String> =
        rows.iter().map(|row| row["data"][field].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles
}

#[test]
fn a_new_grant_leaves_out_codes_and_secrets_and_what_goes_with_them() {
    let home = filled();
    let server = Running::serve(&home);
    let usual = issued(&home, &[]);
    assert_eq!(usual["grants"][0]["leave_out_codes"], true);
    assert_eq!(usual["grants"][0]["leave_out_secrets"], true);
    assert_eq!(seen(&server, &usual, "messages", "subject"), ["Dinner"]);
    assert_eq!(
        seen(&server, &usual, "threads", "subject"),
        ["Dinner"],
        "as it was before the code came"
    );
    assert_eq!(seen(&server, &usual, "attachments", "filename"), [""; 0]);

    let codes = issued(&home, &["--show", "codes"]);
    assert_eq!(
        seen(&server, &codes, "messages", "subject"),
        ["Dinner", "Re: Dinner", "Your sign-in code"]
    );
    assert_eq!(seen(&server, &codes, "threads", "subject"), ["Dinner", "Your sign-in code"]);
    assert_eq!(seen(&server, &codes, "attachments", "filename"), ["sign-in.png"]);

    let all = issued(&home, &["--show", "codes,secrets"]);
    assert_eq!(all["grants"][0]["leave_out_secrets"], false);
    assert_eq!(
        seen(&server, &all, "threads", "subject"),
        ["Deploying", "Dinner", "Your sign-in code"]
    );

    // As before, and no contradiction is settled silently.
    let named = issued(&home, &["--leave-out", "codes,secrets"]);
    assert_eq!(seen(&server, &named, "messages", "subject"), ["Dinner"]);
    let both = [
        "grant",
        "create",
        "--client",
        "agent",
        "--allow",
        "post",
        "--show",
        "codes",
        "--leave-out",
        "codes",
    ];
    let refused = home.run(&both);
    assert_eq!(refused.code, 64, "{}", refused.stderr);
}

#[test]
fn the_words_of_a_grant_say_what_it_leaves_out() {
    let home = filled();
    let create = ["grant", "create", "--client", "agent", "--allow", "post"];
    let usual = home.run(&create).stdout;
    assert!(usual.contains("without one-time codes") && usual.contains("--show codes"), "{usual}");
    assert!(usual.contains("without keys, tokens and passwords"), "{usual}");
    let shown = home.run(&[&create[..], &["--show", "secrets", "--replace"]].concat()).stdout;
    assert!(shown.contains("with keys, tokens and passwords"), "{shown}");
    let listed = home.run(&["grant", "list"]).stdout;
    assert!(listed.contains("codes, secrets"), "{listed}");
    let document = home.json(&["grant", "show", "agent", "--json"]);
    let package = &document["packages"][1]["grants"][0];
    assert_eq!(
        (&package["leave_out_codes"], &package["leave_out_secrets"]),
        (&json!(true), &json!(false))
    );
}
