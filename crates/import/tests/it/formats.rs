//! The table of formats: what is made from it says the same as it does.

use std::collections::HashSet;

use pdpp_import::formats::FORMATS;

#[test]
fn the_documentation_lists_every_format_as_the_table_has_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/importers.md");
    let documentation = std::fs::read_to_string(path).unwrap();
    let mut table = String::from("| format | reads | streams |\n|---|---|---|\n");
    for format in FORMATS {
        let row = format!("| `{}` | {} | {} |\n", format.name, format.reads, format.streams());
        table.push_str(&row);
    }
    assert!(documentation.contains(&table), "put this table into docs/importers.md:\n{table}");
}

#[test]
fn every_format_has_a_name_and_a_rank_of_its_own() {
    let names: HashSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    let ranks: HashSet<u8> = FORMATS.iter().map(|format| format.recognise.rank).collect();
    assert_eq!((names.len(), ranks.len()), (FORMATS.len(), FORMATS.len()));
}
