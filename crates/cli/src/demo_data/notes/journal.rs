//! Short journal pages, one per Sunday and Wednesday, from tables.

use super::super::day::Day;
use super::super::dice::Dice;

const WEATHER: &[&str] = &[
    "Rain from the side.",
    "Clear and cold, the cranes in the harbour looked drawn.",
    "Fog until noon.",
    "Warm enough for the balcony.",
    "Wind from the west, hats in the tram.",
];
const DEED: &[&str] = &[
    "Walked to Slottsskogen and back.",
    "Painted one wall of the hallway in fog, which is a colour.",
    "Sang the alto part to the washing machine.",
    "Cooked for two days at once.",
    "Carried boxes out of the cellar.",
    "Read forty pages and remembered twelve.",
];
const THOUGHT: &[&str] = &[
    "Must ask Jonas about the noise at night.",
    "Harbor is quiet today, which is the best kind of news.",
    "I should call Mum more often than she calls me.",
    "The loft is warm. I went up only to stand there.",
    "Next year: fewer lists. (Added to the list.)",
    "Lisbon again in spring?",
];

/// Path, time and text of each page.
pub fn notes() -> Vec<(String, String, String)> {
    let mut dice = Dice::new(14);
    let mut pages = Vec::new();
    for number in 0..73 {
        let day = Day::new(9, 3).plus(number);
        if !matches!(day.weekday(), 2 | 6) || day.is_in_lisbon() {
            continue;
        }
        let body =
            format!("# {day}\n\n{} {} {}", dice.pick(WEATHER), dice.pick(DEED), dice.pick(THOUGHT));
        pages.push((format!("journal/{day}.md"), day.at("22:15"), body));
    }
    pages
}
