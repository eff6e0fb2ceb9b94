//! A drawing of cost against size: one line per measurement that was made in both stores.

use std::fmt::Write as _;

use serde_json::Value;

use super::report::{Report, ReportLine, float};
use super::timing::spoken;
use pdpp_contract::grouped::grouped;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 620.0;
/// Where the two sizes stand, and the highest and lowest cost.
const SMALL_AT: f64 = 90.0;
const LARGE_AT: f64 = 430.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 570.0;
/// Room for one label.
const LABEL: f64 = 15.0;

/// What a measurement costs in the small and in the large store, in microseconds.
struct Cost<'a> {
    what: &'a str,
    small: f64,
    large: f64,
}

/// The drawing, as an SVG document.
pub fn svg(report: &Report) -> String {
    let costs: Vec<Cost<'_>> = report.lines.iter().filter_map(cost).collect();
    let all = || costs.iter().flat_map(|cost| [cost.small, cost.large]);
    let least = all().fold(f64::MAX, f64::min).max(0.1).log10().floor();
    let most = all().fold(1.0, f64::max).log10().ceil().max(least + 1.0);
    let height =
        |cost: f64| BOTTOM - (cost.max(0.1).log10() - least) / (most - least) * (BOTTOM - TOP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{SMALL_AT}\" y=\"24\" font-size=\"16\">What a call costs, by the size of the \
         store (p50, flat is good)</text>\n"
    );
    let mut power = least;
    while power <= most {
        let (cost, y) = (10_f64.powf(power), height(10_f64.powf(power)));
        let label = spoken(std::time::Duration::from_secs_f64(cost / 1e6));
        push(
            &mut out,
            &format!(
                "<path d=\"M{SMALL_AT} {y:.1}H{LARGE_AT}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
                SMALL_AT - 8.0,
                y + 4.0
            ),
        );
        power += 1.0;
    }
    for (at, records) in [SMALL_AT, LARGE_AT].into_iter().zip(report.records) {
        push(
            &mut out,
            &format!(
                "<text x=\"{at}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#555\">{} records</text>",
                BOTTOM + 24.0,
                grouped(records)
            ),
        );
    }
    lines(&mut out, &costs, &height);
    out.push_str("</svg>\n");
    out
}

/// The lines, and their names beside them without covering each other.
fn lines(out: &mut String, costs: &[Cost<'_>], height: &dyn Fn(f64) -> f64) {
    let mut order: Vec<&Cost<'_>> = costs.iter().collect();
    order.sort_by(|a, b| b.large.total_cmp(&a.large));
    let mut free = TOP - LABEL;
    for (cost, number) in order.into_iter().zip(0_u64..) {
        let (from, to) = (height(cost.small), height(cost.large));
        let y = to.max(free + LABEL);
        free = y;
        let colour = format!("hsl({:.0} 65% 40%)", float(number) * 47.0 % 360.0);
        push(
            out,
            &format!(
                "<path d=\"M{SMALL_AT} {from:.1}L{LARGE_AT} {to:.1}L{:.0} {y:.1}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" fill=\"{colour}\">{}, x{:.2}</text>",
                LARGE_AT + 22.0,
                LARGE_AT + 28.0,
                y + 4.0,
                escaped(cost.what),
                cost.large / cost.small.max(0.1)
            ),
        );
    }
}

fn push(out: &mut String, element: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{element}");
}

/// A line that was timed in both stores.
fn cost(line: &ReportLine) -> Option<Cost<'_>> {
    let p50 = |which: &str| line.details.get(which)?.get("p50_us").and_then(Value::as_f64);
    let what = line.what.rsplit_once(", ").map_or(line.what.as_str(), |(what, _)| what);
    Some(Cost { what, small: p50("small")?, large: p50("large")? })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bar::Bar;
    use crate::report::Unit;

    #[test]
    fn a_measurement_in_both_stores_is_a_line_and_others_are_not() {
        let line = |what: &str, details: Value| ReportLine {
            what: what.to_owned(),
            value: 1.0,
            unit: Unit::Ratio,
            bar: Bar::NONE,
            baseline: String::new(),
            details,
        };
        let both = json!({"small": {"p50_us": 10.0}, "large": {"p50_us": 12.5}});
        let lines = vec![line("a <page>, 1M / 100k", both), line("other", json!({}))];
        let drawing =
            svg(&Report { quick: true, records: [100_000, 1_000_000], long_bytes: 0, lines });
        assert!(drawing.starts_with("<svg") && drawing.ends_with("</svg>\n"));
        assert!(drawing.contains("a &lt;page&gt;, x1.25"), "{drawing}");
        assert!(!drawing.contains("other"));
        assert!(drawing.contains("1,000,000 records"));
    }
}
