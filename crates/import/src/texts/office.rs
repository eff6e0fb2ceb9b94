//! Word, PowerPoint and OpenDocument: packages of XML.

use super::TextRefused;
use super::xml::{Piece, attribute, each_piece};
use super::zipped::{Parts, number_of};

/// Parts of a Word document that people write in, besides the document itself.
const BESIDE: [&str; 6] = ["header", "footer", "footnotes", "endnotes", "comments", "glossary"];

/// Headers, the document, notes and comments.
pub fn docx(file: &[u8]) -> Result<String, TextRefused> {
    let mut parts = Parts::open(file)?;
    let mut text = open_xml(&parts.text("word/document.xml")?)?;
    let mut names = parts.names();
    names.sort();
    for name in names {
        let part = name.strip_prefix("word/").filter(|part| !part.contains('/'));
        let is_beside = part.is_some_and(|part| BESIDE.iter().any(|begin| part.starts_with(begin)));
        if is_beside && let Ok(xml) = parts.text(&name) {
            text.push('\n');
            text.push_str(&open_xml(&xml)?);
        }
    }
    Ok(text)
}

/// The slides in their order, each followed by its notes.
pub fn pptx(file: &[u8]) -> Result<String, TextRefused> {
    let mut parts = Parts::open(file)?;
    let is_slide = |name: &String| name.starts_with("ppt/slides/slide");
    let mut slides: Vec<String> = parts.names().into_iter().filter(is_slide).collect();
    slides.sort_by_key(|name| number_of(name));
    if slides.is_empty() {
        return Err(TextRefused);
    }
    let mut text = String::new();
    for slide in slides {
        let notes = format!("ppt/notesSlides/notesSlide{}.xml", number_of(&slide));
        text.push_str(&open_xml(&parts.text(&slide)?)?);
        text.push_str("\n\n");
        if let Ok(notes) = parts.text(&notes) {
            text.push_str(&open_xml(&notes)?);
            text.push_str("\n\n");
        }
    }
    Ok(text)
}

/// What stands in `t` elements; paragraphs, cells and breaks keep it apart.
fn open_xml(xml: &str) -> Result<String, TextRefused> {
    let mut text = String::new();
    let mut inside = false;
    each_piece(xml, &mut |piece| match piece {
        Piece::Start("t", _) => inside = true,
        Piece::End("t") => inside = false,
        Piece::Start("tab", _) | Piece::End("tc") => text.push('\t'),
        Piece::Start("br" | "cr", _) | Piece::End("p" | "tr") => text.push('\n'),
        Piece::Text(words) if inside => text.push_str(words),
        _ => {}
    })?;
    Ok(text.replace("\n\t", "\t"))
}

/// The body of a text or presentation, without what was deleted with changes tracked.
pub fn open_document(file: &[u8]) -> Result<String, TextRefused> {
    let xml = Parts::open(file)?.text("content.xml")?;
    let mut text = String::new();
    let (mut in_body, mut deleted) = (false, 0_u32);
    each_piece(&xml, &mut |piece| match piece {
        Piece::Start("body", _) => in_body = true,
        Piece::End("body") => in_body = false,
        Piece::Start("tracked-changes", _) => deleted += 1,
        Piece::End("tracked-changes") => deleted = deleted.saturating_sub(1),
        _ if !in_body || deleted > 0 => {}
        Piece::Start("s", start) => {
            let count = attribute(start, "c").and_then(|count| count.parse().ok()).unwrap_or(1);
            (0..count.min(100)).for_each(|_| text.push(' '));
        }
        Piece::Start("tab", _) | Piece::End("table-cell") => text.push('\t'),
        Piece::Start("line-break", _) | Piece::End("p" | "h" | "table-row") => text.push('\n'),
        Piece::End("page") => text.push_str("\n\n"),
        Piece::Text(words) => text.push_str(words),
        _ => {}
    })?;
    Ok(text.replace("\n\t", "\t"))
}
