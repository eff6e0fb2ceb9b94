//! XML as a sequence of beginnings, ends and texts. Entities beyond the five of XML are left out, so
//! no document can blow itself up.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::TextRefused;

/// What stands in a document. Names are without prefixes.
pub enum Piece<'x> {
    /// An element begins.
    Start(&'x str, &'x BytesStart<'x>),
    /// An element ends; one that is empty begins and ends.
    End(&'x str),
    /// Characters.
    Text(&'x str),
}

/// Walks through a document.
pub fn each_piece(xml: &str, visit: &mut dyn FnMut(Piece<'_>)) -> Result<(), TextRefused> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event().map_err(|_| TextRefused)? {
            Event::Start(start) => visit(Piece::Start(start.local_name().as_ref(), &start)),
            Event::Empty(start) => {
                visit(Piece::Start(start.local_name().as_ref(), &start));
                visit(Piece::End(start.local_name().as_ref()));
            }
            Event::End(end) => visit(Piece::End(end.local_name().as_ref())),
            Event::Text(text) => visit(Piece::Text(&text.xml_content(XmlVersion::Implicit1_0))),
            Event::CData(text) => visit(Piece::Text(&text.xml_content(XmlVersion::Implicit1_0))),
            Event::GeneralRef(reference) => {
                if let Ok(Some(letter)) = reference.resolve_char_ref() {
                    visit(Piece::Text(letter.encode_utf8(&mut [0; 4])));
                } else {
                    visit(Piece::Text(match &*reference {
                        "amp" => "&",
                        "lt" => "<",
                        "gt" => ">",
                        "quot" => "\"",
                        "apos" => "'",
                        "nbsp" => " ",
                        _ => "",
                    }));
                }
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The value of an attribute, by its name without a prefix.
pub fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start
        .attributes()
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}
