//! The machine-written part of both inboxes: builds, timesheets, order notices, statements, kitchen letters.

use super::super::day::Day;
use super::super::dice::Dice;
use super::super::orders;
use super::letter::{Letter, notice};

const BRANCHES: &[&str] = &["main", "tides", "berth-map", "payments", "print-list", "i18n-ja"];
const RESULTS: &[&str] = &[
    "all 1,184 tests passed",
    "all 1,190 tests passed, 2 were slow",
    "1 test failed: booking at midnight lands on both days",
    "1 test failed: tide table keeps the port's own zone",
    "all tests passed after one retry",
];
const DISHES: &[&str] = &[
    "celeriac soup with brown butter",
    "herring gratin for people who say no to herring",
    "mushroom tagliatelle with lemon",
    "rhubarb on toast",
    "white beans, sage and a long evening",
    "apple cake without a mixer",
    "caldo verde like in Lisbon",
    "crisp bread from scratch",
];
const MONTHS: &[(&str, u16, &str, &str)] = &[
    ("May", 6, "18,204.15", "612"),
    ("June", 7, "14,930.00", "548"),
    ("July", 8, "21,377.80", "497"),
    ("August", 9, "12,045.35", "583"),
    ("September", 10, "16,118.90", "701"),
    ("October", 11, "9,862.45", "934"),
];

/// Builds and payroll of the work account.
pub fn work() -> Vec<Letter> {
    let mut dice = Dice::new(311);
    let mut letters = Vec::new();
    for number in 0..40_u16 {
        let day = Day::new(5, 18).plus(number * 9 / 2);
        let branch = dice.pick(BRANCHES);
        let result = dice.pick(RESULTS);
        let build = 252 + usize::from(number) * 4 + dice.roll(4);
        let failed = result.starts_with('1');
        let verdict = if failed { "failed" } else { "passed" };
        let body = format!(
            "Build {build} of branch {branch} {verdict}: {result}. Duration {} min {:02} s.",
            6 + dice.roll(9),
            dice.roll(60)
        );
        let subject = format!("[harbor] build {build} {verdict} on {branch}");
        let time = format!("{:02}:{:02}", 9 + dice.roll(9), dice.roll(60));
        let text = (subject, body);
        letters.push(notice(format!("build-{build}"), day.utc(&time), "ci", "maya-work", text));
    }
    for (month, next, _, _) in MONTHS {
        let subject = format!("Your payslip for {month} 2026");
        let body = format!("The payslip for {month} is in the portal. Paid out on the 25th.");
        let sent_at = Day::new(next - 1, 23).at("12:00");
        let thread = format!("payslip-{}", month.to_lowercase());
        letters.push(notice(thread, sent_at, "payroll", "maya-work", (subject, body)));
    }
    letters
}

/// Order notices, statements, power bills and kitchen letters of the personal account.
pub fn personal() -> Vec<Letter> {
    let mut letters: Vec<Letter> = orders::all().iter().map(order_notice).collect();
    for (month, next, balance, kilowatt_hours) in MONTHS {
        let day = Day::new(*next, 2);
        let slug = month.to_lowercase();
        let subject = format!("Account statement for {month} 2026");
        let body = format!("Your balance at the end of {month} was {balance} SEK.");
        let thread = format!("statement-{slug}");
        letters.push(notice(thread, day.at("06:00"), "bank", "maya", (subject, body)));
        let subject = format!("Electricity bill, {month} 2026");
        let body = format!("You used {kilowatt_hours} kWh in {month}. Paid by direct debit.");
        let thread = format!("power-bill-{slug}");
        letters.push(notice(thread, day.plus(6).at("06:30"), "power", "maya", (subject, body)));
    }
    let mut dice = Dice::new(1937);
    for week in 0..14_u16 {
        let dish = dice.pick(DISHES);
        let subject = format!("Tallrik no. {}: {dish}", 201 + week);
        let body = format!(
            "This week: {dish}. Time {} minutes, serves {}. You receive this letter on Fridays.",
            20 + 5 * dice.roll(12),
            2 + dice.roll(5)
        );
        let sent_at = Day::new(8, 7).plus(week * 7).at("15:00");
        letters.push(notice(
            format!("tallrik-{}", 201 + week),
            sent_at,
            "recipes",
            "maya",
            (subject, body),
        ));
    }
    letters
}

fn order_notice(order: &orders::Order) -> Letter {
    let titles: Vec<String> =
        order.items.iter().map(|item| format!("{} x {}", item.quantity, item.title)).collect();
    let total = order.total().to_string();
    let subject = format!("Order confirmed: {} ({total} {})", order.id, order.currency);
    let body = format!(
        "Thank you, Maya! We have your order {}:\n{}\nTotal {total} {}, shipping included.",
        order.id,
        titles.join("\n"),
        order.currency
    );
    let thread = format!("order-{}", order.id.to_lowercase());
    notice(thread, order.placed_at.to_owned(), "shop", "maya", (subject, body))
}
