//! Personal mail about the trip to Lisbon, 9 to 14 October 2026.

/// One entry per letter.
pub const LETTERS: &str = r"
@ lisbon-plan | 2026-07-02T22:14:00+01:00 | ines | Are you finally coming to Lisbon? 🇵🇹 | inbox,trips
Maya! Three years of promises. My cousin's flat in Graça is empty from 9 to 14 October. Two rooms, a terrace, a lemon tree and a very opinionated cat downstairs. He wants 55 EUR a night, five nights, cash or transfer. Say yes.
Beijinhos
Inês
@ lisbon-plan | 2026-07-03T08:01:37+02:00 | maya-trips | Re: Are you finally coming to Lisbon? 🇵🇹 | sent,trips | ines
YES. Five nights at 55 is 275 EUR, I transfer it this week. I will look for flights tonight.
@ lisbon-plan | 2026-07-03T12:45:20+01:00 | ines | Re: Are you finally coming to Lisbon? 🇵🇹 | inbox,trips
I am dancing in the office and people are looking. We go to Sintra on Sunday, early, before the buses.
@ flight | 2026-07-03T21:02:11+02:00 | airline | Booking confirmed: QX7M2D, Gothenburg to Lisbon | inbox,trips,important
Booking reference QX7M2D, passenger LINDQVIST/MAYA.

Out: SKV 417, Friday 9 October 2026, Gothenburg 06:50 (+02:00) to Lisbon 09:55 (+01:00).
Back: SKV 418, Wednesday 14 October 2026, Lisbon 18:40 (+01:00) to Gothenburg 23:35 (+02:00).

One cabin bag and one checked bag of 20 kg. Total 2,386.00 SEK.
@ flight | 2026-10-01T05:00:00Z | airline | Check-in opens soon: QX7M2D | inbox,trips
Check-in for SKV 417 opens on Thursday 8 October at 06:50. Your seat wish: 14A, window.
@ flight | 2026-10-08T17:30:00Z | airline | Change of gate time: SKV 417 | inbox,trips
Please note: boarding for SKV 417 closes at 06:20 instead of 06:30. The departure time has not changed.
@ flight | 2026-10-15T09:12:00+02:00 | airline | How was SKV 418? | inbox,trips
You landed 52 minutes late yesterday. We are sorry. A delay under three hours gives no compensation, but our crew says you laughed at the announcement, so thank you.
@ lisbon-flat | 2026-10-05T20:48:09+01:00 | ines | Keys, door code, cat | inbox,trips
Street door: code 4471, then push hard. The flat is on the third floor, blue door, key with the sardine on it under the flowerpot (the second one, the first is a decoy). The cat is called Ministro and is not allowed in, he will tell you otherwise.
@ lisbon-flat | 2026-10-05T22:30:55+02:00 | maya-trips | Re: Keys, door code, cat | sent,trips | ines
Second flowerpot, sardine, no cat. I bring you knäckebröd and the liquorice you hate.
@ sintra | 2026-09-28T18:19:33+01:00 | rail | Os seus bilhetes: Lisboa - Sintra, 11 October | inbox,trips
Obrigado pela sua compra! Two return tickets Lisboa - Sintra, Sunday 11 October 2026, valid from 07:41. Price 2 x 4.90 EUR = 9.80 EUR. Reference AZ-55190.
@ trip-money | 2026-10-17T11:05:00+02:00 | maya | Lisbon: who owes whom | sent,trips | ines
I counted: you paid dinner at the tasca (64.20 EUR) and the tram museum (12.00 EUR), I paid Sintra (9.80 EUR) and the fish lunch (48.60 EUR). Half each means I owe you 8.90 EUR. On its way!
@ trip-money | 2026-10-17T12:26:40+01:00 | ines | Re: Lisbon: who owes whom | inbox,trips
You and your spreadsheets. Keep it and buy coffee for my visit in spring. The cat asks about you.
@ trip-photos | 2026-10-19T23:08:12+01:00 | ines | Fotografias! 📸🌅 | inbox,trips
All 212 of them are in the shared album. The one at the miradouro with the wind in your hair goes on my fridge.
";
