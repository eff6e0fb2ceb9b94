//! EPUB: a package of web pages with a list of their order.

use std::collections::HashMap;

use super::TextRefused;
use super::plain;
use super::xml::{Piece, attribute, each_piece};
use super::zipped::Parts;

/// The pages of a book in the order of reading; in that of their names when none is told.
pub fn text(file: &[u8]) -> Result<String, TextRefused> {
    let mut parts = Parts::open(file)?;
    let ordered = pages_in_order(&mut parts).unwrap_or_default();
    let pages = if ordered.is_empty() { pages_by_name(&parts) } else { ordered };
    if pages.is_empty() {
        return Err(TextRefused);
    }
    let mut text = String::new();
    for page in pages {
        if let Ok(page) = parts.text(&page) {
            text.push_str(&plain::html(page.as_bytes()));
            text.push_str("\n\n");
        }
    }
    Ok(text)
}

fn pages_by_name(parts: &Parts<'_>) -> Vec<String> {
    let is_page = |name: &String| {
        let name = name.to_ascii_lowercase();
        [".xhtml", ".html", ".htm"].iter().any(|ending| name.ends_with(ending))
    };
    let mut pages: Vec<String> = parts.names().into_iter().filter(is_page).collect();
    pages.sort();
    pages
}

fn pages_in_order(parts: &mut Parts<'_>) -> Result<Vec<String>, TextRefused> {
    let mut package = None;
    each_piece(&parts.text("META-INF/container.xml")?, &mut |piece| {
        if let Piece::Start("rootfile", start) = piece {
            package = package.take().or_else(|| attribute(start, "full-path"));
        }
    })?;
    let package = package.ok_or(TextRefused)?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let mut files: HashMap<String, String> = HashMap::new();
    let mut order = Vec::new();
    each_piece(&parts.text(&package)?, &mut |piece| match piece {
        Piece::Start("item", start) => {
            if let (Some(id), Some(href)) = (attribute(start, "id"), attribute(start, "href")) {
                files.insert(id, href.replace("%20", " "));
            }
        }
        Piece::Start("itemref", start) => order.extend(attribute(start, "idref")),
        _ => {}
    })?;
    let path =
        |href: &String| if folder.is_empty() { href.clone() } else { format!("{folder}/{href}") };
    Ok(order.iter().filter_map(|id| files.get(id)).map(path).collect())
}
