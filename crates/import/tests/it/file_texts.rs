//! The text of files: each kind, and files that are broken.

use pdpp_import::texts::extract;
use pdpp_import::texts::kind::FileTextKind;
use pdpp_import::texts::reader::TextStatus;
use proptest::prelude::*;

use crate::bench::{import, text, zipped};

/// One page with one line of text.
pub fn pdf(words: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 720 Td ({words}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let start = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}

fn docx() -> Vec<u8> {
    let document = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="w"><w:body>
        <w:p><w:r><w:t>Boiler </w:t></w:r><w:r><w:t xml:space="preserve">&amp; valve</w:t></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Part</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12&#8364;</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        <w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:delText>gone</w:delText></w:r></w:p></w:body></w:document>"#;
    let footnotes = r#"<w:footnotes xmlns:w="w"><w:footnote><w:p><w:r><w:t>A footnote</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
    zipped(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", document.as_bytes()),
        ("word/footnotes.xml", footnotes.as_bytes()),
    ])
}

fn xlsx() -> Vec<u8> {
    zipped(&[
        (
            "[Content_Types].xml",
            br#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            br#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        (
            "xl/workbook.xml",
            br#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Costs" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            br#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        (
            "xl/worksheets/sheet1.xml",
            br#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Valve</t></is></c><c r="B1"><v>12.5</v></c></row></sheetData></worksheet>"#,
        ),
    ])
}

fn odt() -> Vec<u8> {
    let content = r#"<office:document-content xmlns:office="o" xmlns:text="t"><office:automatic-styles><x>no</x></office:automatic-styles>
        <office:body><office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>Boiler</text:h><text:p>one<text:s text:c="2"/>two<text:line-break/>three</text:p></office:text></office:body></office:document-content>"#;
    zipped(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_bytes()),
    ])
}

fn pptx() -> Vec<u8> {
    let slide = |words: &str| {
        format!(
            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:sld>"
        )
    };
    zipped(&[
        ("ppt/slides/slide10.xml", slide("Last").as_bytes()),
        ("ppt/slides/slide2.xml", slide("First").as_bytes()),
        ("ppt/notesSlides/notesSlide2.xml", slide("Say hello").as_bytes()),
    ])
}

fn epub() -> Vec<u8> {
    zipped(&[
        ("META-INF/container.xml", br#"<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"#),
        ("OEBPS/book.opf", br#"<package><manifest><item id="b" href="z.xhtml"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>"#),
        ("OEBPS/a.xhtml", b"<html><body><p>The end</p></body></html>"),
        ("OEBPS/z.xhtml", b"<html><head><title>x</title></head><body><h1>Chapter one</h1></body></html>"),
    ])
}

const MAIL: &[u8] = b"From: Ann <ann@example.org>\r\nTo: Bo <bo@example.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\
    Date: Mon, 5 Jan 2026 10:00:00 +0100\r\nContent-Type: text/plain\r\n\r\nThe valve is here.\r\n";
const EVENT: &[u8] = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Choir\\, loud\r\nLOCATION:The\r\n  hall\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

fn samples() -> Vec<(FileTextKind, Vec<u8>, &'static str)> {
    vec![
        (FileTextKind::Pdf, pdf("The boiler plan"), "The boiler plan"),
        (FileTextKind::Html, b"<style>x</style><p>Good <b>day</b></p>".to_vec(), "Good day"),
        (FileTextKind::Docx, docx(), "Boiler & valve\nPart\t12\u{20ac}\n\nA footnote"),
        (FileTextKind::Sheet, xlsx(), "Costs\nValve\t12.5"),
        (FileTextKind::OpenDocument, odt(), "Boiler\none  two\nthree"),
        (FileTextKind::Pptx, pptx(), "First\n\nSay hello\n\nLast"),
        (FileTextKind::Epub, epub(), "Chapter one\n\nThe end"),
        (FileTextKind::Rtf, br"{\rtf1 Hello\par world}".to_vec(), "Hello\nworld"),
        (
            FileTextKind::Mail,
            MAIL.to_vec(),
            "From: Ann <ann@example.org>\nTo: Bo <bo@example.org>\nDate: Mon, 5 Jan 2026 10:00:00 +0100\n\
             Subject: Grüße\n\nThe valve is here.",
        ),
        (FileTextKind::Card, EVENT.to_vec(), "Summary: Choir, loud\nPlace: The hall"),
        (
            FileTextKind::Plain,
            b"Gr\xfc\xdfe aus K\xf6ln und M\xfcnchen".to_vec(),
            "Grüße aus Köln und München",
        ),
    ]
}

#[test]
fn the_text_of_every_kind_of_file_is_found() {
    for (kind, file, words) in samples() {
        assert_eq!(extract(kind, &file).as_deref(), Ok(words), "{kind:?}");
    }
}

#[test]
fn files_that_are_not_what_they_claim_give_no_text() {
    use FileTextKind::{Docx, Epub, OpenDocument, Pdf, Pptx, Rtf, Sheet};
    for kind in [Pdf, Docx, Pptx, OpenDocument, Sheet, Epub, Rtf] {
        for file in [&b""[..], b"\0\0\0", b"PK\x03\x04", b"%PDF-1.4\n%%EOF", b"{\\rtf"] {
            let is_begun_rtf = kind == Rtf && file.starts_with(b"{\\rtf");
            assert!(extract(kind, file).is_err() || is_begun_rtf, "{kind:?} {file:?}");
        }
    }
}

#[test]
fn the_text_of_an_attachment_is_a_field_of_its_record() {
    let file = std::iter::once("From a@x Mon Jan  5 10:00:00 2026\nFrom: a@x\nMessage-ID: <1@x>\nSubject: Plan\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHere\n\
        --b\nContent-Type: application/octet-stream; name=\"notes.rtf\"\n\n{\\rtf1 The valve\\par}\n\
        --b\nContent-Type: application/pdf; name=\"broken.pdf\"\n\nnot a PDF\n\
        --b\nContent-Type: image/png; name=\"a.png\"\n\nx\n--b--\n").collect::<String>();
    let outcome = import("mbox", &[("all.mbox", file.as_bytes())]);
    let read = outcome.find("attachments", "filename", "notes.rtf");
    assert_eq!(
        (text(read, "text"), text(read, "text_status")),
        ("The valve", TextStatus::Read.word())
    );
    let broken = outcome.find("attachments", "filename", "broken.pdf");
    assert_eq!(
        (broken.get("text"), text(broken, "text_status")),
        (None, TextStatus::Refused.word())
    );
    let picture = outcome.find("attachments", "filename", "a.png");
    assert_eq!((picture.get("text"), picture.get("text_status")), (None, None));
    assert_eq!(outcome.notes.len(), 1);
}

#[test]
fn mails_inside_of_mails_are_read_however_deep_they_go_and_too_many_headers_are_refused() {
    let deep = b"From: a@example.org\nContent-Type: message/rfc822\n\n".repeat(40_000);
    assert_eq!(extract(FileTextKind::Mail, &deep).as_deref(), Ok("From: a@example.org"));
    let wide = [&b"a:\n".repeat(1_000_000), MAIL].concat();
    assert!(extract(FileTextKind::Mail, &wide).is_err());
}

#[test]
fn a_package_that_unpacks_without_measure_is_refused() {
    let part = vec![b'a'; (64 << 20) + 1];
    let file = zipped(&[("word/document.xml", &part)]);
    assert!(file.len() < 1 << 20);
    assert!(extract(FileTextKind::Docx, &file).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The parser of PDF may panic and is only run in a process of its own.
    #[test]
    fn damaged_files_give_text_or_a_refusal(which in 0_usize..11, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let (kind, mut file, _) = samples().swap_remove(which);
        if kind != FileTextKind::Pdf {
            let place = at.index(file.len());
            file[place] = byte;
            let _ = extract(kind, &file);
            let _ = extract(kind, &file[..cut.index(file.len())]);
        }
    }
}
