//! The dashboard that is shipped asks for numbers that a server gives.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::client::Call;
use crate::world::World;

const DASHBOARD: &str = include_str!("../../../../packaging/grafana/pdpp.json");
/// Labels that Prometheus adds to everything it collects.
const ADDED: [&str; 2] = ["instance", "job"];
/// Words of the query language that stand where names do.
const WORDS: [&str; 7] =
    ["sum", "count", "rate", "by", "histogram_quantile", "label_values", "__rate_interval"];

fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "expr" || name == "definition" => {
                        found.push(text.clone());
                    }
                    _ => expressions(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        _ => {}
    }
}

/// The names in an expression, without what stands in quotes.
fn names(expression: &str) -> BTreeSet<String> {
    let unquoted: String = expression.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    unquoted
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn every_number_and_label_of_the_dashboard_exists() {
    let world = World::filled().await;
    let token = world.owner().await;
    world.get("/v1/streams", &token).await;
    let reply = Call::get("/metrics").send(world.addr).await;
    let known: BTreeSet<String> = reply
        .text()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| names(line.rsplit_once(' ').map_or(line, |(name, _)| name)))
        .collect();
    assert!(known.contains("pdpp_http_requests_total"), "{known:?}");
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let mut asked = Vec::new();
    expressions(&dashboard["panels"], &mut asked);
    assert_eq!(asked.len(), 15, "{asked:?}");
    expressions(&dashboard["templating"], &mut asked);
    for expression in asked {
        for name in names(&expression) {
            let is_known = known.contains(&name)
                || ADDED.contains(&name.as_str())
                || WORDS.contains(&name.as_str());
            assert!(is_known, "{name} in {expression}");
        }
    }
    for metric in known.iter().filter(|name| name.starts_with("pdpp_")) {
        let is_part = ["_sum", "_count"].iter().any(|end| metric.ends_with(end));
        assert!(is_part || DASHBOARD.contains(metric.as_str()), "{metric} is shown nowhere");
    }
}
