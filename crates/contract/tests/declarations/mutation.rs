//! Whatever is done to a declaration, reading it ends in a value or in faults with real places.

use pdpp_contract::SourceDeclaration;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::edit::{FULL, full};

/// Values that tend to break readers.
fn intruders() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(18_446_744_073_709_551_615_u64),
        json!(1e300),
        json!(""),
        json!("*"),
        json!("~1/~0\u{0}"),
        json!("id"),
        json!("x".repeat(200)),
        json!([]),
        json!([[], {}]),
        json!({}),
        json!({ "$ref": "http://x" }),
        json!({ "type": ["null"] }),
    ])
}

fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                pointers(member, format!("{at}/{token}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// A fault stands at a value of the document, or at a member that one of its objects lacks.
fn has_a_place(document: &Value, path: &str) -> bool {
    let above = path.rsplit_once('/').map(|(above, _)| above);
    document.pointer(path).is_some()
        || above.is_some_and(|above| document.pointer(above).is_some_and(Value::is_object))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replaced_values_never_break_the_reader(
        changes in prop::collection::vec((any::<prop::sample::Index>(), intruders()), 1..4),
    ) {
        let mut document = full();
        for (index, intruder) in changes {
            let mut all = Vec::new();
            pointers(&document, String::new(), &mut all);
            let place: &String = index.get(&all);
            *document.pointer_mut(place).unwrap() = intruder;
        }
        match SourceDeclaration::parse(&document.to_string()) {
            Ok(declaration) => {
                let text = serde_json::to_string(&declaration).unwrap();
                prop_assert_eq!(SourceDeclaration::parse(&text).unwrap(), declaration);
            }
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                for fault in faults {
                    prop_assert!(has_a_place(&document, &fault.path), "{}", fault.path);
                }
            }
        }
    }

    #[test]
    fn damaged_text_never_breaks_the_reader(
        from in any::<prop::sample::Index>(), length in 0_usize..40, patch in ".{0,8}",
    ) {
        let chars: Vec<char> = FULL.chars().collect();
        let from = from.index(chars.len());
        let until = (from + length).min(chars.len());
        let mut text: String = chars[..from].iter().collect();
        text.push_str(&patch);
        text.extend(&chars[until..]);
        let _ = SourceDeclaration::parse(&text);
    }
}
