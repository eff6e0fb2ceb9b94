//! OFX: statements of accounts and cards.

use super::amount::{amount, ofx_time};
use super::refuse;
use super::tree::{self, Element};
use crate::record::distinct_keys::DistinctKeys;
use crate::record::fields::RecordFields;
use crate::sink::{Flow, Sink};
use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

/// Reads one file.
pub fn read(text: &str, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let Some(file) = tree::read(text) else {
        return refuse("the statement is nested too deeply", sink);
    };
    let mut statements = Vec::new();
    for name in ["STMTRS", "CCSTMTRS"] {
        file.find_all(name, &mut statements);
    }
    if statements.is_empty() {
        return refuse("no statement was found; statements of investments are not read", sink);
    }
    statements.into_iter().try_for_each(|statement| put_statement(statement, keys, sink))
}

fn put_statement(statement: &Element, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let bank = statement.child("BANKACCTFROM");
    let from = bank.or(statement.child("CCACCTFROM"));
    let Some(number) = from.and_then(|from| from.text_at("ACCTID")) else {
        return refuse("a statement without an account", sink);
    };
    let currency = statement.text_at("CURDEF");
    let bank_id = from.and_then(|from| from.text_at("BANKID"));
    let account_id = match bank_id {
        Some(bank) => format!("{bank}:{number}"),
        None => number.to_owned(),
    };
    let kind = from.and_then(|from| from.text_at("ACCTTYPE"));
    let mut data = RecordFields::default()
        .text("id", &*account_id)
        .text("name", number)
        .text("kind", if bank.is_some() { kind.unwrap_or("CHECKING") } else { "CREDITCARD" })
        .maybe("bank", bank_id)
        .maybe("currency", currency);
    if let Some(balance) = statement.child("LEDGERBAL") {
        if let Some(value) = balance.text_at("BALAMT").and_then(|text| amount(text, false)) {
            data = data.json("balance", value);
        }
        data = data.maybe("balance_at", balance.text_at("DTASOF").and_then(ofx_time));
    }
    sink.record("accounts", &account_id, data)?;
    for list in statement.all("BANKTRANLIST") {
        for booking in list.all("STMTTRN") {
            sink.begin_item();
            put_booking(&account_id, currency, booking, keys, sink)?;
        }
    }
    Ok(())
}

fn put_booking(
    account_id: &str,
    currency: Option<&str>,
    booking: &Element,
    keys: &mut DistinctKeys,
    sink: &mut Sink<'_>,
) -> Flow {
    let text = |path| booking.text_at(path);
    let Some(value) = text("TRNAMT").and_then(|text| amount(text, false)) else {
        let why = "a booking without an amount";
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, &[]));
    };
    let booked_at = text("DTPOSTED").and_then(ofx_time);
    let payee = text("NAME").or(text("PAYEE/NAME"));
    let purpose = text("MEMO");
    let content = [payee, purpose, booked_at.as_deref(), Some(&value.to_canonical())]
        .map(Option::unwrap_or_default)
        .join("\n");
    // Some banks use an id again for another booking.
    let fitid = text("FITID").unwrap_or(&content);
    let id =
        keys.key(crate::blobs::content_key(&[account_id.as_bytes(), fitid.as_bytes()]), &content);
    let data = RecordFields::default()
        .text("id", &*id)
        .text("account_id", account_id)
        .text("title", payee.or(purpose).or(text("TRNTYPE")).unwrap_or("Booking"))
        .json("amount", value)
        .maybe("currency", text("CURRENCY/CURSYM").or(currency))
        .maybe("booked_at", booked_at)
        .maybe("value_date", text("DTAVAIL").and_then(ofx_time).map(|time| day(&time)))
        .maybe("payee", payee)
        .maybe("payee_account", text("BANKACCTTO/ACCTID"))
        .maybe("purpose", purpose)
        .maybe("kind", text("TRNTYPE"))
        .maybe("check_number", text("CHECKNUM"))
        .maybe("reference", text("FITID"));
    sink.record("transactions", &id, data)
}

fn day(time: &str) -> String {
    time.chars().take(10).collect()
}
