//! The text of attachments, read by a process of its own: an agent finds it, and a hostile file costs a
//! refusal and nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::program::Home;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
/// Mutations that are tried.
const SMALL: u32 = 24;
/// … in a long run.
const LONG: u32 = 20_000;

/// One page with one line of text.
fn pdf(words: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 720 Td ({words}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let (start, count) = (file.len(), objects.len() + 1);
    file.push_str(&format!("xref\n0 {count}\n0000000000 65535 f \n"));
    for place in places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!(
        "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    file.into_bytes()
}

/// A mailbox of one letter with these files.
fn mailbox(files: &[(&str, &[u8])]) -> String {
    let mut mail = "From a@x Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@x>\nMessage-ID: <1@x>\n\
        Date: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: Papers\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nAttached.\n"
        .to_owned();
    for (name, content) in files {
        mail.push_str(&format!(
            "--b\nContent-Type: application/octet-stream; name=\"{name}\"\n\
             Content-Transfer-Encoding: base64\n\n{}\n",
            STANDARD.encode(content)
        ));
    }
    mail + "--b--\n"
}

fn imported(home: &Home, mailbox: &str) -> Value {
    home.json(&["import", "mbox", mailbox, "--connection", "mail", "--json", "--quiet"])
}

fn ask(home: &Home, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let said =
        home.run_with_input(&["mcp", "--client", "agent"], format!("{HELLO}\n{call}\n").as_bytes());
    let answers = said.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = answers.into_iter().find(|answer| answer["id"] == 2);
    answer.unwrap_or_else(|| panic!("{}", said.stderr))["result"].clone()
}

#[test]
fn an_agent_finds_the_text_of_an_attachment() {
    let home = Home::new();
    let file = mailbox(&[
        ("plan.pdf", &pdf("The ferry leaves from the second pier")),
        ("broken.pdf", b"%PDF-1.4 and then nothing"),
        ("notes.rtf", br"{\rtf1 Bring the anchor\par}"),
    ]);
    let path = home.file("all.mbox", &file);
    assert_eq!(imported(&home, &path)["streams"]["attachments"]["added"], 3);
    home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);
    for (words, filename) in [("ferry second pier", "plan.pdf"), ("anchor", "notes.rtf")] {
        let found = ask(&home, "search", &json!({"query": words, "limit": 3}));
        let id = found["structuredContent"]["results"][0]["id"].as_str().unwrap_or_default();
        let record = ask(&home, "fetch", &json!({"id": id}));
        assert!(record.to_string().contains(filename), "{words}: {found} {record}");
    }
    let again = imported(&home, &path);
    assert_eq!((&again["added"], &again["changed"]), (&json!(0), &json!(0)));
}

/// Changes some bytes, always the same ones for the same number.
fn mutated(mut file: Vec<u8>, number: u32) -> Vec<u8> {
    let mut state = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below.max(1)).unwrap()).unwrap()
    };
    for _ in 0..=next(8) {
        let (at, length) = (next(file.len()), file.len());
        match next(4) {
            0 => file[at] = u8::try_from(next(256)).unwrap(),
            1 => file[at] = b"0123456789<>[]()/ "[next(18)],
            2 => {
                let end = (at + next(40)).min(length);
                let part = file[at..end].to_vec();
                file.splice(at..at, part);
            }
            _ => {
                let end = (at + next(20)).min(length - 1);
                file.drain(at..end);
            }
        }
    }
    file
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the heavy run says so in the environment")]
fn no_damage_to_a_file_is_more_than_a_refusal() {
    let rounds = if std::env::var_os("PDPP_HEAVY").is_some() { LONG } else { SMALL };
    let home = Home::new();
    for number in 0..rounds {
        let file = mutated(pdf("The boiler plan"), number);
        let answer = home.run_with_input(&["read-text", "pdf"], &file);
        // A text, a refusal, or an end by the process's own limits; never a hang.
        assert!(answer.stdout.len() < 100_000, "{number}");
    }
    let files: Vec<Vec<u8>> = (0..rounds.min(40)).map(|number| mutated(pdf("x"), number)).collect();
    let named: Vec<(&str, &[u8])> = files.iter().map(|file| ("a.pdf", file.as_slice())).collect();
    let path = home.file("all.mbox", &mailbox(&named));
    let report = imported(&home, &path);
    assert_eq!(report["streams"]["attachments"]["added"], named.len());
    assert_eq!(report["rejected"], 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_nothing_but_beginnings_is_read_or_refused() {
    let home = Home::new();
    let page = "<p>".repeat(1 << 20);
    let answer = home.run_with_input(&["read-text", "html"], page.as_bytes());
    assert_eq!(answer.code, 0, "a large page is no attack");
    let deep = format!("{{\\rtf1 {}", "{".repeat(1 << 20));
    assert_eq!(home.run_with_input(&["read-text", "rtf"], deep.as_bytes()).code, 65);
}
