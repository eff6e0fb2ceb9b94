//! Text and web pages, in whatever encoding.

use chardetng::EncodingDetector;
use encoding_rs::Encoding;

use crate::readers::readable::push_readable;

/// Decodes a text: by its mark, else as UTF-8, else in the encoding that it most likely has.
pub fn text(file: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(file) {
        let rest = file.get(mark..).unwrap_or_default();
        return encoding.decode_without_bom_handling(rest).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(file) {
        return text.to_owned();
    }
    let mut detector = EncodingDetector::new();
    detector.feed(file, true);
    let encoding = detector.guess(None, false);
    encoding.decode_without_bom_handling(file).0.into_owned()
}

/// What a reader of the page sees.
pub fn html(file: &[u8]) -> String {
    let page = text(file);
    let mut seen = String::new();
    push_readable(&page, &mut seen);
    seen
}
