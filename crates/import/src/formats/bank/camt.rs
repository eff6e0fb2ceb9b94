//! CAMT.053: statements of ISO 20022. One entry may hold several transactions.

use super::amount::amount;
use super::refuse;
use super::tree::{self, Element};
use crate::blobs::content_key;
use crate::record::distinct_keys::DistinctKeys;
use crate::record::fields::RecordFields;
use crate::record::lenient;
use crate::sink::{Flow, Sink};
use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

/// Reads one file.
pub fn read(text: &str, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let Some(file) = tree::read(text) else {
        return refuse("the statement is nested too deeply", sink);
    };
    let mut statements = Vec::new();
    for name in ["Stmt", "Rpt"] {
        file.find_all(name, &mut statements);
    }
    if statements.is_empty() {
        return refuse("no statement was found", sink);
    }
    statements.into_iter().try_for_each(|statement| put_statement(statement, keys, sink))
}

fn put_statement(statement: &Element, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let number = statement.text_at("Acct/Id/IBAN").or(statement.text_at("Acct/Id/Othr/Id"));
    let Some(number) = number else { return refuse("a statement without an account", sink) };
    let servicer = statement.at("Acct/Svcr/FinInstnId");
    let bank = servicer.and_then(|bank| bank.text_at("BICFI").or(bank.text_at("BIC")));
    let mut data = RecordFields::default()
        .text("id", number)
        .text("name", statement.text_at("Acct/Nm").unwrap_or(number))
        .maybe("bank", bank.or(servicer.and_then(|bank| bank.text_at("Nm"))))
        .maybe("owner", statement.text_at("Acct/Ownr/Nm"))
        .maybe("currency", statement.text_at("Acct/Ccy"));
    // The closing balance; a report of the day has an interim one.
    let of_kind = |kind: &str| {
        let mut balances = statement.all("Bal");
        balances.find(|balance| balance.text_at("Tp/CdOrPrtry/Cd") == Some(kind))
    };
    if let Some(balance) = of_kind("CLBD").or_else(|| of_kind("ITBD")) {
        if let Some(value) = value_of(balance) {
            data = data.json("balance", value);
        }
        data = data.maybe("balance_at", time_of(balance, "Dt", sink));
    }
    sink.record("accounts", number, data)?;
    for entry in statement.all("Ntry") {
        sink.begin_item();
        put_entry(number, entry, keys, sink)?;
    }
    Ok(())
}

/// The amount of an element with its sign: what is debited is negative.
fn value_of(element: &Element) -> Option<pdpp_contract::Json> {
    let is_debit = element.text_at("CdtDbtInd") == Some("DBIT");
    amount(element.text_at("Amt")?, is_debit)
}

/// A day or a time below an element.
fn time_of(element: &Element, name: &str, sink: &Sink<'_>) -> Option<String> {
    let date = element.child(name)?;
    if let Some(time) = date.text_at("DtTm") {
        return lenient::local_time(time, sink.zone());
    }
    let day = date.text_at("Dt")?.get(..10)?;
    lenient::instant(&format!("{day}T00:00:00Z"))
}

fn put_entry(account: &str, entry: &Element, keys: &mut DistinctKeys, sink: &mut Sink<'_>) -> Flow {
    let mut parts = Vec::new();
    for details in entry.all("NtryDtls") {
        parts.extend(details.all("TxDtls"));
    }
    // A collective entry is told by its parts when each has an amount of its own.
    let has_amounts = |part: &&Element| part.child("Amt").is_some();
    if parts.len() > 1 && parts.iter().all(has_amounts) {
        for part in parts {
            put_booking(account, entry, Some(part), keys, sink)?;
        }
        return Ok(());
    }
    put_booking(account, entry, parts.first().copied(), keys, sink)
}

fn put_booking(
    account: &str,
    entry: &Element,
    part: Option<&Element>,
    keys: &mut DistinctKeys,
    sink: &mut Sink<'_>,
) -> Flow {
    let empty = Element::default();
    let details = part.unwrap_or(&empty);
    let own = part.filter(|part| part.child("Amt").is_some() && part.child("CdtDbtInd").is_some());
    let is_debit = entry.text_at("CdtDbtInd") == Some("DBIT");
    let part_value = part.and_then(|part| amount(part.text_at("Amt")?, is_debit));
    let Some(value) = own.and_then(value_of).or(part_value).or_else(|| value_of(entry)) else {
        let why = "an entry without an amount";
        return sink.reject(Rejected::new(ErrorCode::InvalidRecord, why, &[]));
    };
    // Who stands on the other side depends on the direction; newer versions put the name deeper.
    let (other, other_account) = if is_debit { ("Cdtr", "CdtrAcct") } else { ("Dbtr", "DbtrAcct") };
    let party = |path: &str| details.text_at(&format!("RltdPties/{path}"));
    let payee = party(&format!("{other}/Nm")).or_else(|| party(&format!("{other}/Pty/Nm")));
    let payee_account = party(&format!("{other_account}/Id/IBAN"))
        .or_else(|| party(&format!("{other_account}/Id/Othr/Id")));
    let words: Vec<&str> = details
        .child("RmtInf")
        .map(|words| words.all("Ustrd").map(|word| word.text.trim()).collect())
        .unwrap_or_default();
    let purpose = Some(words.join(" ")).filter(|words| !words.is_empty());
    let purpose = purpose.or(entry.text_at("AddtlNtryInf").map(str::to_owned));
    let end_to_end = details.text_at("Refs/EndToEndId").filter(|id| *id != "NOTPROVIDED");
    let reference = entry.text_at("AcctSvcrRef").or(details.text_at("Refs/AcctSvcrRef"));
    let booked_at = time_of(entry, "BookgDt", sink);
    let content = [
        booked_at.as_deref(),
        Some(&*value.to_canonical()),
        payee,
        purpose.as_deref(),
        end_to_end,
        details.text_at("Refs/TxId"),
    ]
    .map(Option::unwrap_or_default)
    .join("\n");
    let key = content_key(&[
        account.as_bytes(),
        reference.unwrap_or_default().as_bytes(),
        content.as_bytes(),
    ]);
    let id = keys.key(key, &content);
    let attribute =
        |element: &Element| element.child("Amt").and_then(|amount| amount.attribute.clone());
    let status = entry.text_at("Sts/Cd").or(entry.text_at("Sts"));
    let data = RecordFields::default()
        .text("id", &*id)
        .text("account_id", account)
        .text("title", payee.or(purpose.as_deref()).unwrap_or("Booking"))
        .json("amount", value)
        .maybe("currency", part.and_then(attribute).or_else(|| attribute(entry)))
        .maybe("booked_at", booked_at)
        .maybe("value_date", entry.text_at("ValDt/Dt").and_then(|day| day.get(..10)))
        .maybe("payee", payee)
        .maybe("payee_account", payee_account)
        .maybe("purpose", purpose.clone())
        .maybe("kind", if is_debit { Some("DEBIT") } else { Some("CREDIT") })
        .flag("is_pending", status == Some("PDNG"))
        .maybe("reference", reference)
        .maybe("end_to_end_id", end_to_end);
    sink.record("transactions", &id, data)
}
