//! Tables, lists of objects and Singer taps: shapes that are found by looking.

use pdpp_contract::declaration::{FieldKind, MAX_TYPED_FIELDS};
use pdpp_contract::{ErrorCode, SourceDeclaration};
use pdpp_import::export::Export;
use pdpp_import::format::PrepareError;
use proptest::prelude::*;

use crate::bench::{Outcome, folder, import_prepared, named, text};

/// The formats that are found in an export.
fn found(export: Export) -> Vec<&'static str> {
    let exports = pdpp_import::survey::survey(export).unwrap().exports;
    exports.into_iter().map(|found| found.format.name).collect()
}

fn inferred(format: &str, files: &[(&str, &[u8])]) -> (SourceDeclaration, Outcome) {
    let folder = folder(files);
    import_prepared(format, &[folder.path().to_owned()])
}

const ORDERS: &str = "\u{feff}Order ID;Bought At;Amount;Note\n\
    1;2026-01-02 10:00;12.50;\"two\nlines\"\n1;2026-01-03 11:00;7;\n;;;\n1;2026-01-03 11:00;7;\n";

#[test]
fn a_table_becomes_a_stream_with_types() {
    let (declaration, outcome) = inferred("csv", &[("Orders-1.csv", ORDERS.as_bytes())]);
    let stream = declaration.stream("orders").unwrap();
    assert_eq!(stream.field_kind("bought_at"), Some(FieldKind::DateTime));
    assert_eq!(stream.field_kind("amount"), Some(FieldKind::Number));
    assert_eq!(stream.cursor_field.as_ref().unwrap().as_str(), "bought_at");
    assert_eq!(stream.primary_key[0].as_str(), "row_id", "the order id repeats");
    assert_eq!(outcome.stream("orders").len(), 3, "equal rows stay two");
    let first = outcome.find("orders", "note", "two\nlines");
    assert_eq!(text(first, "bought_at"), "2026-01-02T10:00:00Z");
    assert_eq!(first["amount"].to_canonical(), "12.50");
}

#[test]
fn numbers_and_dates_are_typed_as_people_write_them() {
    let german =
        "Buchungstag;Betrag;Stück;Text\n24.10.26;-1.299,00;1.000;Miete\n1.11.26;12,5;7;Brot\n";
    let (declaration, outcome) = inferred("csv", &[("a.csv", german.as_bytes())]);
    let stream = declaration.stream("a").unwrap();
    assert_eq!(stream.field_kind("betrag"), Some(FieldKind::Number));
    assert_eq!(stream.query.aggregations.sum[0].as_str(), "betrag");
    assert_eq!(stream.cursor_field.as_ref().unwrap().as_str(), "buchungstag");
    let rent = outcome.find("a", "text", "Miete");
    assert_eq!(
        (text(rent, "buchungstag"), rent["betrag"].to_canonical().as_str()),
        ("2026-10-24", "-1299.00")
    );
    assert_eq!(rent["stück"].to_canonical(), "1000", "a thousand, among decimal commas");
    let american = "Date,Amount,Excel date\n9/3/26,\"1,299.00\",46319\n12/31/26,5.00,46320\n";
    let (declaration, outcome) = inferred("csv", &[("b.csv", american.as_bytes())]);
    assert_eq!(declaration.stream("b").unwrap().field_kind("amount"), Some(FieldKind::Number));
    let first = outcome.find("b", "date", "2026-09-03");
    assert_eq!(first["amount"].to_canonical(), "1299.00");
    assert_eq!(text(first, "excel_date"), "2026-10-24");
}

/// As a German bank writes it: in windows-1252, with lines above and below the table.
const BANK: &str = "Umsätze Girokonto;DE00 1234\n\nKontostand vom 01.11.26:;1.000,00\n\
    Buchungstag;Wertstellung;Buchungstext;Empfänger;Betrag;Währung\n\
    24.10.26;24.10.26;Überweisung;Bäckerei Müller;-12,50;EUR\n\
    30.10.26;31.10.26;Gehalt;;2.500,00;EUR\n\
    Summe;;;;2.487,50;\n";

#[test]
fn the_table_of_a_bank_is_found_between_what_stands_around_it() {
    let latin: Vec<u8> = BANK.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let (declaration, outcome) = inferred("csv", &[("Umsaetze_Oktober.csv", &latin)]);
    assert_eq!(outcome.rejected, []);
    let names: Vec<&str> = declaration.streams.iter().map(|stream| stream.name.as_str()).collect();
    assert_eq!(names, ["transactions"], "not the month");
    assert_eq!(outcome.stream("transactions").len(), 2);
    let bread = outcome.find("transactions", "empfänger", "Bäckerei Müller");
    assert_eq!(bread["betrag"].to_canonical(), "-12.50");
    let notes = outcome.notes.join("\n");
    for said in [
        "windows-1252",
        "2 rows above",
        "1 row below",
        "betrag was read as decimal-comma",
        "day-first",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
}

#[test]
fn another_way_of_reading_cells_does_not_make_another_record() {
    // The key that earlier versions gave to this row, whose cells were text to them.
    let (_, outcome) = inferred("csv", &[("a.csv", "Tag;Betrag\n24.10.26;12,50\n".as_bytes())]);
    let text_cells = br#"{"betrag":"12,50","tag":"24.10.26"}"#;
    let key = pdpp_import::blobs::content_key(&[text_cells, b"0"]);
    outcome.find("a", "row_id", &key);
}

#[test]
fn a_key_column_is_the_key_and_odd_rows_are_refused() {
    let table = b"id,name\n7,Ann\n8,Bo,more\n9,\xff\n";
    let (declaration, outcome) = inferred("csv", &[("people.csv", table)]);
    assert_eq!(declaration.stream("people").unwrap().primary_key[0].as_str(), "id");
    assert_eq!(outcome.stream("people").len(), 2);
    outcome.find("people", "name", "ÿ");
    let codes: Vec<ErrorCode> =
        outcome.rejected.iter().map(|(_, _, refused)| refused.code).collect();
    assert_eq!(codes, [ErrorCode::InvalidRecord]);
    let table = "id,name\n7,Ännchen\n8,Öse\n9,".as_bytes();
    let (_, outcome) = inferred("csv", &[("people.csv", &[table, b"\xff\n"].concat())]);
    assert_eq!(outcome.stream("people").len(), 2);
    assert_eq!(outcome.rejected[0].2.code, ErrorCode::InvalidText, "one broken row of UTF-8");
}

#[test]
fn a_quote_that_never_closes_is_refused_instead_of_swallowing_the_rest() {
    let table = "id,note\n7,\"fine\nstill fine\"\n8,\"open\n9,lost\n10,lost too\n";
    let (_, outcome) = inferred("csv", &[("notes.csv", table.as_bytes())]);
    assert_eq!(outcome.stream("notes").len(), 1);
    let [(_, place, refused)] = outcome.rejected.as_slice() else {
        panic!("{:?}", outcome.rejected)
    };
    assert_eq!((*place, refused.code), (3, ErrorCode::MalformedRecord));
    assert!(refused.message.contains("never closed"), "{}", refused.message);
    let inches = "id,note\n7,5\" pipe\n";
    let (_, outcome) = inferred("csv", &[("notes.csv", inches.as_bytes())]);
    outcome.find("notes", "note", "5\" pipe");
    assert!(outcome.rejected.is_empty());
}

#[test]
fn an_export_of_which_nothing_is_taken_says_why() {
    let why = |format: &str, name: &str, content: &[u8]| {
        let folder = folder(&[(name, content)]);
        let export = Export::open(&[folder.path().to_owned()]).unwrap();
        match named(format).prepare(export, None, None) {
            Err(PrepareError::Nothing(why)) => why.unwrap_or_default(),
            Err(PrepareError::Undeclarable(faults)) => format!("{faults:?}"),
            Err(PrepareError::TooMuch(why)) => why,
            Err(PrepareError::Io(error)) => panic!("{error}"),
            Ok(_) => panic!("{name} was taken"),
        }
    };
    let early = br#"{"type":"RECORD","stream":"users","record":{"id":1}}"#;
    assert!(why("singer", "tap.out", early).contains("SCHEMA"));
    assert!(why("json", "a.json", b"[1, 2").contains("a.json item"));
    assert_eq!(why("csv", "empty.csv", b""), "");
    let wide: Vec<String> = (0..5_000).map(|number| format!("c{number}")).collect();
    let why = why("csv", "wide.csv", wide.join(",").as_bytes());
    assert!(why.contains("5000 columns; at most 1000"), "{why}");
}

#[test]
fn a_wide_table_is_typed_as_far_as_a_store_keeps_it() {
    // The time stands last and orders the stream all the same.
    let mut heads: Vec<String> = (0..460).map(|number| format!("c{number}")).collect();
    let mut cells: Vec<String> = (0..460).map(|number| format!("{number}.5")).collect();
    heads.extend(["id", "kind", "created_at"].map(str::to_owned));
    cells.extend(["7", "tea", "2026-01-02T03:04:05Z"].map(str::to_owned));
    let table = format!("{}\n{}\n", heads.join(","), cells.join(","));
    let (declaration, outcome) = inferred("csv", &[("wide.csv", table.as_bytes())]);
    let stream = declaration.stream("wide").unwrap();
    assert_eq!(stream.field_names().len(), 463, "all can be read");
    let typed = declaration.projected_fields(stream);
    assert_eq!(typed.len(), MAX_TYPED_FIELDS);
    assert_eq!(typed[0].as_str(), "created_at");
    let sums = &stream.query.aggregations.sum;
    assert_eq!(sums.last().unwrap().as_str(), "c298", "the first ones, in their order");
    let searched = &stream.query.search.lexical_fields;
    assert_eq!(searched[0].as_str(), "kind", "words need no typed copy");
    let said = stream.description.as_deref().unwrap();
    assert!(said.contains("300 of 463") && said.contains("c299"), "{said}");
    assert_eq!(outcome.stream("wide").len(), 1);
    assert_eq!(outcome.rejected.len(), 0);

    let (declaration, _) = inferred("csv", &[("small.csv", b"id,kind\n1,tea\n")]);
    assert_eq!(declaration.stream("small").unwrap().description, None);
}

#[test]
fn objects_become_records_by_their_own_key() {
    let list = br#"[{"id":1,"when":"2026-01-02T03:04:05Z","tags":["a"],"n":1},{"id":2,"when":null,"n":2.5}]"#;
    let (declaration, outcome) = inferred("json", &[("notes.json", list)]);
    let stream = declaration.stream("notes").unwrap();
    assert_eq!(stream.field_kind("when"), Some(FieldKind::DateTime));
    assert_eq!(stream.field_kind("n"), Some(FieldKind::Number));
    assert!(stream.nullable("when"));
    assert_eq!(outcome.records.keys().map(|(_, key)| key.as_str()).collect::<Vec<_>>(), ["1", "2"]);
}

#[test]
fn a_singer_tap_describes_its_streams() {
    let messages = br#"{"type":"SCHEMA","stream":"users","schema":{"properties":{"id":{"type":"integer"},"name":{"type":["null","string"]},"at":{"type":"string","format":"date-time"}}},"key_properties":["id"]}
{"type":"RECORD","stream":"users","record":{"id":1,"name":"Ann","at":"2026-01-02T03:04:05Z"}}
{"type":"RECORD","stream":"nobody","record":{}}
{"type":"STATE","value":{"users":7}}
"#;
    let (declaration, outcome) = inferred("singer", &[("tap.jsonl", messages)]);
    let stream = declaration.stream("users").unwrap();
    assert_eq!(stream.cursor_field.as_ref().unwrap().as_str(), "at");
    assert_eq!(text(outcome.find("users", "name", "Ann"), "at"), "2026-01-02T03:04:05Z");
    assert_eq!(outcome.rejected.len(), 1);
}

#[test]
fn what_a_tap_notes_for_itself_neither_orders_nor_is_searched() {
    let tap = br#"{"type":"SCHEMA","stream":"orders","schema":{"properties":{"id":{"type":"integer"},
        "_sdc_extracted_at":{"type":"string","format":"date-time"},"_sdc_filename":{"type":"string"},
        "bought":{"type":"string","format":"date-time"},"note":{"type":"string"}}},"key_properties":["id"]}
        {"type":"RECORD","stream":"orders","record":{"id":1,"note":"tea"}}"#;
    let (declaration, outcome) = inferred("singer", &[("tap.out", tap)]);
    assert_eq!(outcome.records.len(), 1);
    let stream = declaration.stream("orders").unwrap();
    assert_eq!(stream.cursor_field.as_ref().map(AsRef::as_ref), Some("bought"));
    let stream = serde_json::to_value(stream).unwrap();
    assert_eq!(stream["query"]["search"]["lexical_fields"], serde_json::json!(["note"]));
}

#[test]
fn the_format_of_an_export_is_recognised() {
    let letter: &[u8] = b"From: a@example.org\nTo: b@example.org\nSubject: x\nDate: y\n\nhello\n";
    for (format, files) in [
        ("mbox", vec![("Inbox", &b"From a@b Mon Jan  5 10:00:00 2026\nSubject: x\n\nhi\n"[..])]),
        ("eml", vec![("1.eml", letter)]),
        ("eml", vec![("letter", letter)]),
        ("maildir", vec![("cur/1:2,S", letter)]),
        ("chatgpt", vec![("conversations-000.json", b"[{\"mapping\":{}}]")]),
        ("claude", vec![("conversations.json", b"[{\"chat_messages\":[]}]")]),
        (
            "slack",
            vec![
                ("users.json", b"[]"),
                ("channels.json", b"[]"),
                ("general/2026-01-01.json", b"[]"),
            ],
        ),
        ("whatsapp", vec![("_chat.txt", b"[1/2/26, 10:00:00] Ann: hi\n")]),
        ("ics", vec![("a.ics", b"")]),
        ("vcf", vec![("a.vcf", b"")]),
        ("spotify", vec![("StreamingHistory0.json", b"[]")]),
        ("csv", vec![("a.csv", b"a,b\n1,2\n")]),
        ("json", vec![("a.json", b"[{}]")]),
        ("singer", vec![("tap.out", b"{\"type\": \"SCHEMA\"}\n")]),
    ] {
        let folder = folder(&files);
        let export = pdpp_import::export::Export::open(&[folder.path().to_owned()]).unwrap();
        assert_eq!(found(export), [format], "{files:?}");
    }
}

#[test]
fn what_only_resembles_the_head_of_a_letter_is_not_taken_for_one() {
    let folded: &[u8] =
        b"Received: from a\n\tby b;\n\tMon, 5 Jan 2026 10:00:00 +0100\nDate: y\n\nhi\n";
    for (expected, text) in [
        (Some("eml"), folded),
        (None, b"root:x:0:0:root:/:/bin/sh\nbin:x:2:2:bin:/bin:/bin/sh\na:b\nc:d\n"),
        (None, b"name: x\nversion: 1\nruns: 2\nsteps: 3\n\nDate: y\nFrom: z\n"),
        (None, b"From: a minute ago\nwe had it all.\nDate: none\n\n"),
    ] {
        let folder = folder(&[("letter", text)]);
        let export = pdpp_import::export::Export::open(&[folder.path().to_owned()]).unwrap();
        assert_eq!(found(export).first().copied(), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_table_is_read(table in "([a-c \"]{0,4}[,;\n]){0,20}") {
        let (_, outcome) = inferred("csv", &[("a.csv", format!("x,y\n{table}").as_bytes())]);
        prop_assert!(outcome.items <= table.len() + 1);
    }
}
