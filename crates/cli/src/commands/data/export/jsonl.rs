//! JSON lines, as `pdpp import jsonl` reads them.

use std::io::Write;

use pdpp_contract::StreamDeclaration;
use pdpp_contract::json::{escape_into, write_string};
use pdpp_contract::record::Record;
use pdpp_engine::GrantedReader;

use super::account::written;
use super::field_text::{FieldText, is_string, preview};
use crate::failure::Failure;

/// Writes one record.
pub async fn write(
    record: &Record,
    stream: &StreamDeclaration,
    reader: &GrantedReader,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let mut line = r#"{"type":"RECORD","stream":"#.to_owned();
    write_string(stream.name.as_str(), &mut line);
    line.push_str(r#","key":"#);
    if stream.primary_key.len() > 1 {
        line.push_str(record.id.as_str());
    } else {
        write_string(record.id.as_str(), &mut line);
    }
    line.push_str(r#","emitted_at":"#);
    write_string(&record.emitted_at, &mut line);
    line.push_str(r#","data":{"#);
    for (index, (name, value)) in record.data.iter().flatten().enumerate() {
        if index > 0 {
            line.push(',');
        }
        write_string(name, &mut line);
        line.push(':');
        if preview(record, name).is_none() {
            value.write_canonical(&mut line);
            continue;
        }
        let quote = if is_string(record, name, value) { "\"" } else { "" };
        line.push_str(quote);
        let mut text = FieldText::of(reader, record, name);
        while let Some(piece) = match &mut text {
            Some(text) => text.next().await?,
            None => None,
        } {
            if quote.is_empty() {
                line.push_str(&piece);
            } else {
                escape_into(&piece, &mut line);
            }
            out.write_all(line.as_bytes()).map_err(written)?;
            line.clear();
        }
        line.push_str(quote);
    }
    line.push_str("}}\n");
    out.write_all(line.as_bytes()).map_err(written)
}
