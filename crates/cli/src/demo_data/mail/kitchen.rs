//! Personal mail about the pasta maker that was delivered to nobody, and about its refund.

/// One entry per letter.
pub const LETTERS: &str = "
@ pasta-late | 2026-09-08T14:02:00+02:00 | courier | Your parcel was delivered | inbox,updates
Good news! Parcel 73500184420013570246 from Kvistkorg was delivered today at 13:57 and left at the door as you wished.
Sender reference: KK-20418.
@ pasta-late | 2026-09-08T19:36:22+02:00 | maya | Re: Your parcel was delivered | sent | courier
There is no parcel at my door, nor at my neighbours'. I did not ask for it to be left anywhere. Where exactly was it put?
@ pasta-late | 2026-09-08T19:36:30+02:00 | courier | Automatic reply: this mailbox is not read | inbox,updates
Thank you for writing to Budfink. This mailbox is not read by people. Please contact the sender of your parcel.
@ pasta-claim | 2026-09-09T08:11:05+02:00 | maya | Order KK-20418: pasta maker never arrived | sent | shop-help
Hello, my order KK-20418 (one Trattolina pasta maker, 1,249.00 SEK) is marked as delivered on 8 September, but it never reached me. The courier's photo shows a red door. Mine is grey, and so are all the others in this street.
Could you look into it, please?
Maya Lindqvist
@ pasta-claim | 2026-09-09T10:44:00+02:00 | shop-help | Re: Order KK-20418: pasta maker never arrived [case 7714] | inbox
Dear Maya, I am sorry about the red door. I have opened a search with the courier (case 7714). They have ten working days to answer. If they do not find it, you choose between a new one and your money back.
Kind regards
Rut at Kvistkorg customer care
@ pasta-claim | 2026-09-24T15:20:41+02:00 | shop-help | Re: Order KK-20418: pasta maker never arrived [case 7714] | inbox
Dear Maya, the courier has given up: the parcel is officially lost. The pasta maker is out of stock until October, so I would suggest a refund. Shall I?
Rut
@ pasta-claim | 2026-09-24T18:02:13+02:00 | maya | Re: Order KK-20418: pasta maker never arrived [case 7714] | sent | shop-help
Yes, a refund please, with the shipping. I have eaten bought tagliatelle for two weeks and it shows.
@ pasta-claim | 2026-09-29T09:30:00+02:00 | shop-help | Refund of 1,298.00 SEK for order KK-20418 | inbox,important
Dear Maya, we have refunded 1,298.00 SEK (pasta maker 1,249.00 SEK and shipping 49.00 SEK) to the card you paid with. It takes two to five banking days. And 15 per cent off your next order with the code HARVEST15, as an apology.
Rut
@ pasta-claim | 2026-10-02T07:14:56+02:00 | maya | Re: Refund of 1,298.00 SEK for order KK-20418 | sent | shop-help
The money is here. Thank you, Rut, you were the good part of this.
@ pasta-again | 2026-10-16T12:25:00+02:00 | courier | Your parcel waits for you at the kiosk | inbox,updates
Parcel from Kvistkorg (reference KK-20533) can be collected at the kiosk by the tram stop until 30 October. Bring an identity card.
@ pasta-dinner | 2026-10-18T16:50:08+02:00 | elias | Sunday pasta?? 🍝 | inbox
Big sister! Is the machine finally real? I can bring the wine and an appetite. Shall I come at six?
E
@ pasta-dinner | 2026-10-18T17:05:42+02:00 | maya | Re: Sunday pasta?? 🍝 | sent | elias
It is real, it is chrome and it has made 800 g of tagliatelle. Six is perfect. Bring Parmesan, the cafe\u{301} next door has some.
@ recipe-ragu | 2026-10-20T10:12:00+02:00 | karin | Grandmother's ragù | inbox
Dear child, you asked for it, so here it is. 500 g minced beef, 100 g pancetta, one carrot, one onion, one stick of celery, a glass of red wine, a tin of tomatoes, 2 dl milk. Three hours on the lowest heat. The milk is the secret and you may not tell Elias.
Mum
@ recipe-ragu | 2026-10-20T20:31:19+02:00 | maya | Re: Grandmother's ragù | sent | karin
I will guard the milk with my life. ❤️
";
