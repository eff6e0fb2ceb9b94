//! Attachments: the small files that some letters carry, with the digest of each.

/// One attached file and the message that carries it.
pub struct File {
    pub message: &'static str,
    pub name: &'static str,
    pub mime_type: &'static str,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: &'static str,
    pub content: &'static str,
}

/// Every attachment of both accounts.
pub const FILES: &[File] = &[
    File {
        message: "msg-boiler-offer-03",
        name: "Offer 2026-118 revised.csv",
        mime_type: "text/csv",
        sha256: "4a6964b0ddedc17836447bf678a625b1289b5654d5fb3e2c4d375fbc13bc11b4",
        content: "item;amount_sek\nBoiler Varmkälla 9 and expansion vessel;38200.00\n\
            Pipework and valves;9200.00\nLabour;11500.00\nTotal including VAT;58900.00\n\
            Household tax deduction;-9300.00\nTo pay;49600.00\n",
    },
    File {
        message: "msg-loft-done-02",
        name: "Faktura 3307.txt",
        mime_type: "text/plain",
        sha256: "7574119f40394d41c1964527b3bf574ad56b34219a9dd43ea76a280506267a9a",
        content: "FAKTURA 3307\nSpånhuset Bygg\nLösull av träfiber, 41 m² golv och 18 m² snedtak\n\
            Summa: 39 100,00 kr inklusive moms\nFörfaller: 2026-10-04\nReferens: 330714\n",
    },
    File {
        message: "msg-flight-01",
        name: "QX7M2D ✈️ itinerary.ics",
        mime_type: "text/calendar",
        sha256: "912c9f6ab52d7fafaadbc4c8e1511415305b8a5be7e467b403478731362fa0f2",
        content: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Skrakvinge//Booking//EN\r\n\
            BEGIN:VEVENT\r\nUID:QX7M2D-417@skrakvinge.example.com\r\nDTSTAMP:20260703T190211Z\r\n\
            DTSTART:20261009T045000Z\r\nDTEND:20261009T085500Z\r\nSUMMARY:SKV 417 GOT-LIS\r\n\
            END:VEVENT\r\nBEGIN:VEVENT\r\nUID:QX7M2D-418@skrakvinge.example.com\r\n\
            DTSTAMP:20260703T190211Z\r\nDTSTART:20261014T174000Z\r\nDTEND:20261014T213500Z\r\n\
            SUMMARY:SKV 418 LIS-GOT\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    },
    File {
        message: "msg-launch-ready-01",
        name: "checklist.csv",
        mime_type: "text/csv",
        sha256: "6a96d6c511c11d91674ed3a3bece9a355234f3d31407b4c6de66ba028c398318",
        content: "area,checks,passed\nbooking,16,16\ntides,12,12\npayments,9,9\nprinting,5,5\n\
            languages,6,6\n",
    },
    File {
        message: "msg-press-kit-02",
        name: "saltholmen.svg",
        mime_type: "image/svg+xml",
        sha256: "e83822e4c826d3104239f45d5f661c72a25a39cacc5efc8eb0d7c4c03d230940",
        content: "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 120 80\">\
            <title>A booking page tested in the sea</title>\
            <rect width=\"120\" height=\"80\" fill=\"#cfe8f3\"/>\
            <path d=\"M0 50q15-8 30 0t30 0 30 0 30 0v30H0z\" fill=\"#2b6f8f\"/>\
            <circle cx=\"60\" cy=\"28\" r=\"8\" fill=\"#e2b48c\"/>\
            <path d=\"M60 36v18m0-12 14-6m-14 6-14-6\" stroke=\"#333\" stroke-width=\"3\"/>\
            <rect x=\"72\" y=\"26\" width=\"7\" height=\"12\" rx=\"1\"/></svg>\n",
    },
];
