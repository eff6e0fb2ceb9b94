//! Work mail about Harbor, the berth-booking product that was to launch on 20 October and did on the 27th.

/// One entry per letter.
pub const LETTERS: &str = r#"
@ harbor-kickoff | 2026-05-11T09:05:00+02:00 | tove | Harbor: we are doing it | inbox,harbor,important
Dear all, the board said yes. Harbor, our berth booking for small ports, launches on Tuesday 20 October 2026. Maya leads it. Budget 1.8 million SEK, ten pilot ports before midsummer, and one rule: a skipper with wet hands must be able to book in under a minute.
Tove
@ harbor-kickoff | 2026-05-11T10:31:26+02:00 | maya-work | Re: Harbor: we are doing it | sent,harbor | tove, sana, priya, oskar
Thank you! First planning session on Wednesday at 10 in Skagerrak. Bring one thing you fear and one thing you would cut.
@ harbor-kickoff | 2026-05-11T17:48:59+09:00 | haruto | Re: Harbor: we are doing it | inbox,harbor
おめでとうございます！潮見浜港の皆さんも楽しみにしています。時差の関係で、打ち合わせは日本時間の17時以降が助かります。
(Congratulations! The people at Shiomihama port look forward to it. Because of the time difference, meetings after 17:00 Japan time help us.)
峰岸
@ pilot-lerskar | 2026-06-02T11:11:11+02:00 | lerskar | We would like to be a pilot port | inbox,harbor
Hello, we are a guest harbour with 84 berths, one toilet and much love for paper. If Harbor can print the day's list at seven in the morning we are in.
Agneta Holmqvist
@ pilot-lerskar | 2026-06-02T13:40:02+02:00 | maya-work | Re: We would like to be a pilot port | sent,harbor | lerskar, oskar
Dear Agneta, it prints, and it also does without paper when you are ready. Oskar will send the pilot agreement: free until the end of the year, then 490 SEK a month for up to 100 berths.
@ pilot-lerskar | 2026-07-20T08:19:45+02:00 | lerskar | Re: We would like to be a pilot port | inbox,harbor
First weekend with Harbor: 131 bookings, two double ones, and one skipper who booked a berth in the wrong country. The two double bookings both happened at midnight, is that a clue?
@ pilot-lerskar | 2026-07-20T09:02:30+02:00 | sana | Re: We would like to be a pilot port | inbox,harbor | maya-work, lerskar
It is a beautiful clue. Bookings at exactly 00:00 land on both days. Fixed in build 311, on your server tonight.
@ shiomihama-pilot | 2026-08-04T16:20:00+09:00 | shiomihama | 潮見浜港：試験運用のご相談 | inbox,harbor
お世話になっております。潮見浜港の運営室です。9月から試験運用を始めたく存じます。潮位表の時刻が日本時間で表示されるかどうか、ご確認いただけますでしょうか。よろしくお願いいたします。
@ shiomihama-pilot | 2026-08-04T18:05:33+09:00 | haruto | Fwd: 潮見浜港：試験運用のご相談 | inbox,harbor
Short version: Shiomihama wants to start the trial in September, and they ask whether tide tables show Japan time. 潮位表 = tide table. I said yes. Please make it true 🙏
@ shiomihama-pilot | 2026-08-04T12:44:18+02:00 | maya-work | Re: Fwd: 潮見浜港：試験運用のご相談 | sent,harbor | haruto, sana
Sana, please add "tide tables in the port's own zone" to the must list. Haruto, ありがとう！
@ tide-bug | 2026-10-14T17:52:07+09:00 | haruto | URGENT: tide table wrong by nine hours | inbox,harbor,important
The tide table for Shiomihama shows high water at 03:12 instead of 12:12. A fishing boat of 19 tons believed us and waited. No damage, but the harbour master was not amused. 至急ご確認ください。
@ tide-bug | 2026-10-14T11:30:41+02:00 | sana | Re: URGENT: tide table wrong by nine hours | inbox,harbor | maya-work, haruto
Found it: the importer reads the offset, then throws it away when the port's zone has no summer time. Every Japanese port is hit, no European one. The fix is small, the test is not: I want a replay of a full year of tables before we ship.
@ tide-bug | 2026-10-14T23:05:20+01:00 | maya-work | Re: URGENT: tide table wrong by nine hours | sent,harbor | tove, sana, haruto
From the plane's last row: I propose to move the launch by one week, from 20 to 27 October. A tide table that is wrong once is a tide table nobody trusts. Decision tomorrow at 9.
@ launch-moved | 2026-10-15T09:41:00+02:00 | tove | Decision: Harbor launches Tuesday 27 October, 10:00 | inbox,harbor,important
We move by one week. New launch: Tuesday 27 October at 10:00. Oskar tells the press, Ben tells the pilots, Sana replays a year of tides, and everybody sleeps.
Tove
@ launch-moved | 2026-10-15T10:02:44+02:00 | oskar | Re: Decision: Harbor launches Tuesday 27 October, 10:00 | inbox,harbor | tove, maya-work
Press is told. Bryggbladet answered with a photo of a fish. I take that as understanding.
@ launch-ready | 2026-10-26T16:45:12+01:00 | elif | Harbor go / no-go: GO ✅ | inbox,harbor
Checklist 48 of 48. Replay of 2025 tides: 211,408 readings, 0 wrong. Load test: 1,200 bookings a minute, slowest 410 ms. Open: two typos in the Portuguese texts. My vote: go.
@ launch-day | 2026-10-27T10:07:55+01:00 | tove | We are live 🚢🎉 | inbox,harbor
Harbor is live since 10:00. First real booking at 10:03: the yacht "Näcken", berth 12, Lerskär. Cake at three. Thank you, every one of you.
@ launch-day | 2026-10-27T18:30:09+09:00 | haruto | Re: We are live 🚢🎉 | inbox,harbor | tove, maya-work
おめでとう！潮見浜港の最初の予約は18時21分でした。乾杯🍻
@ launch-numbers | 2026-11-03T08:15:00+01:00 | ben | Harbor week one in numbers | inbox,harbor
Ports live: 14. Bookings: 2,316. Median time to book: 48 seconds. Support tickets: 37, of which 21 were "how do I change my boat's length". Refunds: 3. Night calls: 0.
@ launch-numbers | 2026-11-03T09:27:31+01:00 | maya-work | Re: Harbor week one in numbers | sent,harbor | ben, tove
48 seconds! Wet hands and all. Let us make boat length editable this sprint, it pays for itself in tickets.
@ press-kit | 2026-10-22T14:00:00+02:00 | press | Questions before we print | inbox,harbor
Hello! For Thursday's paper: what does Harbor cost a port, how many ports join, and is it true that a skipper tested it in the sea? 1,200 characters, deadline Wednesday 12:00.
@ press-kit | 2026-10-22T15:12:49+02:00 | maya-work | Re: Questions before we print | sent,harbor | press, oskar
490 SEK a month up to 100 berths, 890 SEK above. Fourteen ports from day one. And yes: Priya tested the booking page while standing in the water at Saltholmen, in September, with gloves. The picture is attached.
@ proof | 2026-10-19T13:13:13+02:00 | print | Proof 2: your posters with <mark>changes</mark> highlighted | inbox,harbor
Please check the proof of the quay posters. We replaced "20 October" by "27 October" in four places & moved the QR code 4 mm up. <b>Approve by 17:00</b> and the 60 posters leave tomorrow. Price unchanged: 3,480 SEK.
@ proof | 2026-10-19T15:55:00+02:00 | maya-work | Re: Proof 2: your posters with <mark>changes</mark> highlighted | sent,harbor | print
Approved. Thank you for reprinting the date without sighing audibly.
"#;
