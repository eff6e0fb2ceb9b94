//! The daily standup notes, from tables of what people do.

use super::super::day::Day;
use super::super::dice::Dice;

const PEOPLE: &[&str] = &["maya", "sana", "priya", "elif", "ben"];
const DONE: &[&str] = &[
    "reviewed the booking page on three phones",
    "answered every pilot port",
    "wrote tests for berth swaps",
    "cut two fields from the form",
    "called the printer people",
    "read logs until they made sense",
    "drew the empty state of the map",
    "tidied the price table",
];
const NEXT: &[&str] = &[
    "the Portuguese texts",
    "the print list for seven in the morning",
    "receipts with VAT on its own line",
    "the harbour map at low bandwidth",
    "a quieter error page",
    "the queue that keeps bookings in order",
    "zone handling for ports without summer time",
];
const BLOCKED: &[&str] = &[
    "nothing in the way",
    "nothing in the way",
    "waiting for the payment sandbox",
    "waiting for a tide table from the port",
    "too many meetings",
];

/// Two people a day, on working days from late September on.
pub fn lines() -> Vec<String> {
    let mut dice = Dice::new(20_261_027);
    let mut lines = Vec::new();
    let mut turn = 0;
    for number in 0..54 {
        let day = Day::new(9, 24).plus(number);
        if !day.is_working() {
            continue;
        }
        for minute in [0, 4] {
            let who = PEOPLE.get(turn % PEOPLE.len()).copied().unwrap_or("maya");
            let who = if who == "maya" && day.is_in_lisbon() { "oskar" } else { who };
            turn += 1;
            let date = day.to_string();
            let short = date.trim_start_matches("2026-");
            lines.push(format!(
                "{short} 09:{:02} | {who} | Yesterday: {}. Today: {}. {}.",
                minute + dice.roll(4),
                dice.pick(DONE),
                dice.pick(NEXT),
                capitalised(dice.pick(BLOCKED))
            ));
        }
    }
    lines
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
