//! The other channels: coffee, support, and the one with a lock.

/// `#fika`.
pub const FIKA: &str = "\
05-21 14:58 | elif | Who took the last cardamom bun and left the crumbs as evidence? | 🕵️4
05-21 14:59 | oskar | > I neither confirm nor deny, I chew.
06-18 11:02 | ben | Out tomorrow for midsummer. Herring count so far: 3 kinds. | 🐟6
08-17 09:20 | maya | Renovation news: the loft gets wood fibre, 220 mm. I now know too much about vapour.
08-17 09:24 | sana | > Does it breathe?
08-17 09:25 | maya | > It breathes better than I do.
08-31 08:50 | maya | Builders in the loft for three days. If I sound like a cement mixer, it is not me.
09-09 09:02 | maya | The courier says my pasta maker was delivered. To a red door. I do not own a red door.
09-09 09:05 | priya | > A lovely title for a crime novel.
09-29 10:01 | maya | Refund! 1,298 SEK. Justice for tagliatelle. | 🍝8
10-08 16:30 | maya | Off to Lisbon until Wednesday night. Sana has the helm. 🛫 | ⛵6
10-15 13:12 | priya | Maya brought pastéis de nata. They are gone. This message is for the record. | 🥧7
10-19 09:45 | maya | The pasta maker lives. Elias ate for three. | 🍝9
10-30 14:20 | maya | The boiler comes a week later, on 19 November now. Old dragon must hold on. 🐉
10-30 14:22 | tove | > Ours cost 70,000. What do you pay?
10-30 14:25 | maya | > 58,900 before the deduction. Jonas kept my copper pipes.
11-02 09:01 | tove | Everybody, this is Zoe\u{308}! First day. She has opinions about buttons. | 👋9
11-02 09:06 | zoe | > Hej! Yes. Many.
11-05 15:15 | haruto | 来年の二月から育児休業をいただきます。双子です👶👶 | 🎉9 👶7
11-05 15:16 | haruto | > (Parental leave from February. Twins!)
11-13 11:30 | elif | Fire drill Tuesday at 11. Coffee is not a valid reason to stay. 👩🏽‍🚒 | ☕️5
";

/// `#support`.
pub const SUPPORT: &str = "\
10-27 11:40 | ben | Ticket 5001: skipper cannot find berth 12. It is between 11 and 13. Solved.
10-27 13:05 | ben | Ticket 5004: receipt shows 240,00 and 240.00 side by side. Locale mix-up.
10-27 13:09 | sana | > One formatter for all. Tonight.
10-28 08:35 | ben | Ticket 5009: how do I change my boat's length? (third time)
10-28 08:36 | elif | > I start a list.
10-29 08:25 | ben | Storage hiccup last night (incident 4410 at Lagunmoln). 17 bookings waited 26 minutes, none lost.
10-29 08:26 | sana | > The queue did its job. | 💙5
10-30 17:12 | ben | Ticket 5017: a guest paid twice because the page said <please wait> for a minute. Refunded 480 SEK.
11-02 10:48 | ben | Ticket 5023: boat length. I have a macro now.
11-04 12:31 | ben | Ticket 5031: name with an apostrophe (O'Malley) was cut in the print list.
11-04 12:40 | elif | > Reproduced. Also with \"quotes\" and with a backslash \\ in the boat's name.
11-06 16:00 | sana | > Fixed in 409.
11-09 09:14 | ben | Ticket 5040: somebody named the boat 🦆🦆🦆. It prints as three boxes.
11-09 09:20 | zoe | > The printer font has no ducks. I will find it some.
11-12 15:45 | ben | No boat length tickets since build 412. Macro retired with honours. | 🫡6
";

/// `#leads`, private.
pub const LEADS: &str = "\
09-22 12:02 | tove | Harbor budget: 1,312,450 of 1,800,000 spent. Maya sends the rest today.
09-22 16:01 | maya | > Forecast 1,475,430 with the Tokyo server.
10-14 23:59 | maya | I propose 27 October. Better a week late than nine hours wrong.
10-15 08:12 | sana | > Agree.
10-15 08:30 | tove | > Agree. I tell everyone at 9:40.
11-05 17:30 | tove | Japan needs cover from February. Ideas?
11-05 17:44 | maya | > Zoe\u{308} speaks some Japanese. For the calls: Sana and I in turns, early mornings.
11-11 17:25 | tove | Salaries are decided, letters are out. Please keep them to yourselves until Monday.
";
