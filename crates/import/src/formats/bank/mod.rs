//! Statements of banks: OFX of every version, and CAMT.053 of ISO 20022.

mod amount;
mod camt;
mod ofx;
mod tree;

use std::io::{BufRead, Read};

use pdpp_contract::ErrorCode;
use pdpp_contract::import::Rejected;

use crate::export::Export;
use crate::format::{Format, Importer, Recognise};
use crate::readers::file_name::has_ending;
use crate::record::distinct_keys::DistinctKeys;
use crate::sink::{Flow, Sink, Stop};
use crate::survey::Claim;
use crate::texts::decoded;

/// Largest statement.
const MAX_STATEMENT_BYTES: u64 = 128 << 20;

/// The declaration of one format: its own name, and the streams that both share.
macro_rules! declaration {
    ($id:literal, $name:literal) => {
        concat!(
            "{\"protocol_version\": \"0.1.0\", \"source\": {\"kind\": \"connector\", \"id\": ",
            "\"https://registry.pdpp.dev/connectors/",
            $id,
            "\"}, \"declaration_version\": \"1\", \"publisher\": {\"id\": ",
            "\"https://registry.pdpp.dev/publishers/pdpp\"}, \"display\": {\"name\": \"",
            $name,
            "\"}, \"streams\": ",
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src/formats/declarations/bank.json"
            )),
            "}"
        )
    };
}

/// Open Financial Exchange.
pub static OFX: Format = Format {
    name: "ofx",
    help: "Read statements of banks and cards in OFX or QFX",
    reads: "statements in OFX or QFX, version 1 (SGML) and 2 (XML)",
    recognise: Recognise {
        rank: 88,
        claims: |file| {
            let head = file.head();
            let is_own = head.contains("OFXHEADER") || head.contains("<OFX>");
            is_own.then(|| named(file.ends_with(&[".ofx", ".qfx"])))
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared {
        declaration: declaration!("ofx", "Bank (OFX)"),
        import: import_ofx,
    },
};

/// Statements of ISO 20022.
pub static CAMT: Format = Format {
    name: "camt",
    help: "Read bank statements in CAMT.053",
    reads: "bank statements of ISO 20022: CAMT.053, and CAMT.052 reports",
    recognise: Recognise {
        rank: 87,
        claims: |file| {
            let head = file.head();
            let is_own = head.contains("camt.053.") || head.contains("camt.052.");
            is_own.then(|| named(file.ends_with(&[".xml"])))
        },
        beside: None,
        counts: None,
    },
    importer: Importer::Declared {
        declaration: declaration!("camt", "Bank (CAMT)"),
        import: import_camt,
    },
};

fn named(is_usual: bool) -> Claim {
    if is_usual { Claim::file() } else { Claim::file_of_any_name() }
}

fn import_ofx(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let wanted = |name: &str| has_ending(name, ".ofx") || has_ending(name, ".qfx");
    let mut keys = DistinctKeys::default();
    export.each(sink, &wanted, &mut |_, reader, sink| match whole(reader, sink)? {
        Some(text) => ofx::read(&text, &mut keys, sink),
        None => Ok(()),
    })
}

fn import_camt(export: &Export, sink: &mut Sink<'_>) -> Flow {
    let mut keys = DistinctKeys::default();
    export.each(sink, &|name| has_ending(name, ".xml"), &mut |_, reader, sink| match whole(
        reader, sink,
    )? {
        Some(text) => camt::read(&text, &mut keys, sink),
        None => Ok(()),
    })
}

/// A statement as text. Banks write them in many encodings.
fn whole(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Result<Option<String>, Stop> {
    let mut bytes = Vec::new();
    if let Err(error) = reader.take(MAX_STATEMENT_BYTES + 1).read_to_end(&mut bytes) {
        sink.unreadable(error)?;
        return Ok(None);
    }
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_STATEMENT_BYTES) {
        let why = format!("a statement has at most {} MiB", MAX_STATEMENT_BYTES >> 20);
        sink.reject(Rejected::new(ErrorCode::PayloadTooLarge, why, &[]))?;
        return Ok(None);
    }
    Ok(Some(decoded(&bytes)))
}

/// A statement of which nothing can be taken.
fn refuse(why: &str, sink: &mut Sink<'_>) -> Flow {
    sink.reject(Rejected::new(ErrorCode::MalformedRecord, why, &[]))
}
