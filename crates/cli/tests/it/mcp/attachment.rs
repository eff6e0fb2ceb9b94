//! A file that came with a mail: what it is shows at once, its bytes only when they are asked for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::agent::Agent;
use super::lane::Class;
use super::world::World;
use crate::program::Home;

/// Bytes of the file: more than one chunk, and no text.
fn scan() -> Vec<u8> {
    (0..60_000_u32).map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap()).collect()
}

fn mail() -> String {
    let encoded = STANDARD.encode(scan());
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!(
        "Message-ID: <scan-1@example.org>\r\nFrom: Ada <ada@example.org>\r\nTo: b@example.org\r\n\
         Date: Mon, 2 Mar 2026 08:00:00 +0000\r\nSubject: The scanned boiler invoice\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"cut\"\r\n\r\n\
         --cut\r\nContent-Type: text/plain\r\n\r\nThe invoice is attached.\r\n\
         --cut\r\nContent-Type: application/pdf; name=\"invoice.pdf\"\r\n\
         Content-Disposition: attachment; filename=\"invoice.pdf\"\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{}\r\n--cut--\r\n",
        lines.join("\r\n")
    )
}

/// Follows the chunks of a file from an address on.
fn download(agent: &mut Agent, uri: &str) -> Vec<u8> {
    let (mut bytes, mut next) = (Vec::new(), Some(uri.to_owned()));
    while let Some(uri) = next {
        let read = agent.wire.request("resources/read", json!({"uri": uri})).unwrap();
        let contents = &read["contents"][0];
        assert_eq!(contents["mimeType"], "application/pdf", "{}: {contents}", agent.lane);
        assert!(read.to_string().len() <= 49_152, "{}", agent.lane);
        let chunk = STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap();
        bytes.extend(chunk);
        next = contents["_meta"]["pdpp/window"]["next_uri"].as_str().map(str::to_owned);
    }
    bytes
}

#[test]
fn journey_j9_an_attached_file_is_described_and_read_on_request_alone() {
    let home = Home::new();
    let path = home.file("scan.eml", &mail());
    let imported = home.run(&["import", "eml", &path, "--connection", "post"]);
    assert_eq!(imported.code, 0, "{}", imported.stderr);
    let encoded = STANDARD.encode(scan());
    World::over(home, &["post"]).every_lane(|world, agent| {
        let asked = json!({"stream": "attachments", "connection_id": world.id("post")});
        let listed = agent.call("query_records", &asked);
        let id = listed.ids()[0].clone();
        let fetched = agent.call("fetch", &json!({"id": id}));
        for view in [&listed, &fetched] {
            assert!(view.shows("invoice.pdf"), "{}: {view:?}", agent.lane);
            assert!(!view.shows(&encoded[..40]), "{}: {view:?}", agent.lane);
        }
        if agent.class == Class::Structured {
            told(&listed.data["content_ladder"], &agent.lane);
        } else {
            let fact = "[binary application/pdf 60000 bytes]";
            assert!(listed.shows(fact), "{}: {listed:?}", agent.lane);
        }
        let document = fetched.document();
        let field = told(&document["metadata"]["content_ladder"], &agent.lane);
        // As text the field is its description, never its bytes.
        let described = agent.window(&json!({"id": id, "field_path": field["path"]}));
        assert!(described.complete && described.text.contains("invoice.pdf"), "{described:?}");
        assert!(!described.text.contains(&encoded[..40]), "{}", agent.lane);
        // Whoever cannot read resources has the facts; the bytes come to others, who ask for them.
        if agent.class == Class::Resource {
            let bytes = download(agent, field["read"]["arguments"]["uri"].as_str().unwrap());
            assert_eq!(bytes, scan(), "{}", agent.lane);
        }
    });
}

/// The one field of a ladder, which tells everything about the file but its bytes.
fn told<'a>(ladder: &'a Value, lane: &str) -> &'a Value {
    let field = &ladder["records"][0]["fields"][0];
    let digest = Sha256::digest(scan());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    for (name, fact) in [
        ("preview_status", json!("binary-only")),
        ("mime_type", json!("application/pdf")),
        ("size_bytes", json!(60_000)),
        ("digest", json!(format!("sha256:{digest}"))),
    ] {
        assert_eq!(field[name], fact, "{lane}: {ladder}");
    }
    assert_eq!(field["read"]["method"], "resources/read", "{lane}: {field}");
    field
}
