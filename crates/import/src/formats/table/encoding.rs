//! How a file of text is encoded, found over the whole file.

use std::io::{self, BufRead};

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8};

use crate::readers::lines::{LinePiece, read_piece};

/// Longest piece of a line that is looked at together.
const PIECE_BYTES: usize = 64 * 1024;

/// The encoding: what a mark says, else UTF-8 unless most lines beyond ASCII are not, else the likeliest.
pub fn detect_encoding(reader: &mut dyn BufRead) -> io::Result<&'static Encoding> {
    if let Some((marked, _)) = Encoding::for_bom(reader.fill_buf()?) {
        return Ok(marked);
    }
    let mut detector = EncodingDetector::new();
    let (mut valid, mut invalid) = (0_u64, 0_u64);
    let mut piece = Vec::new();
    loop {
        piece.clear();
        if read_piece(reader, &mut piece, PIECE_BYTES)? == LinePiece::End {
            break;
        }
        // No encoding without a mark has zero bytes in it: the file is a picture, a database, anything
        // but a table, and as UTF-8 its lines are rejected.
        if piece.contains(&0) {
            return Ok(UTF_8);
        }
        detector.feed(&piece, false);
        if !piece.is_ascii() {
            let is_valid = std::str::from_utf8(&piece).is_ok();
            *(if is_valid { &mut valid } else { &mut invalid }) += 1;
        }
    }
    detector.feed(&[], true);
    // One broken line in a file of UTF-8 is broken; it does not change what the others say.
    Ok(if invalid <= valid { UTF_8 } else { detector.guess(None, false) })
}
