//! Appointments that happen once. Cells: id, day, hours, title, place, guests, offset, state.

/// One entry per event.
pub const EVENTS: &str = r"
@ evt-harbor-kickoff | 05-13 | 10:00-12:00 | Harbor: planning | Skagerrak | maya-work+, sana+, priya+, oskar+, haruto?
Bring one thing you fear and one thing you would cut.
@ evt-loft-visit | 06-08 | 17:00-17:45 | Marta measures the loft | Lönnlyktsgatan 14 | maya+, marta+
@ evt-midsummer | 06-19 | - | Midsummer in the archipelago 🌼 | Käringön | maya+, elias+, karin+
@ evt-pilot-lerskar | 07-17 | 09:00-15:00 | First weekend at Lerskär, on site | Lerskär guest harbour | maya-work+, ben+, lerskar+
@ evt-vacation | 07-27 | - | Holiday begins (three weeks)
@ evt-boiler-visit | 08-11 | 16:30-17:15 | Jonas looks at the old boiler | Cellar, Lönnlyktsgatan 14 | maya+, jonas+
Ask about the copper pipes from 2019 and about noise.
@ evt-loft-work-1 | 08-31 | 07:30-16:00 | Loft insulation, day 1 of 3 | Lönnlyktsgatan 14 | maya+, marta+
@ evt-loft-work-2 | 09-01 | 07:30-16:00 | Loft insulation, day 2 of 3 | Lönnlyktsgatan 14 | maya+, marta+
@ evt-loft-work-3 | 09-02 | 07:30-16:00 | Loft insulation, day 3 of 3 | Lönnlyktsgatan 14 | maya+, marta+
@ evt-offsite | 09-03 | - | Offsite on Öckerö, day 1 | Öckerö | maya-work+, tove+, sana+, priya+, elif+, ben+, oskar-
Ferry 08:40. No laptops.
@ evt-offsite-2 | 09-04 | - | Offsite on Öckerö, day 2 | Öckerö | maya-work+, tove+, sana+, priya+, elif+, ben+
@ evt-sea-test | 09-09 | 13:00-14:30 | Booking test in the sea 🧤🌊 | Saltholmen | priya+, maya-work+, elif?
@ evt-interview | 09-17 | 13:00-14:00 | Interview: interaction design | Skagerrak | maya-work+, priya+
@ evt-tiles-deadline | 09-18 | - | Decide on the kitchen tiles | - | maya+
Sage green (342 SEK a box) or off-white (289 SEK a box).
@ evt-flight-out | 10-09 | 06:50-10:55 | ✈️ SKV 417 Gothenburg to Lisbon | Gothenburg airport | maya-trips+
Booking QX7M2D, seat 14A. Boarding closes 06:20. Lands 09:55 Lisbon time.
@ evt-lisbon-dinner | 10-09 | 20:00-22:30 | Dinner with Inês | Tasca below the castle | maya-trips+, ines+ | +01:00
@ evt-tiles-museum | 10-10 | 10:30-13:00 | Tile museum | Lisbon | maya-trips+, ines? | +01:00
@ evt-sintra | 10-11 | 07:41-16:10 | Sintra with Inês, early train | Sintra | maya-trips+, ines+ | +01:00
Tickets AZ-55190.
@ evt-gaivotas | 10-12 | 09:30-13:00 | Harbor demo at Doca das Gaivotas | Lisbon | maya-work+, oskar- | +01:00
Half a day of work. Lunch is fish.
@ evt-flight-back | 10-14 | 18:40-22:35 | ✈️ SKV 418 Lisbon to Gothenburg | Lisbon airport | maya-trips+ | +01:00
Booking QX7M2D. Leave Graça at 15:45.
@ evt-launch-decision | 10-15 | 09:00-09:30 | Decide: new launch date | Skagerrak | maya-work+, tove+, sana+, oskar+, haruto+
@ evt-launch-old | 10-20 | 10:00-11:00 | Harbor launch 🚢 (old date) | Skagerrak | maya-work+, tove+, sana+ | - | cancelled
Moved to 27 October because of the tide tables.
@ evt-shiomihama-call | 10-21 | 17:00-17:45 | 潮見浜港と定例 / Shiomihama weekly | Video | haruto+, maya-work+, shiomihama+ | +09:00
Replay result: 211,408 readings, 0 wrong.
@ evt-go-no-go | 10-26 | 16:00-16:45 | Harbor: go or no-go | Skagerrak | maya-work+, elif+, sana+, tove+, ben+
@ evt-launch | 10-27 | 10:00-11:00 | Harbor launch 🚢 | Skagerrak and everywhere | maya-work+, tove+, sana+, priya+, oskar+, ben+, elif+, haruto+
Sana presses the button. Cake at 15:00.
@ evt-retro | 10-28 | 09:00-16:00 | Harbor retrospective, first of three days | Kattegatt | maya-work+, tove+, sana+, priya+, oskar+, ben+, elif+, haruto?
Automatic transcript goes to the notes.
@ evt-zoe-start | 11-02 | 09:00-10:00 | Zoë's first day | Kitchen | maya-work+, priya+, zoe+, tove+
@ evt-dentist-old | 11-04 | 14:20-15:10 | Dentist: crown on tooth 26 (old time) | Tandkliniken Krusmyntan | maya+, dentist- | - | cancelled
@ evt-cleaning | 11-07 | 10:00-13:00 | Autumn cleaning day, Brf Lönnlyktan | Courtyard | maya+, yusuf+, gunnel+
Rakes and soup. Record: 61 sacks.
@ evt-boiler-old | 11-12 | 08:00-15:00 | Boiler installation (old date) | Lönnlyktsgatan 14 | maya+, jonas- | - | cancelled
Moved by Jonas: the expansion vessels are late.
@ evt-2027 | 11-17 | 13:00-15:00 | Harbor in 2027 | Skagerrak | maya-work+, tove+, sana+, oskar?
Winter storage? Portugal in March or May? Who covers Japan?
@ evt-boiler | 11-19 | 08:00-15:00 | New boiler installed (Varmvik & Glöd) | Lönnlyktsgatan 14, cellar | maya+, jonas+
Jonas arrives at 08:00. No hot water from 09:00 to about 14:00. Notice in the stairwell by 16 November. Send the certificate to the board afterwards.
@ evt-mum-70 | 11-21 | 13:00-16:00 | Mum turns 70 🎂 | Restaurant at Långedrag, ground floor | maya+, elias+, karin.
Table for eleven.
@ evt-water-off | 11-24 | 09:00-11:00 | Water shut off in the house | Brf Lönnlyktan
@ evt-dentist | 11-25 | 09:40-10:30 | Dentist: crown on tooth 26 | Tandkliniken Krusmyntan | maya+, dentist+
4,350 SEK after the allowance.
@ evt-tiling | 11-30 | 07:30-16:00 | Tiling begins | Kitchen, Lönnlyktsgatan 14 | maya+, marta+
@ evt-concert | 12-13 | 16:00-17:30 | Winter concert, Kören Måsvind | Chapel | maya+, choir+
Dark blue, no perfume. Bring the Lisbon cake.
";
