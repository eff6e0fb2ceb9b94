//! The files that some of the sample mails carry; their records name them by digest.

/// One attached file.
pub struct DemoFile {
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: &'static str,
    pub mime_type: &'static str,
    pub content: &'static [u8],
}

/// Every attachment of both mail accounts.
pub const FILES: &[DemoFile] = &[
    DemoFile {
        sha256: "4a6964b0ddedc17836447bf678a625b1289b5654d5fb3e2c4d375fbc13bc11b4",
        mime_type: "text/csv",
        content: include_bytes!("../../demo/files/offer.csv"),
    },
    DemoFile {
        sha256: "7574119f40394d41c1964527b3bf574ad56b34219a9dd43ea76a280506267a9a",
        mime_type: "text/plain",
        content: include_bytes!("../../demo/files/invoice.txt"),
    },
    DemoFile {
        sha256: "912c9f6ab52d7fafaadbc4c8e1511415305b8a5be7e467b403478731362fa0f2",
        mime_type: "text/calendar",
        content: include_bytes!("../../demo/files/itinerary.ics"),
    },
    DemoFile {
        sha256: "6a96d6c511c11d91674ed3a3bece9a355234f3d31407b4c6de66ba028c398318",
        mime_type: "text/csv",
        content: include_bytes!("../../demo/files/checklist.csv"),
    },
    DemoFile {
        sha256: "e83822e4c826d3104239f45d5f661c72a25a39cacc5efc8eb0d7c4c03d230940",
        mime_type: "image/svg+xml",
        content: include_bytes!("../../demo/files/saltholmen.svg"),
    },
];
