//! Tables: one file per stream, one column per field. Objects and arrays are JSON in their cell.

use std::io::Write;

use pdpp_contract::FieldName;
use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::FieldText;
use crate::failure::Failure;

/// Writes the names of the columns.
pub fn write_head(fields: &[FieldName], out: &mut (dyn Write + Send)) -> Result<(), Failure> {
    let names: Vec<String> = fields.iter().map(|field| quoted(field.as_str())).collect();
    out.write_all(format!("{}\r\n", names.join(",")).as_bytes()).map_err(written)
}

/// Writes one record.
pub async fn write(
    record: &Record,
    fields: &[FieldName],
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.write_all(b",").map_err(written)?;
        }
        let Some(mut text) = FieldText::of(reader, record, field.as_str()) else {
            continue;
        };
        out.write_all(b"\"").map_err(written)?;
        while let Some(piece) = text.next().await? {
            out.write_all(piece.replace('"', "\"\"").as_bytes()).map_err(written)?;
        }
        out.write_all(b"\"").map_err(written)?;
    }
    out.write_all(b"\r\n").map_err(written)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
