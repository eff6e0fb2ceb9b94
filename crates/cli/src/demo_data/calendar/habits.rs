//! What repeats every week: one-to-one talks, choir, yoga, the call with Shiomihama.

use super::super::day::Day;
use super::Event;

/// Slug, first day, hours, weeks, title, place, guests.
type Habit = (
    &'static str,
    &'static str,
    &'static str,
    u16,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const HABITS: &[Habit] = &[
    (
        "one-to-one",
        "09-07",
        "14:00-14:30",
        10,
        "Maya and Tove",
        "Skagerrak",
        &["maya-work+", "tove+"],
    ),
    ("choir", "09-08", "18:30-20:30", 11, "Choir rehearsal", "Chapel", &["maya+", "choir+"]),
    (
        "shiomihama",
        "09-10",
        "10:00-10:45",
        10,
        "Shiomihama trial, weekly call",
        "Video",
        &["maya-work+", "haruto+", "sana?"],
    ),
    ("yoga", "09-13", "10:00-11:00", 9, "Yoga 🧘🏼‍♀️", "Community hall", &[]),
];

/// Every week of every habit; those during the trip are cancelled.
pub fn events() -> Vec<Event> {
    let mut events = Vec::new();
    for (slug, first, hours, weeks, title, place, guests) in HABITS {
        for week in 0..*weeks {
            let day = Day::parse(first).plus(week * 7);
            events.push(Event {
                id: format!("evt-{slug}-{day}"),
                day,
                hours: (*hours).to_owned(),
                title: (*title).to_owned(),
                location: Some((*place).to_owned()),
                guests: guests.iter().map(|guest| (*guest).to_owned()).collect(),
                offset: None,
                cancelled: day.is_in_lisbon(),
                description: String::new(),
            });
        }
    }
    events
}
