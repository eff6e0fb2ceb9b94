//! Notes about the flat and about Harbor. Cells: path, created, updated, tags, `pinned`.

/// One entry per note.
pub const NOTES: &str = r#"
@ projects/boiler/decision.md | 2026-08-12T21:40:00+02:00 | 2026-10-30T14:30:00+01:00 | house, boiler | pinned
# Boiler: what was decided

- Electric boiler, Varmkälla 9, by Varmvik & Glöd (Jonas Ekvall).
- Price 58,900 SEK including VAT. First offer was 61,400; the copper pipes stay.
- Tax deduction 9,300, so I pay **49,600 SEK**.
- Date: ~~Thursday 12 November~~ Thursday **19 November 2026**, 08:00 to 15:00.
- Own 25 A fuse, two free places in the panel.
- Board approval: case 26/14. Certificate to Gunnel afterwards.
- Insurance: tell Fyrbåksbanken, the excess drops to 1,500 SEK.
@ projects/boiler/day plan.md | 2026-11-08T20:05:00+01:00 | 2026-11-15T21:15:00+01:00 | house, boiler
# The day without hot water

- [x] Clear two metres around the old dragon (six storage boxes)
- [ ] Notice in the stairwell by Monday the 16th
- [ ] Fill the thermos, shower at the gym
- [ ] Move the call with Shiomihama to Friday
- [ ] Ask Jonas to show the timer: hot water between 01:00 and 05:00
@ projects/loft/insulation.md | 2026-06-09T19:00:00+02:00 | 2026-09-04T18:12:00+02:00 | house, loft
# Loft insulation

Wood fibre, 220 mm on 41 m² of floor, 145 mm on 18 m² of slope. Marta brings the vapour brake and the tape.
Quoted 39,100 SEK (21,300 material, 17,800 labour). Invoice 3307, paid 1 October.
Done in three days, 31 August to 2 September. Old newspaper from 1937 behind the chimney: frame it.
@ projects/loft/newspaper 1937.md | 2026-09-05T10:10:00+02:00 | 2026-09-05T10:25:00+02:00 | house, loft
# What the newspaper says

Weather: rain. A lost umbrella in tram 3. A recipe for rye porridge. An advertisement for a boiler "that will outlive its owner". Well.
@ projects/kitchen/tiles.md | 2026-09-12T12:00:00+02:00 | 2026-11-03T19:40:00+01:00 | house, kitchen
# Kitchen tiles

Sage green, 12 boxes at 342 SEK = 4,104 SEK (11 needed, one spare). Off-white would have been 289.
Adhesive, grout and spacers ordered (KK-20577). Tiling starts 30 November, after the boiler.
@ projects/budget.md | 2026-06-12T08:00:00+02:00 | 2026-11-12T21:00:00+01:00 | house, money | pinned
# Renovation budget 2026

| what | planned | actual |
|---|---|---|
| Loft insulation | 40,000 | 39,100 |
| Boiler, after deduction | 55,000 | 49,600 |
| Kitchen tiles | 5,000 | 4,104 |
| Paint and tools | 4,000 | 4,870 |
| Reserve | 10,000 | 0 |

Total planned 114,000, so far 97,674 SEK.
@ work/harbor/launch plan.md | 2026-10-15T11:00:00+02:00 | 2026-10-26T17:00:00+01:00 | harbor
# Launch: the extra week

1. Replay a year of tides (Sana) ✔
2. New date on the posters, 60 pieces (Oskar) ✔
3. Tell the pilots (Ben) ✔
4. Portuguese typos (nobody, sadly)
5. Sleep ✔

Launch: Tuesday 27 October 10:00. Rollback: previous build 388, nine minutes.
@ work/harbor/tide bug, what we learnt.md | 2026-10-21T17:00:00+02:00 | 2026-10-29T10:00:00+01:00 | harbor
# The nine hours

A zone without summer time fell back to UTC. Our test ports were Lerskär and Lisbon. 潮見浜 was in the tests only with a fixed date.
Rule from now on: one port without summer time, one with a half-hour offset, in every list of test ports.
@ work/harbor/prices.md | 2026-05-28T15:00:00+02:00 | 2026-10-22T15:30:00+02:00 | harbor, money
# Prices

Up to 100 berths 490 SEK a month, above that 890 SEK. Pilots free until 31 December 2026. Refund rule: until the day before.
@ work/harbor/2027.md | 2026-11-14T11:40:00+01:00 | 2026-11-15T18:20:00+01:00 | harbor
# My answers for Tuesday

- Winter storage: no, but a waiting list. Five ports that pay in advance change my mind.
- Portugal: May. March is when everybody paints boats.
- Japan: Sana and I take turns from February, Zoë reads along.
@ work/people/Haruto.md | 2026-05-20T10:00:00+02:00 | 2026-11-06T09:00:00+01:00 | people
# 峰岸 陽斗 (Haruto)

Tokyo, calls after 17:00 his time. Parental leave from February, twins. Likes salt liquorice, to everyone's surprise. 誕生日：四月二日。
@ work/people/Zoë.md | 2026-09-18T09:00:00+02:00 | 2026-11-06T12:00:00+01:00 | people
# Zoë

Started 2 November. Fixed the moving button in week one. Speaks some Japanese.
@ work/one-to-one.md | 2026-09-07T14:35:00+02:00 | 2026-11-09T14:40:00+01:00 | work, private
# Talks with Tove

- September: say no more often.
- October: moving the launch was right, and saying it first was better.
- November: salary letter comes on the 11th.
"#;
