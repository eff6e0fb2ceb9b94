//! Conversations at work: the launch, the tides, words in other languages.

/// One entry per conversation.
pub const TALKS: &str = r#"
@ conv-one-minute | How to test a one-minute booking | 05-14 10:02
U: We promise skippers a booking in under a minute with wet hands. How do we test that honestly?
A: Measure from page open to payment confirmed, on the slowest phone you support, with people who have never seen it. Report the median and the slowest tenth. Then spoil it: gloves, sun, one bar of signal, a moving pontoon.
U: And literally water?
A: A spray bottle is the scientific minimum. The sea is more convincing.
@ conv-midnight | Double bookings at midnight | 07-20 08:50
U: Two double bookings, both at exactly 00:00. What is the usual cause?
A: A range that includes both ends. If a night runs from 00:00 up to and including 00:00 of the next day, that instant belongs to two nights. Use half-open ranges: start included, end excluded. Add a test at the instant itself and one second to each side.
@ conv-zones | Time zones without summer time | 10-14 12:20
U: Our importer loses the offset for zones that have no summer time. How do I explain this to my boss in two sentences?
A: "Our code asked each port how its clock changes in summer, and when the answer was 'it does not', it forgot the clock altogether. Every port in Japan was therefore shown nine hours wrong; the repair is small, the proof that nothing else is wrong takes a week."
U: She will like the second half less.
A: Offer her the date with it: a week from 20 October is the 27th, a Tuesday, at the same hour.
@ conv-japanese | A polite line in Japanese | 10-27 10:30
U: Shiomihama port got its first booking. A short, warm, polite line to Haruto and the office?
A: 「潮見浜港での最初のご予約、誠におめでとうございます。皆様のご協力に心より感謝申し上げます。」 It means: heartfelt congratulations on the first booking at Shiomihama port, and sincere thanks for everyone's help. For Haruto alone: 「おめでとう、陽斗さん！」
U: ありがとう！
A: どういたしまして。
@ conv-press | 1,200 characters for a newspaper | 10-22 14:20
U: Three facts: 490 SEK a month up to 100 berths, 14 ports, tested in the sea. Write an opening line without the word innovative.
A: "On a cold September morning a designer stood up to her waist in the sea at Saltholmen and booked a berth with her gloves on."
U: That is it. She will be furious and proud.
A: In that order, I hope.
@ conv-survey | Reading week one | 11-03 09:40
U: 2,316 bookings, 37 tickets, 21 about boat length. What first?
A: Boat length: 21 of 37 is 57 per cent of the tickets. Make it editable on the booking itself, show the old value, and recompute the price before the skipper confirms. Expect the rest of the tickets to become visible only after that.
@ conv-leave | Covering a colleague's parental leave | 11-06 08:15 | assistant-small
U: Haruto is on leave from February. Meetings with Shiomihama are at 17:00 Japan time. What is that here?
A: 17:00 in Japan is 09:00 in Gothenburg in winter and 10:00 in summer, because Japan keeps no summer time. Two people taking turns, one written summary in both languages each week, and one named person for emergencies should do.
@ conv-2027 | Winter storage, yes or no | 11-14 11:11
U: Help me argue both sides of winter storage bookings in two lines each.
A: Yes: ports ask for it, boats stand still for six months, and a yearly contract evens out our summer peak.
No: it is a different trade with cranes, keys and insurance, and every hour spent on it is one less for Portugal in spring.
U: I lean to no, with a waiting list.
A: Then say what would change your mind: for instance five ports that pay in advance.
"#;
