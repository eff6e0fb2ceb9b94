//! Exports that mean harm: archives that climb or swell, links that lead out, text that is none.

use std::io::Write;

use pdpp_contract::ErrorCode;
use pdpp_import::export::Export;
use pdpp_import::format::PrepareError;

use crate::bench::{folder, import_file, import_paths, import_prepared, named, zipped};

const LETTER: &[u8] = b"From: a@example.org\nSubject: hi\n\nhello\n";

#[test]
fn an_entry_that_climbs_out_is_refused_and_the_rest_is_read() {
    let archive = zipped(&[
        ("../../letter.eml", LETTER),
        ("in/letter.eml", LETTER),
        ("/abs.eml", LETTER),
        ("c:\\x.eml", LETTER),
    ]);
    let outcome = import_file("eml", "mail.zip", &archive);
    assert_eq!(outcome.stream("messages").len(), 1);
    assert_eq!(outcome.rejected.len(), 3);
    assert!(outcome.rejected.iter().all(|(_, _, refused)| refused.message.contains("leads out")));
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
    let outcome = import_file("chatgpt", "x.zip", &archive);
    assert_eq!(outcome.rejected.len(), 1);
    assert_eq!(outcome.rejected[0].2.code, ErrorCode::PayloadTooLarge);
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
    let outcome = import_paths("eml", &[inside.path().to_owned()]);
    assert_eq!((outcome.stream("messages").len(), outcome.rejected.len()), (1, 2));
}

#[test]
fn a_cut_archive_and_a_cut_entry_are_refused() {
    let archive = zipped(&[("conversations.json", b"[{\"id\":\"1\"}]")]);
    let cut = &archive[..archive.len() - 10];
    let outcome = import_file("chatgpt", "x.zip", cut);
    assert_eq!((outcome.records.len(), outcome.rejected.len()), (0, 1));
    let mut broken = archive.clone();
    let at = broken.windows(3).position(|bytes| bytes == b"[{\"").unwrap_or(48);
    broken[at + 4] ^= 0x15;
    let outcome = import_file("chatgpt", "x.zip", &broken);
    assert!(!outcome.rejected.is_empty(), "the checksum does not fit");
}

#[test]
fn wrong_encodings_and_zero_bytes_are_refused_by_item() {
    let text = b"[{\"id\":\"1\",\"title\":\"\xff\xfe\"},{\"id\":\"2\",\"title\":\"a\0b\"},{\"id\":\"3\",\"title\":\"good\",\"mapping\":{}}]";
    let outcome = import_file("chatgpt", "conversations.json", text);
    assert_eq!(outcome.stream("conversations").len(), 1);
    let codes: Vec<ErrorCode> =
        outcome.rejected.iter().map(|(_, _, refused)| refused.code).collect();
    assert_eq!(codes, [ErrorCode::InvalidText, ErrorCode::MalformedRecord]);
}

/// A zip archive whose entries all share the bytes of the first one.
fn overlapping(first: &str, content: &[u8], copies: usize) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    zip.start_file(first, options).unwrap();
    zip.write_all(content).unwrap();
    for number in 0..copies {
        zip.shallow_copy_file(first, &format!("copy-{number}-{first}")).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn messages_inside_of_messages_are_read_however_deep_they_go() {
    let deep = b"From: a@example.org\nContent-Type: message/rfc822\n\n".repeat(40_000);
    let outcome = import_file("eml", "deep.eml", &deep);
    assert_eq!((outcome.stream("messages").len(), outcome.stream("attachments").len()), (1, 1));
}

#[test]
fn messages_inside_of_an_encoded_message_cost_a_refusal_and_no_stack() {
    let encoded = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n";
    let inside = "Content-Type: message/rfc822\n\n".repeat(4_000);
    let raw = format!("From: a@example.org\n{encoded}{inside}hello\n");
    let outcome = import_file("eml", "encoded.eml", raw.as_bytes());
    let [(_, _, refused)] = outcome.rejected.as_slice() else { panic!("it was taken") };
    assert_eq!(refused.code, ErrorCode::PayloadTooLarge);
    assert!(refused.message.contains("over 48 KiB"), "{}", refused.message);
}

#[test]
fn a_message_of_too_many_headers_or_parts_is_refused_with_the_cap_before_it_is_parsed() {
    let start = "From: a@example.org\nSubject: hi\n";
    let mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
    let inside = "Content-Type:\n Message/RFC822\n\n";
    let digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\n";
    let fields = "a:\n".repeat(1_000_000);
    for (hostile, why) in [
        (format!("{start}{fields}\nhello\n"), "over 2 MiB"),
        (format!("{start}To: {}\n\nhello\n", "a,".repeat(1_500_000)), "over 2 MiB"),
        (format!("{start}{inside}{start}{fields}\n"), "over 2 MiB"),
        (format!("{start}{digest}{start}{fields}\n"), "over 2 MiB"),
        (format!("{start}{mixed}{}", "--b\n\n".repeat(30_000)), "over 20,000 parts"),
    ] {
        let raw = hostile.as_bytes();
        let outcome = import_file("eml", "hostile.eml", raw);
        let [(_, _, refused)] = outcome.rejected.as_slice() else { panic!("{why} was taken") };
        assert_eq!(refused.code, ErrorCode::PayloadTooLarge);
        assert!(refused.message.contains(why), "{}", refused.message);
    }
    // What is large and no header is read as before.
    let attached =
        "Content-Type: application/pdf; name=message.pdf\nContent-Transfer-Encoding: base64\n\n";
    let file = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB\n".repeat(100_000);
    let comments = "-- a comment of a query\n".repeat(30_000);
    for large in [
        format!("{start}{mixed}--b\n{attached}{file}\n--b--\n"),
        format!("{start}{mixed}--b\n\n{comments}{file}\n--b--\n"),
    ] {
        let outcome = import_file("eml", "large.eml", large.as_bytes());
        assert_eq!((outcome.stream("messages").len(), outcome.rejected.len()), (1, 0));
    }
}

#[test]
fn a_card_or_event_of_too_many_fields_is_refused_with_the_cap_before_it_is_parsed() {
    let card = |inside: String| format!("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\n{inside}END:VCARD\n");
    let event = |inside: String| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260101T100000Z\n{inside}END:VEVENT\nEND:VCALENDAR\n"
        )
    };
    let many = "over 50,000 fields and values";
    let deep = "more than 100 levels";
    let unclosed = "BEGIN:A\n".repeat(200_000) + &"END:B\n".repeat(200_000);
    for (format, name, hostile, why) in [
        ("vcf", "a.vcf", card("TEL:1\n".repeat(60_000)), many),
        ("vcf", "a.vcf", card(format!("CATEGORIES:{}\n", "a,".repeat(60_000))), many),
        ("vcf", "a.vcf", card(format!("TEL{}:1\n", ";A=b".repeat(60_000))), many),
        ("vcf", "a.vcf", card(unclosed.clone()), deep),
        ("ics", "a.ics", event("COMMENT:a\n".repeat(60_000)), many),
        ("ics", "a.ics", event(unclosed), deep),
    ] {
        // What follows is read as if nothing had been before it.
        let hostile = if format == "vcf" { hostile + &card(String::new()) } else { hostile };
        let outcome = import_file(format, name, hostile.as_bytes());
        let [(_, _, refused)] = outcome.rejected.as_slice() else { panic!("{why} was taken") };
        assert_eq!(refused.code, ErrorCode::PayloadTooLarge);
        assert!(refused.message.contains(why), "{}", refused.message);
        assert_eq!(outcome.records.len(), usize::from(format == "vcf"));
    }
    // A picture has many lines and is one field.
    let picture = format!("PHOTO;ENCODING=b:{}\n", "QUFB\n ".repeat(200_000));
    let outcome = import_file("vcf", "a.vcf", card(picture).as_bytes());
    assert_eq!((outcome.stream("contacts").len(), outcome.rejected.len()), (1, 0));
}

#[test]
fn an_archive_whose_entries_overlap_is_refused_whole() {
    let archive = overlapping("letter.eml", LETTER, 50);
    let outcome = import_file("eml", "mail.zip", &archive);
    assert_eq!(outcome.records.len(), 0);
    let [(file, _, refused)] = outcome.rejected.as_slice() else {
        panic!("{:?}", outcome.rejected)
    };
    assert_eq!((file.as_str(), refused.code), ("mail.zip", ErrorCode::MalformedRecord));
    assert!(refused.message.contains("share the same bytes"), "{}", refused.message);
}

#[test]
fn an_archive_with_too_many_entries_is_refused_by_their_number() {
    // The number stands in the archive's last record; nothing else of it is read.
    let mut archive = zipped(&[("a.eml", LETTER)]);
    let end = archive.len() - 22;
    let directory = archive[end - 51..end].to_vec();
    let more = directory.repeat(250_000);
    archive.splice(end..end, more.iter().copied());
    let end = archive.len() - 22;
    let mut zip64 = Vec::new();
    zip64.extend(0x0606_4b50u32.to_le_bytes());
    zip64.extend(44u64.to_le_bytes());
    zip64.extend([45, 0, 45, 0]);
    zip64.extend(0u64.to_le_bytes());
    zip64.extend(250_001u64.to_le_bytes());
    zip64.extend(250_001u64.to_le_bytes());
    let start = u64::try_from(end - more.len() - 51).unwrap();
    zip64.extend(u64::try_from(more.len() + 51).unwrap().to_le_bytes());
    zip64.extend(start.to_le_bytes());
    zip64.extend(0x0706_4b50u32.to_le_bytes());
    zip64.extend(0u32.to_le_bytes());
    zip64.extend(u64::try_from(end).unwrap().to_le_bytes());
    zip64.extend(1u32.to_le_bytes());
    archive.splice(end..end, zip64);
    let end = archive.len() - 22;
    archive[end + 8..end + 12].fill(0xff);
    archive[end + 12..end + 20].fill(0xff);
    let outcome = import_file("eml", "mail.zip", &archive);
    let [(_, _, refused)] = outcome.rejected.as_slice() else { panic!("{:?}", outcome.rejected) };
    assert_eq!(refused.code, ErrorCode::PayloadTooLarge, "{}", refused.message);
    assert!(refused.message.contains("250001 entries; at most 200000"), "{}", refused.message);
}

#[test]
fn an_archive_gives_no_more_records_than_its_size_can_mean() {
    let table = format!("n\n{}", "1\n".repeat(150_000));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("rows.csv", options).unwrap();
    zip.write_all(table.as_bytes()).unwrap();
    let archive = zip.finish().unwrap().into_inner();
    assert!(archive.len() < 2_000, "{} bytes", archive.len());
    let folder = folder(&[("rows.zip", &archive)]);
    let (_, outcome) = import_prepared("csv", &[folder.path().join("rows.zip")]);
    let allowed = 50_000 + 4 * archive.len();
    assert_eq!(outcome.items, allowed + 1);
    let [(_, _, refused)] = outcome.rejected.as_slice() else { panic!("{:?}", outcome.rejected) };
    assert_eq!(refused.code, ErrorCode::PayloadTooLarge);
    assert!(refused.message.contains(&format!("more than {allowed} records")), "{refused:?}");
}

#[test]
fn a_table_of_too_many_columns_is_refused_at_its_first_row_and_others_are_read() {
    let wide: Vec<String> = (0..100_000).map(|number| format!("c{number}")).collect();
    let wide = format!("{}\n1,2,3\n", wide.join(","));
    let folder = folder(&[("wide.csv", wide.as_bytes()), ("good.csv", b"id,v\n1,2\n")]);
    let (declaration, outcome) = import_prepared("csv", &[folder.path().to_owned()]);
    assert!(declaration.stream("wide").is_none());
    assert_eq!(outcome.stream("good").len(), 1);
    let [(file, place, refused)] = outcome.rejected.as_slice() else {
        panic!("{:?}", outcome.rejected)
    };
    assert_eq!((file.as_str(), *place), ("wide.csv", 1));
    assert!(refused.message.contains("100000 columns; at most 1000"), "{}", refused.message);
}

#[test]
fn more_tables_or_fields_than_can_be_kept_are_refused_with_the_cap_as_soon_as_they_are_met() {
    let refused = |format: &str, files: &[(String, Vec<u8>)]| {
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        let archive = zipped(&files);
        let folder = folder(&[("many.zip", &archive)]);
        let export = Export::open(&[folder.path().join("many.zip")]).unwrap();
        let Err(PrepareError::TooMuch(why)) = named(format).prepare(export, None, None) else {
            panic!("it was taken")
        };
        why
    };
    let many = |ending: &str, content: &str| -> Vec<(String, Vec<u8>)> {
        (0..1_500).map(|n| (format!("t{n}x{ending}"), content.as_bytes().to_vec())).collect()
    };
    let tables = refused("csv", &many(".csv", "id,v\n1,2\n"));
    assert!(tables.contains("more than 1000 tables"), "{tables}");
    let lists = refused("json", &many(".json", "[{\"id\":1}]"));
    assert!(lists.contains("more than 1000 tables"), "{lists}");
    let names: Vec<String> = (0..1_500).map(|n| format!("{{\"f{n}\":1}}")).collect();
    let wide = vec![("wide.json".to_owned(), names.join("\n").into_bytes())];
    let fields = refused("json", &wide);
    assert!(fields.contains("more than 1000 fields"), "{fields}");
}
