//! The channels around the launch: the plan, the tide bug, the ports.

/// `#harbor-launch`.
pub const LAUNCH: &str = "\
05-11 13:02 | tove | Harbor is official. Launch: 20 October. Maya steers. | 🎉8 🚢5
05-11 13:04 | maya | Thank you all. Planning on Wednesday at 10 in Skagerrak, bring a fear and a cut.
05-13 11:20 | priya | My fear: a form with eleven fields. My cut: eight of them. | 💯6
05-13 11:24 | sana | > Which three stay?
05-13 11:25 | priya | > Boat, night, phone. The rest we learn later or never.
06-10 15:31 | oskar | Ten pilot ports signed. Lerskär wants paper. I promised paper. | 🖨️4
06-24 09:12 | elif | First end-to-end run: one booking, 94 seconds, with dry hands.
06-24 09:15 | maya | > Good start. Sixty is the promise.
08-12 10:40 | priya | New booking page: 58 seconds in the office, 71 on a wobbling pontoon.
08-12 10:44 | ben | > Who wobbled?
08-12 10:45 | priya | > Oskar. For science. | 😂7
09-09 14:22 | priya | Tested in the sea at Saltholmen with gloves 🧤. 63 seconds. The button must be bigger.
09-23 16:05 | elif | Feature freeze. From now on only fixes and cake. | 🧊5
10-05 09:31 | oskar | Posters are at the printer: 60 pieces, 3,480 SEK, date 20 October in large letters.
10-15 09:43 | tove | Decision: we move the launch to Tuesday 27 October 10:00, because of the tide bug. | 👍7
10-15 09:46 | oskar | > Then the posters are a week too early. Calling the printer.
10-15 09:58 | oskar | > They had not printed yet!! Same price. I love them. | 🙌9
10-15 10:02 | maya | I am back from Lisbon, slightly delayed, fully in. Plan for the extra week is in the notes.
10-20 08:55 | sana | Replay of a year of tides runs since midnight. 211,408 readings. So far zero wrong. | 🌊4
10-26 16:46 | elif | GO. 48 of 48. | ✅9
10-26 16:50 | tove | > Then go home. Tomorrow 10:00.
10-27 09:55 | sana | Hands off the keyboards. Five minutes.
10-27 10:00 | sana | Live. | 🚀9 🚢9
10-27 10:03 | ben | FIRST BOOKING: Näcken, berth 12, Lerskär, 39 seconds from open to paid!! | 🎉9 😭3
10-27 10:22 | haruto | 潮見浜港の最初の予約が入りました！18時21分、漁船「第八海風丸」です。 | 🎌5 🎉6
10-27 10:24 | maya | > Shiomihama's first booking too! おめでとう、陽斗さん！
10-27 15:01 | tove | Cake. Kitchen. Now. 🎂 | 🍰9
11-03 08:16 | ben | Week one: 14 ports, 2,316 bookings, median 48 seconds, 37 tickets, 0 night calls. | 📈8
11-03 08:30 | maya | Boat length gets editable this sprint. It is 21 of the 37 tickets.
11-06 12:02 | zoe | The moving button stands still now. It was the tide widget, it pushed everything down when it loaded. | 🙏6
11-12 13:15 | sana | Build 412 is out: boat length, quiet button, Portuguese typos.
11-13 15:10 | tove | Read the 2027 questions before Tuesday, please. Winter storage, Portugal, Japan.
";

/// `#harbor-tides`.
pub const TIDES: &str = "\
05-19 10:05 | sana | Tide tables come as text files with an offset per line. What could go wrong?
05-19 10:06 | elif | > I will frame this message.
08-04 13:01 | maya | Shiomihama asks: do tables show the port's own time? It has to be yes by September.
08-04 13:20 | sana | > On the must list.
08-05 09:44 | haruto | 潮位表のサンプルを送りました。満潮は「満」、干潮は「干」です。 | 🙏3
08-05 09:46 | haruto | > (Sample tables sent. 満 = high water, 干 = low water.)
09-16 11:30 | sana | Port zones are in. Lerskär, Lisbon and Shiomihama all read right in the tests.
10-14 11:05 | haruto | The table for Shiomihama is nine hours off in production. 03:12 instead of 12:12. 至急です。 | 🚨4
10-14 11:08 | sana | > Looking.
10-14 11:26 | sana | > Got it. Zones without summer time fall back to UTC. All Japanese ports, nobody else.
10-14 11:41 | elif | > Our test port was Lisbon. Lisbon has summer time. Of course.
10-14 12:10 | maya | > From Lisbon: nobody ships before a full replay. I talk to Tove tonight.
10-16 17:48 | sana | Fix is in build 388. The replay compares every reading of 2025 with the printed tables.
10-21 07:30 | sana | Replay finished: 211,408 readings, 0 wrong. | 🌊6 🎯4
10-21 07:41 | haruto | ありがとうございます。港長も笑顔でした。 | 🙇4
10-21 07:42 | haruto | > (Thank you. Even the harbour master smiled.)
11-10 10:20 | elif | New rule: every test port list has one place without summer time and one with half an hour.
";

/// `#pilot-ports`.
pub const PILOTS: &str = "\
06-03 09:10 | oskar | Lerskär is in: 84 berths, one printer, Agneta.
06-17 14:33 | oskar | The outer islands next: Gråholmen says yes if the texts say gästhamn and not marina.
07-20 08:40 | ben | Lerskär: 131 bookings on the first weekend, two double ones, both at midnight.
07-20 09:03 | sana | > Midnight belongs to two days. Not any more: build 311.
07-20 10:15 | ben | > Agneta sends a drawing of a clock with two faces. 🕛🕛 | 😂5
08-11 16:20 | ben | Three ports ask for prices with and without electricity. 40 SEK a night in most places.
08-31 11:11 | haruto | 潮見浜港：試験運用、明日から開始します。 | 💪5
08-31 11:12 | haruto | > (Shiomihama starts the trial tomorrow.)
09-14 13:50 | ben | Doca das Gaivotas in Lisbon wants to see a demo. Is anyone there in October?
09-14 13:52 | maya | > I am, on holiday. Half a day on Monday 12 October is fine, if lunch is fish.
10-12 16:40 | maya | Doca das Gaivotas liked it. They want Portuguese texts and a map of the bridges' heights. | 🇵🇹6
10-12 16:44 | oskar | > You are the worst holidaymaker. Thank you!
11-04 09:27 | ben | Fourteen ports live, two more want to join before winter: a rowing club and Ljungskär.
11-09 10:10 | oskar | Ljungskär signed. 490 SEK a month. That is fifteen.
";
