//! Exports that mean harm: archives that climb or swell, links that lead out, text that is none.

use std::io::Write;

use pdpp_contract::ErrorCode;
use pdpp_import::{chatgpt, mail};

use crate::bench::{folder, import_file, import_paths, zipped};

const LETTER: &[u8] = b"From: a@example.org\nSubject: hi\n\nhello\n";

#[test]
fn an_entry_that_climbs_out_is_refused_and_the_rest_is_read() {
    let archive = zipped(&[
        ("../../letter.eml", LETTER),
        ("in/letter.eml", LETTER),
        ("/abs.eml", LETTER),
        ("c:\\x.eml", LETTER),
    ]);
    let outcome = import_file(mail::DECLARATION, mail::import_files, "mail.zip", &archive);
    assert_eq!(outcome.stream("messages").len(), 1);
    assert_eq!(outcome.refused.len(), 3);
    assert!(outcome.refused.iter().all(|(_, _, refused)| refused.message.contains("leads out")));
}

#[test]
fn an_archive_that_swells_is_stopped() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("conversations.json", options).unwrap();
    zip.write_all(b"[\"").unwrap();
    for _ in 0..96 {
        zip.write_all(&vec![b'x'; 1024 * 1024]).unwrap();
    }
    zip.write_all(b"\"]").unwrap();
    let archive = zip.finish().unwrap().into_inner();
    assert!(archive.len() < 200_000, "the bomb is small");
    let outcome = import_file(chatgpt::DECLARATION, chatgpt::import, "x.zip", &archive);
    assert_eq!(outcome.refused.len(), 1);
    assert_eq!(outcome.refused[0].2.code, ErrorCode::PayloadTooLarge);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_refused() {
    let outside = folder(&[("secret.eml", LETTER)]);
    let inside = folder(&[("own.eml", LETTER)]);
    let link = |from: &str, to: &std::path::Path| {
        std::os::unix::fs::symlink(to, inside.path().join(from)).unwrap();
    };
    link("stolen.eml", &outside.path().join("secret.eml"));
    link("folder", outside.path());
    link("again.eml", &inside.path().join("own.eml"));
    let outcome = import_paths(mail::DECLARATION, mail::import_files, &[inside.path().to_owned()]);
    assert_eq!((outcome.stream("messages").len(), outcome.refused.len()), (1, 2));
}

#[test]
fn a_cut_archive_and_a_cut_entry_are_refused() {
    let archive = zipped(&[("conversations.json", b"[{\"id\":\"1\"}]")]);
    let cut = &archive[..archive.len() - 10];
    let outcome = import_file(chatgpt::DECLARATION, chatgpt::import, "x.zip", cut);
    assert_eq!((outcome.records.len(), outcome.refused.len()), (0, 1));
    let mut broken = archive.clone();
    let at = broken.windows(3).position(|bytes| bytes == b"[{\"").unwrap_or(48);
    broken[at + 4] ^= 0x15;
    let outcome = import_file(chatgpt::DECLARATION, chatgpt::import, "x.zip", &broken);
    assert!(!outcome.refused.is_empty(), "the checksum does not fit");
}

#[test]
fn wrong_encodings_and_zero_bytes_are_refused_by_item() {
    let text = b"[{\"id\":\"1\",\"title\":\"\xff\xfe\"},{\"id\":\"2\",\"title\":\"a\0b\"},{\"id\":\"3\",\"title\":\"good\",\"mapping\":{}}]";
    let outcome = import_file(chatgpt::DECLARATION, chatgpt::import, "conversations.json", text);
    assert_eq!(outcome.stream("conversations").len(), 1);
    let codes: Vec<ErrorCode> =
        outcome.refused.iter().map(|(_, _, refused)| refused.code).collect();
    assert_eq!(codes, [ErrorCode::InvalidText, ErrorCode::MalformedRecord]);
}
