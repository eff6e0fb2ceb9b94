//! Notes of everyday life: trips, kitchen, lists, and some with awkward names.

/// One entry per note.
pub const NOTES: &str = "
@ trips/Lisbon 2026/plan.md | 2026-07-03T22:00:00+02:00 | 2026-10-08T21:00:00+02:00 | trip, lisbon
# Lisbon, 9 to 14 October

SKV 417 out at 06:50, SKV 418 back at 18:40 on Wednesday. Booking QX7M2D.
Flat in Graça, 275 EUR for five nights, paid. Ask Inês for the door.
Sunday Sintra 07:41 (AZ-55190). Monday morning Gaivotas for work.
@ trips/Lisbon 2026/packing list.md | 2026-09-30T21:00:00+02:00 | 2026-10-08T22:10:00+02:00 | trip, lisbon
# Packing

- [x] adapter, passport, walking shoes
- [x] crisp bread and liquorice for Inês
- [x] laptop (half a day only!)
- [ ] patience for the cat
@ trips/Lisbon 2026/🇵🇹 words.md | 2026-10-07T20:00:00+02:00 | 2026-10-13T23:00:00+01:00 | trip, language
# Portuguese that worked

o gato não pode entrar = the cat may not come in
mais um, por favor = one more, please
desculpe, sou sueca = sorry, I am Swedish
@ trips/Lisbon 2026/diary.md | 2026-10-09T23:30:00+01:00 | 2026-10-14T17:20:00+01:00 | trip, diary
# Six days

Friday: light like in a glass of white wine. The decoy flowerpot fooled me.
Saturday: tiles, tiles, tiles. I understand sage green now.
Sunday: Sintra before the buses. Fog, then a palace, then a bun.
Monday: Doca das Gaivotas said yes to a demo in their own language.
Tuesday: Ministro came in. I said nothing.
Wednesday: a message from Haruto, nine hours wrong. Wrote to Tove from the plane.
@ recipes/🍝 fresh pasta.md | 2026-10-17T20:00:00+02:00 | 2026-10-18T22:30:00+02:00 | recipe
# Fresh pasta for four

300 g durum, 100 g wheat flour, 4 eggs, salt. Knead 10 min, rest 30. Second thinnest setting. Boil two minutes.
@ recipes/ragù (secret!).md | 2026-10-20T20:40:00+02:00 | 2026-10-20T20:45:00+02:00 | recipe, family
# Grandmother's ragù

Beef 500 g, pancetta 100 g, carrot, onion, celery, red wine, tomatoes, 2 dl milk. Three hours. Not for Elias's eyes.
@ recipes/pastéis de nata.md | 2026-11-14T09:00:00+01:00 | 2026-11-15T21:50:00+01:00 | recipe, choir
# Custard tarts for the concert

Twelve in a tin (KK-20611), hottest oven, nine minutes. Vanilla, lemon peel, no courage with the sugar.
@ lists/to do.md | 2026-05-01T08:00:00+02:00 | 2026-11-15T22:00:00+01:00 | list | pinned
# To do

- stairwell notice about the boiler
- number of vegetarians to Elias (three, it turned out to be four)
- sell six concert tickets
- send the boiler certificate to Gunnel
- call Fyrbåksbanken about the insurance
@ lists/books.md | 2026-06-01T21:00:00+02:00 | 2026-10-24T20:00:00+02:00 | list
# Books

Sea charts for the impatient (library, until 5 November). The lighthouse keeper's ledger. A cookbook without photographs.
@ lists/gifts & ideas/mum 70.md | 2026-08-31T07:40:00+02:00 | 2026-11-07T18:50:00+01:00 | list, family
# Mum, 21 November

Weaving course 2,900 SEK, shared with Elias. Beeswax candles, seven of them. Lunch at one, eleven people.
@ health/dentist.md | 2026-10-07T08:30:00+02:00 | 2026-11-03T08:10:00+01:00 | health
# Crown on tooth 26

Moved from 4 November 14:20 to **25 November 09:40**, Tandkliniken Krusmyntan. 4,350 SEK after the allowance. Chew on the right.
@ health/back.md | 2026-06-20T07:00:00+02:00 | 2026-06-20T07:05:00+02:00 | health
# Back

Do the three exercises. Not only after carrying boxes.
@ choir/alto notes.md | 2026-09-08T21:00:00+02:00 | 2026-11-10T22:00:00+01:00 | choir
# Alto notes

Bar 41: do not follow the sopranos. Bar 88: breathe. Bring the pencil.
@ inbox/ leading space and 100% odd.md | 2026-06-27T23:59:59+02:00 | 2026-06-28T00:00:01+02:00 | inbox
A note whose name was typed on a phone in the dark: 50 % rain, \"quotes\", back\\slash, tab\there, and a smile :-)
@ inbox/cafe\u{301} or café?.md | 2026-10-18T17:10:00+02:00 | 2026-10-18T17:10:30+02:00 | inbox
Two ways to write the same word: cafe\u{301} with a combining accent, café without. Vietnamese for fun: tie\u{302}\u{301}ng Vie\u{302}\u{323}t. A stacked one: Z\u{351}\u{36b}\u{343}\u{36a}a\u{310}lgo.
@ inbox/undated scrap.md | - | - | inbox
Measured the hallway: 3.42 m by 1.18 m. No idea when. Never trust the 3.40 on the old plan.
@ inbox/family 👨‍👩‍👧‍👦 names.md | 2026-08-30T21:00:00+02:00 | 2026-08-30T21:02:00+02:00 | inbox, family
Cousins for the table: Astrid, Love, Hedvig, Nils 👩🏿‍🌾. Four, not three.
@ inbox/passwords are not here.md | 2026-05-03T10:00:00+02:00 | 2026-05-03T10:00:00+02:00 | inbox
They are in the password manager. This note exists because I keep looking.
";
