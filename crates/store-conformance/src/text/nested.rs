//! Text inside objects and arrays, by paths.

use std::sync::Arc;

use pdpp_contract::Json;
use pdpp_contract::record::TextKind;

use super::super::sample::Account;
use super::{long, read, text, window};
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;
use pdpp_store::text::{TextAnswer, TextRead};

/// Writes a note whose `parts` hold these members, once short and once made long by padding that
/// sorts before and after them.
async fn both_sizes(store: &Arc<dyn Store>, members: &str) -> [ReadScope; 2] {
    let pad = "p".repeat(6_000);
    let bodies = [
        format!(r#"{{"id":"n","parts":{{{members}}}}}"#),
        format!(
            r#"{{"id":"n","parts":{{" ":["{pad}",{{"{pad}":"{pad}"}}],{members},"￿":"{pad}"}}}}"#
        ),
    ];
    let mut scopes = Vec::new();
    for (name, body) in ["short", "long"].iter().zip(bodies) {
        let account = Account::open(store, name).await;
        account.put("notes", &[body]).await;
        scopes.push(account.scope("notes"));
    }
    scopes.try_into().unwrap_or_else(|_| panic!("two scopes"))
}

async fn whole(store: &Arc<dyn Store>, scope: &ReadScope, path: &str) -> String {
    text(window(store, scope, "n", path, (0, u32::MAX)).await).text
}

pub(super) async fn nested_text_is_read_in_short_containers(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = r#"{"id":"n","tags":["first",{"deep":["é😀"]}],"parts":{"a":{"b":"found"}}}"#;
    account.put("notes", &[record]).await;
    let scope = account.scope("notes");
    assert_eq!(whole(&store, &scope, "/tags/0").await, "first");
    assert_eq!(whole(&store, &scope, "/tags/1/deep/0").await, "é😀");
    assert_eq!(whole(&store, &scope, "/parts/a/b").await, "found");
    assert_eq!(whole(&store, &scope, "/id").await, "n");
    let part = text(window(&store, &scope, "n", "/tags/1/deep/0", (1, 5)).await);
    assert_eq!((part.text.as_str(), part.start, part.total_chars), ("😀", 1, 2));
}

pub(super) async fn nested_text_is_read_in_long_containers(store: Arc<dyn Store>) {
    let story = long("漢é😀", 9_000);
    let members =
        format!(r#""a":{{"story":"{story}","short":"s\u0000t"}},"list":["x",["y","{story}"]]"#);
    for scope in both_sizes(&store, &members).await {
        assert_eq!(whole(&store, &scope, "/parts/a/story").await, story);
        assert_eq!(whole(&store, &scope, "/parts/a/short").await, "s\0t");
        assert_eq!(whole(&store, &scope, "/parts/list/0").await, "x");
        assert_eq!(whole(&store, &scope, "/parts/list/1/0").await, "y");
        assert_eq!(whole(&store, &scope, "/parts/list/1/1").await, story);
        let part = text(window(&store, &scope, "n", "/parts/a/story", (3_999, 3)).await);
        assert_eq!((part.text.as_str(), part.total_chars), ("漢é😀", 9_000));
        let ask = TextRead::Match { q: "É😀漢".to_owned(), before: 0, after: 0, limit: 10 };
        let found = text(read(&store, &scope, "n", "/parts/list/1/1", ask).await);
        assert_eq!(found.matched, Some((1, 4)));
        let list = text(window(&store, &scope, "n", "/parts/list/1", (0, 6)).await);
        assert_eq!((list.kind, list.text.as_str()), (TextKind::Json, "[\"y\",\""));
    }
}

pub(super) async fn escaped_segments_name_odd_members(store: Arc<dyn Store>) {
    let story = long("s", 9_000);
    let members = format!(
        r#""":"empty","0":"zero","a.b":"dotted","a/b":"{story}","m~n":"tilde","q\"\\":{{"~1":"deep"}}"#
    );
    for scope in both_sizes(&store, &members).await {
        for (path, expected) in [
            ("/parts/", "empty"),
            ("/parts/0", "zero"),
            ("/parts/a.b", "dotted"),
            ("/parts/a~1b", story.as_str()),
            ("/parts/m~0n", "tilde"),
            ("/parts/q\"\\/~01", "deep"),
        ] {
            assert_eq!(whole(&store, &scope, path).await, expected, "{path}");
        }
    }
}

pub(super) async fn missing_segments_are_no_field(store: Arc<dyn Store>) {
    let members = r#""a":{"b":"text"},"list":["x"],"text":"plain""#;
    for scope in both_sizes(&store, members).await {
        for path in [
            "/parts/none",
            "/parts/a/none",
            "/parts/a/b/c",
            "/parts/list/1",
            "/parts/list/01",
            "/parts/list/-",
            "/parts/list/-1",
            "/parts/list/x",
            "/parts/text/0",
            "/none/a",
            "/parts/a/b/",
            "/parts/list/99999999999999999999",
        ] {
            let answer = window(&store, &scope, "n", path, (0, 5)).await;
            assert_eq!(answer, TextAnswer::NoField, "{path}");
        }
    }
    // Below a plain string there is nothing, however long it is.
    let account = Account::open(&store, "plain").await;
    let body = long("[1] ", 9_000);
    account.put("notes", &[format!(r#"{{"id":"n","title":"[1]","body":"{body}"}}"#)]).await;
    for path in ["/body/0", "/title/0", "/body/x", "/body/"] {
        let answer = window(&store, &account.scope("notes"), "n", path, (0, 5)).await;
        assert_eq!(answer, TextAnswer::NoField, "{path}");
    }
}

pub(super) async fn numbers_beside_the_path_can_be_of_any_size(store: Arc<dyn Store>) {
    let digits = "7".repeat(300);
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let members = format!(
        r#""a":{digits},"b":1e400,"c":-0.{digits}E-400,"d":{deep},"e":{{"n":{digits}}},"z":"text""#
    );
    for scope in both_sizes(&store, &members).await {
        assert_eq!(whole(&store, &scope, "/parts/z").await, "text");
        assert_eq!(whole(&store, &scope, "/parts/e").await, format!(r#"{{"n":{digits}}}"#));
        assert_eq!(whole(&store, &scope, "/parts/d").await, deep);
        let number = window(&store, &scope, "n", "/parts/b", (0, 5)).await;
        assert_eq!(number, TextAnswer::NotText("number"));
    }
}

pub(super) async fn a_container_is_its_canonical_text(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let items: Vec<String> = (0..3_000).map(|n| format!("{{\"é\": {n}.0 }}")).collect();
    let long_text = format!("[{}]", items.join(" ,"));
    let record = format!(r#"{{"id":"n","tags":{long_text},"parts":{{"b":1.0,"a":"é"}}}}"#);
    account.put("notes", &[record]).await;
    let scope = account.scope("notes");
    assert_eq!(whole(&store, &scope, "parts").await, r#"{"a":"é","b":1.0}"#);
    let canonical = Json::parse(&long_text).unwrap().to_canonical();
    assert_eq!(whole(&store, &scope, "tags").await, canonical);
    let found = text(window(&store, &scope, "n", "tags", (4_000, 50)).await);
    assert_eq!(found.kind, TextKind::Json);
    assert_eq!(found.text, super::expected(&canonical, 4_000, 50));
    assert_eq!(whole(&store, &scope, "/tags/2999").await, r#"{"é":2999.0}"#);
}
