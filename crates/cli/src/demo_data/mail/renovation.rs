//! Personal mail about the flat: the boiler, the loft, the tiles and the housing association.

/// One entry per letter.
pub const LETTERS: &str = r"
@ boiler-offer | 2026-08-18T09:12:40+02:00 | jonas | Offer 2026-118: new boiler, Lönnlyktsgatan 14 | inbox,house
Hello Maya,

Thank you for showing me the cellar last week. As agreed, here is the offer for replacing the old boiler with an electric Varmkälla 9:

Boiler and expansion vessel: 38,200 SEK
Pipework and valves: 11,700 SEK
Labour, two fitters, one day: 11,500 SEK
Total including VAT: 61,400 SEK

The offer stands until 30 September. The earliest free day is in November, everyone wants a warm house at once.

Warm greetings (that is our joke)
Jonas, Varmvik & Glöd
@ boiler-offer | 2026-08-20T21:40:03+02:00 | maya | Re: Offer 2026-118: new boiler, Lönnlyktsgatan 14 | sent,house | jonas
Hi Jonas, thanks! Two questions: could the copper pipes between the cellar and the first floor stay? They were changed in 2019. And is the old boiler's removal included?
/Maya
@ boiler-offer | 2026-08-21T07:05:11+02:00 | jonas | Re: Offer 2026-118: new boiler, Lönnlyktsgatan 14 | inbox,house,important
Good point about the copper. If those pipes stay I can take 2,500 off: the new total is 58,900 SEK including VAT. Removal of the old one is included, and the scrap yard pays me, not you.

After the household tax deduction of 9,300 SEK you pay 49,600 SEK. I attach the revised offer, so nobody has to remember numbers.
Jonas
@ boiler-offer | 2026-08-23T18:22:47+02:00 | maya | Re: Offer 2026-118: new boiler, Lönnlyktsgatan 14 | sent,house | jonas
Accepted! Please book us in. Mornings are best, I can work from home.
@ boiler-date | 2026-09-01T08:30:00+02:00 | jonas | Your installation is booked: Thursday 12 November | inbox,house
Hello Maya, you are in the book: the boiler goes in on Thursday 12 November, we arrive at 08:00. Please clear two metres around the old one.
Jonas
@ boiler-date | 2026-10-30T13:47:29+01:00 | jonas | NEW DATE for your boiler: Thursday 19 November | inbox,house,important
Maya, I am sorry: the factory ships the expansion vessels a week late. We have to move your installation from 12 November to Thursday 19 November. Same time, 08:00, ready around 15:00. The price stays at 58,900 SEK.
You will be without hot water that day from nine to about two.
Jonas
@ boiler-date | 2026-10-30T14:10:52+01:00 | maya | Re: NEW DATE for your boiler: Thursday 19 November | sent,house | jonas
The 19th works. I will move my meetings and shower at the gym. Thanks for telling me early!
@ loft-quote | 2026-06-09T16:02:18+02:00 | marta | Loft insulation: what I measured | inbox,house
Hi Maya! The loft is 41 square metres of floor and 18 of slope. I suggest wood fibre, 220 mm on the floor and 145 mm in the slopes. It breathes, it is pleasant to work with and the martens do not like it.

Material 21,300 SEK, labour 17,800 SEK, both with VAT. I can start the week of 24 August.
Marta
@ loft-quote | 2026-06-11T20:15:00+02:00 | maya | Re: Loft insulation: what I measured | sent,house | marta
Wood fibre it is. Does the vapour brake come with it, or do I order that?
@ loft-quote | 2026-06-12T06:48:33+02:00 | marta | Re: Loft insulation: what I measured | inbox,house
I bring the vapour brake and the tape. You order nothing, except coffee ☕️.
@ loft-done | 2026-09-02T15:31:09+02:00 | marta | Loft is finished 🎉 | inbox,house
Three days, no surprises, one very old newspaper (1937!) behind the chimney; I left it on the stairs. Final sum 39,100 SEK as quoted. Photos and the invoice follow.
@ loft-done | 2026-09-04T09:00:00+02:00 | marta | Invoice 3307, loft insulation | inbox,house
Invoice 3307: 39,100 SEK including VAT, due 4 October. Payment reference 330 714. Thank you for the cinnamon buns.
@ tiles | 2026-09-16T19:26:14+02:00 | marta | Kitchen tiles: I need a decision by Friday | inbox,house
The sage green ones are back in stock, 38 boxes, but the shop keeps them for us only until Friday. You need 11 boxes for the wall above the counter. The off-white ones are cheaper (289 SEK a box against 342) and, if you ask me, sadder.
@ tiles | 2026-09-16T22:03:57+02:00 | maya | Re: Kitchen tiles: I need a decision by Friday | sent,house | marta
Sage green. Twelve boxes, so that we have spares when I hang a shelf in the wrong place.
@ tiles | 2026-09-17T07:12:40+02:00 | marta | Re: Kitchen tiles: I need a decision by Friday | inbox,house
Wise. Twelve boxes at 342 is 4,104 SEK. Tiling starts 30 November, after the boiler has stopped dripping on everything.
@ brf-permit | 2026-08-25T11:20:00+02:00 | gunnel | Brf Lönnlyktan: your application to change the boiler | inbox,house
Dear Maya, the board has approved your application (case 26/14). Conditions: a certified fitter, work between 08:00 and 17:00, and a notice in the stairwell three days before. Please send the inspection certificate afterwards.
With kind regards
Gunnel Åbergh, chair
@ brf-cleaning | 2026-10-12T08:05:00+02:00 | gunnel | Brf Lönnlyktan: autumn cleaning day 7 November | inbox,house
Welcome to the autumn cleaning day, Saturday 7 November at 10:00. Rakes and soup are provided. Last year's leaf record (61 sacks) is to be broken.
@ brf-cleaning | 2026-10-13T19:44:21+02:00 | yusuf | Re: Brf Lönnlyktan: autumn cleaning day 7 November | inbox,house | maya, gunnel
I bring the wheelbarrow and the good thermos. Maya, my mother says hello and sends you this: شكرًا جزيلًا على الكعكة، كانت لذيذة! (she means the cake, it did not survive the evening)
@ brf-water | 2026-11-09T07:55:00+01:00 | gunnel | Brf Lönnlyktan: water shut off Tuesday 24 November 09-11 | inbox,house,unread
The water to all flats is shut off on Tuesday 24 November between 09:00 and 11:00 while the main valve in the cellar is replaced. Fill a kettle in time.
@ electrician | 2026-10-05T12:18:45+02:00 | jonas | The electric side of the boiler | inbox,house
Hi again. The Varmkälla 9 wants its own 25 A fuse. My colleague looked at your panel photo: there are two free places, so no new panel is needed. Connecting it is part of the price.
@ electrician | 2026-10-05T17:30:00+02:00 | maya | Re: The electric side of the boiler | sent,house | jonas
A sentence every homeowner wants to read. Thank you!
";
