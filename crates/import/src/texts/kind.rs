//! Which files have text that can be read, by their media type or the ending of their name.

/// How a file's text is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileTextKind {
    /// PDF.
    Pdf,
    /// Web pages.
    Html,
    /// Word.
    Docx,
    /// PowerPoint.
    Pptx,
    /// Texts and presentations of LibreOffice.
    OpenDocument,
    /// Tables of Excel and LibreOffice.
    Sheet,
    /// Books.
    Epub,
    /// Rich text.
    Rtf,
    /// Attached and forwarded mails.
    Mail,
    /// Calendars and address cards.
    Card,
    /// Text.
    Plain,
}

/// Name, kind, endings and media types.
const KINDS: [(&str, FileTextKind, &[&str], &[&str]); 11] = [
    ("pdf", FileTextKind::Pdf, &["pdf"], &["application/pdf", "application/x-pdf"]),
    (
        "html",
        FileTextKind::Html,
        &["html", "htm", "xhtml"],
        &["text/html", "application/xhtml+xml"],
    ),
    (
        "docx",
        FileTextKind::Docx,
        &["docx", "docm", "dotx"],
        &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ),
    (
        "pptx",
        FileTextKind::Pptx,
        &["pptx", "pptm", "ppsx"],
        &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    ),
    (
        "open-document",
        FileTextKind::OpenDocument,
        &["odt", "ott", "odp"],
        &[
            "application/vnd.oasis.opendocument.text",
            "application/vnd.oasis.opendocument.presentation",
        ],
    ),
    (
        "sheet",
        FileTextKind::Sheet,
        &["xlsx", "xlsm", "xlsb", "xls", "ods"],
        &[
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.ms-excel",
            "application/vnd.oasis.opendocument.spreadsheet",
        ],
    ),
    ("epub", FileTextKind::Epub, &["epub"], &["application/epub+zip"]),
    ("rtf", FileTextKind::Rtf, &["rtf"], &["application/rtf", "text/rtf"]),
    ("mail", FileTextKind::Mail, &["eml"], &["message/rfc822"]),
    (
        "card",
        FileTextKind::Card,
        &["ics", "vcf", "vcs"],
        &["text/calendar", "text/vcard", "text/x-vcard"],
    ),
    (
        "plain",
        FileTextKind::Plain,
        &["txt", "md", "csv", "tsv", "log", "json", "xml", "yaml", "yml", "tex", "srt"],
        &[
            "text/plain",
            "text/markdown",
            "text/csv",
            "application/json",
            "application/xml",
            "text/xml",
        ],
    ),
];

impl FileTextKind {
    /// The kind of a file; `None` when it has no text, such as a picture. The ending decides where
    /// both say something: mail programs often send the wrong type.
    pub fn of(mime_type: &str, filename: &str) -> Option<Self> {
        let ending = filename.rsplit_once('.').map_or("", |(_, ending)| ending);
        let ending = ending.to_ascii_lowercase();
        let mime_type = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let by_ending = KINDS.iter().find(|kind| kind.2.contains(&ending.as_str()));
        let by_type = || KINDS.iter().find(|kind| kind.3.contains(&mime_type.as_str()));
        by_ending.or_else(by_type).map(|kind| kind.1)
    }

    /// The name that the process is told.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|kind| kind.1 == self).map_or("plain", |kind| kind.0)
    }

    /// The kind of this name.
    pub fn find(name: &str) -> Option<Self> {
        KINDS.iter().find(|kind| kind.0 == name).map(|kind| kind.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_before_the_media_type() {
        for (mime_type, filename, kind) in [
            ("application/octet-stream", "Rechnung.PDF", Some(FileTextKind::Pdf)),
            ("application/pdf", "part-1", Some(FileTextKind::Pdf)),
            ("text/plain; charset=utf-8", "notes", Some(FileTextKind::Plain)),
            ("text/plain", "table.xlsx", Some(FileTextKind::Sheet)),
            ("image/png", "a.png", None),
            ("application/zip", "a.zip", None),
        ] {
            assert_eq!(FileTextKind::of(mime_type, filename), kind, "{mime_type} {filename}");
        }
        assert!(KINDS.iter().all(|kind| FileTextKind::find(kind.0) == Some(kind.1)));
    }
}
