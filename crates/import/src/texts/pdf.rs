//! PDF, page after page.

use super::TextRefused;

/// The text layer of all pages.
pub fn text(file: &[u8]) -> Result<String, TextRefused> {
    pdf_extract::extract_text_from_mem(file).map_err(|_| TextRefused)
}
