//! How much room data takes on the wire, without writing it down.

use std::io;

use serde::Serialize;

/// Bytes of a value as compact JSON.
pub(crate) fn json_bytes(value: &impl Serialize) -> usize {
    let mut counted = Counted(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

struct Counted(usize);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0 += bytes.len();
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_value_is_as_long_as_it_is_when_written() {
        for value in [
            Value::Null,
            json!({"a": [1, 2.5, "ü \" \\ \n 🎙"], "b": {"c": true}, "": []}),
            json!("\u{1}\u{7f}"),
        ] {
            assert_eq!(json_bytes(&value), value.to_string().len(), "{value}");
        }
    }
}
