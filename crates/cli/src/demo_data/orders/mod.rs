//! The shop account: orders and their items at Kvistkorg, an invented shop.

mod money;
mod purchases;

use super::line::{Object, record};
use super::sheet;
use money::Money;

const SYNCED_AT: &str = "2026-11-16T06:20:00Z";

/// One order as the sheet tells it.
pub struct Order {
    pub id: &'static str,
    pub placed_at: &'static str,
    pub currency: &'static str,
    status: &'static str,
    delivered_on: Option<&'static str>,
    shipping: Money,
    tracking_number: Option<&'static str>,
    note: String,
    pub items: Vec<Item>,
}

/// One line of an order.
pub struct Item {
    sku: &'static str,
    pub title: &'static str,
    category: &'static str,
    pub quantity: i64,
    unit_price: Money,
}

impl Order {
    fn subtotal(&self) -> Money {
        self.items.iter().map(|item| item.unit_price.times(item.quantity)).sum()
    }

    /// Items and shipping.
    pub fn total(&self) -> Money {
        self.subtotal().plus(self.shipping)
    }

    fn is_refunded(&self) -> bool {
        self.status == "refunded"
    }
}

/// Every order, oldest first.
pub fn all() -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    for text in purchases::ORDERS.lines() {
        let cells = sheet::row(text);
        if let [id, placed_at, currency, status, delivered_on, shipping, tracking] = *cells {
            orders.push(Order {
                id,
                placed_at,
                currency,
                status,
                delivered_on: Some(delivered_on).filter(|day| *day != "-"),
                shipping: Money::parse(shipping, currency),
                tracking_number: Some(tracking).filter(|number| *number != "-"),
                note: String::new(),
                items: Vec::new(),
            });
        } else if let ([sku, title, category, quantity, price], Some(order)) =
            (&*cells, orders.last_mut())
        {
            order.items.push(Item {
                sku,
                title,
                category,
                quantity: quantity.parse().unwrap_or(1),
                unit_price: Money::parse(price, order.currency),
            });
        } else if let (["note", note], Some(order)) = (&*cells, orders.last_mut()) {
            (*note).clone_into(&mut order.note);
        }
    }
    orders
}

/// Every record of the shop account.
pub fn records() -> Vec<String> {
    let mut lines = Vec::new();
    for order in all() {
        lines.push(order_line(&order));
        for (number, item) in (1_usize..).zip(&order.items) {
            lines.push(item_line(&order, number, item));
        }
    }
    lines
}

fn order_line(order: &Order) -> String {
    let refunded = if order.is_refunded() { order.total() } else { order.total().times(0) };
    let data = Object::default()
        .text("order_id", order.id)
        .text("placed_at", order.placed_at)
        .text("status", order.status)
        .text("currency", order.currency)
        .number("subtotal", order.subtotal())
        .number("shipping", order.shipping)
        .number("total", order.total())
        .number("refunded", refunded)
        .number("item_count", order.items.iter().map(|item| item.quantity).sum::<i64>())
        .text_or_null("delivered_on", order.delivered_on);
    let data = match order.tracking_number {
        Some(number) => data.number("tracking_number", number),
        None => data,
    };
    let note = Some(order.note.as_str()).filter(|note| !note.is_empty());
    let data = data.text_or_null("note", note);
    record("orders", &[order.id], &data, SYNCED_AT)
}

fn item_line(order: &Order, number: usize, item: &Item) -> String {
    let data = Object::default()
        .text("order_id", order.id)
        .number("line", number)
        .text("sku", item.sku)
        .text("title", item.title)
        .text("category", item.category)
        .number("quantity", item.quantity)
        .number("unit_price", item.unit_price)
        .number("line_total", item.unit_price.times(item.quantity))
        .text("currency", order.currency)
        .flag("refunded", order.is_refunded())
        .text("ordered_at", order.placed_at);
    record("items", &[order.id, &number.to_string()], &data, SYNCED_AT)
}
