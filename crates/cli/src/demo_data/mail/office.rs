//! Work mail of ordinary weeks: money, people, suppliers, sign-in codes.

/// One entry per letter.
pub const LETTERS: &str = "
@ offsite | 2026-08-26T10:00:00+02:00 | tove | Offsite on Öckerö, 3 and 4 September | inbox
We take the 08:40 ferry. Bring a sweater, an opinion on next year and no laptop. Dinner is crab; Elif gets the other thing.
@ offsite | 2026-08-26T10:20:18+02:00 | elif | Re: Offsite on Öckerö, 3 and 4 September | inbox | tove, maya-work
The other thing is mushrooms, and it is better than crab. I will defend this on the ferry.
@ hiring | 2026-09-10T14:30:00+02:00 | priya | Interview notes: candidate for interaction design | inbox
I liked how she drew the quay before the screen. Weak spot: has never shipped to a phone in sunlight. I would say yes. You talk to her on Thursday at 13.
@ hiring | 2026-09-17T16:04:37+02:00 | maya-work | Re: Interview notes: candidate for interaction design | sent | priya, tove
Yes from me as well. She asked what happens when the skipper cannot read. Zoë starts on 2 November if Tove signs.
@ hiring | 2026-09-18T08:08:08+02:00 | tove | Re: Interview notes: candidate for interaction design | inbox | maya-work, priya
Signed. Welcome mail goes out today.
@ budget-q4 | 2026-09-22T11:45:00+02:00 | tove | Harbor budget: where are we? | inbox,harbor
Spent so far 1,312,450 SEK of 1,800,000. What is still to come, and do we need the second server in Tokyo?
@ budget-q4 | 2026-09-22T15:58:14+02:00 | maya-work | Re: Harbor budget: where are we? | sent,harbor | tove
Still to come: print 3,480, Tokyo server 96,000 for a year, support weekend 22,000, translation 41,500. That makes 1,475,430 SEK in all. The Tokyo server stays: 280 ms less for every Japanese skipper.
@ outage | 2026-10-29T02:14:00Z | hosting | Incident 4410: storage latency in region north-2 | inbox
We see raised latency on block storage since 02:05 UTC. Engineers are working on it.
@ outage | 2026-10-29T04:40:00Z | hosting | Resolved: incident 4410 | inbox
Resolved at 04:31 UTC. Cause: a controller that restarted in a loop. A report follows within five days.
@ outage | 2026-10-29T08:22:50+01:00 | sana | Re: Resolved: incident 4410 | inbox,harbor | maya-work, ben
No booking was lost: the queue held 17 of them for 26 minutes and then let them through in order. I am a little proud of that queue.
@ expense-lisbon | 2026-10-19T08:45:00+02:00 | expenses | Your expense report is approved | inbox,updates
Report 2026-0931, \"Visit to Doca das Gaivotas, half a day on 12 October\", 46.30 EUR, is approved and is paid out with the November salary.
@ salary-talk | 2026-11-11T17:20:00+01:00 | tove | Your salary from January | inbox,important,private
Between us until Monday: from 1 January your monthly salary is 58,200 SEK (now 54,500). You earned it twice, once in October alone.
@ sso-code | 2026-11-12T07:58:21+01:00 | hosting | 914402 is your Lagunmoln sign-in code | inbox,updates
Your sign-in code is 914402. It expires in ten minutes. If you did not try to sign in, change your password.
@ sso-reset | 2026-07-06T09:12:00+02:00 | expenses | Reset your password | inbox,updates
Use this link within 24 hours to choose a new password: https://reserakning.example.com/reset/demo-11b2-c3d4
@ vendor-pitch | 2026-09-30T13:37:00-05:00 | vendor | Quick question, Maya | inbox
Maya, I noticed that Sjömärke Labs is growing. Would 10x more berths leads interest you? I will follow up until you answer.
@ vendor-pitch | 2026-10-07T13:37:00-05:00 | vendor | Re: Quick question, Maya | inbox
Floating this to the top of your inbox! 🚀
@ accessibility | 2026-11-06T10:10:10+01:00 | zoe | First week: things I tripped over | inbox,harbor
Nai\u{308}ve first impressions, five of them: the grey on grey price, the map without keyboard, the calendar that starts on Sunday, the word \"submit\", and the button that moves when the tide loads. I can fix three this week.
@ accessibility | 2026-11-06T11:31:00+01:00 | maya-work | Re: First week: things I tripped over | sent,harbor | zoe, priya
This is exactly why you are here. Start with the moving button, it has been my enemy since August.
@ harbor-next | 2026-11-13T15:00:00+01:00 | tove | Harbor in 2027: read before Tuesday | inbox,harbor,unread
Three questions for Tuesday's meeting: winter storage bookings, yes or no? Portugal in March or in May? And who takes Japan when Haruto goes on parental leave from February?
@ boiler-day-off | 2026-11-02T09:15:40+01:00 | maya-work | Working from home on Thursday 19 November | sent | tove, sana
The fitters replace my boiler on Thursday 19 November between 08:00 and 15:00, so I work from home and mute myself when they drill.
";
