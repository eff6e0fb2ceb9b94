//! Conversations at home: the house, the kitchen, the trip, the teeth.

/// One entry per conversation.
pub const TALKS: &str = r#"
@ conv-boiler-choice | Electric boiler or heat pump for a small flat? | 08-12 21:05
U: I live in a top flat with its own boiler from 1988, 74 square metres plus a loft. Electric boiler or heat pump?
A: Three things decide it: your yearly heat demand, whether an outdoor unit is allowed, and what you pay for power. With a well insulated loft your demand may fall to around 9,000 to 10,000 kWh a year. At that size an electric boiler is cheaper to buy, a heat pump cheaper to run. Does your housing association allow a unit on the wall?
U: No outdoor units, they are very firm about the facade.
A: Then an electric boiler of about 9 kW is the sensible choice. Ask the fitter three things: does it need its own fuse, can existing copper pipes stay, and is removal of the old boiler included. The second question can save a few thousand kronor.
U: What would be a fair price?
A: I cannot see local prices, but for a 9 kW boiler with vessel, valves and one day's work I would expect an offer between 55,000 and 70,000 SEK before any tax deduction. Get two offers, and compare what is left out.
@ conv-boiler-offer | Check this boiler offer with me | 08-19 20:31
U: Offer: boiler and vessel 38,200, pipework and valves 11,700, labour 11,500. Total 61,400 including VAT. Is the arithmetic right?
A: Yes: 38,200 + 11,700 + 11,500 = 61,400 SEK. Your copper pipes from 2019 could probably stay, so ask for a lower pipework line.
U: He took off 2,500. And I get 9,300 in deduction.
A: Then the price is 58,900 SEK and you pay 49,600 SEK. Keep the revised offer; the deduction is made on the invoice, not by you.
@ conv-vapour | What does a vapour brake do? | 06-10 22:14
U: Explain a vapour brake as if I were a patient cat.
A: Warm rooms breathe out damp air. If that air reaches cold wood it becomes water, and water makes wood soft and mouldy. A vapour brake is a thin sheet on the warm side that lets only a little damp through. You may now return to the windowsill.
U: And wood fibre instead of mineral wool?
A: Wood fibre stores damp and gives it back slowly, it is heavier, so it dampens sound and keeps summer heat out longer. It costs more. With 220 mm on the floor you would notice the difference in the first windy week.
@ conv-lost-parcel | Who is liable for a lost parcel? | 09-08 20:02
U: The courier says delivered, but the photo shows somebody else's red door. Shop or courier?
A: When a shop sends goods to a consumer, the risk usually stays with the shop until you actually have them. So write to the shop, not the courier: order number, what is missing, what the photo shows, and what you want. Keep it short and friendly; add the photo.
U: Draft it in four sentences.
A: "Hello, my order KK-20418 is marked as delivered on 8 September, but it never reached me. The courier's photo shows a red door, mine is grey. Please look into it and tell me by when you can answer. If it cannot be found I would like a new one or my money back, shipping included."
U: Perfect, I add a joke about the street.
A: One joke is allowed. Two and they think you are enjoying it.
@ conv-pasta | Dough for tagliatelle by weight | 10-17 18:22
U: New pasta maker! Dough for four people, durum and eggs, by weight please.
A: 300 g durum flour, 100 g fine wheat flour, 4 eggs (about 220 g without shell), a pinch of salt. Knead ten minutes, rest thirty under a bowl. Roll from the widest setting to the second thinnest, flour lightly, cut, and hang for twenty minutes.
U: It sticks to the rollers.
A: Too wet. Dust each sheet before every pass and fold in a spoon of durum. If the dough cracks at the edge you have gone too far: damp hands, two minutes of kneading.
U: 800 g of success. 🍝
A: Congratulations! Boil it for two minutes, not three.
@ conv-lisbon | Five days in Lisbon without a car | 09-27 21:40
U: 9 to 14 October, staying in Graça, one day to Sintra on Sunday, half a day of work on Monday at the Doca das Gaivotas. Make it relaxed.
A: Friday: arrive 09:55, drop the bag, walk down through Mouraria, early dinner. Saturday: tiles museum, river in the evening. Sunday: train to Sintra before eight, back by four. Monday: Gaivotas in the morning, fish lunch, Belém after. Tuesday: nothing until noon, miradouro at sunset. Wednesday: market, flight 18:40, so leave Graça at 15:45.
U: Inês says trams are full of tourists.
A: Then walk up and ride down: few do it in that order. And the line's other end starts empty.
U: How do I say "the cat is not allowed in"?
A: "O gato não pode entrar." If the cat disagrees: "Ministro, por favor."
@ conv-dentist | Is a crown on a molar urgent? | 10-08 07:12 | - | archived
U: Crown on tooth 26 planned for 4 November. I fly tomorrow. Problem?
A: Usually not, if the temporary filling is firm and you have no pain. Chew on the other side, skip caramel and very hard bread, take the clinic's number with you. I am not a dentist: if it throbs, call them before the flight.
U: The clinic estimates 4,350 SEK. Normal?
A: After an allowance that sounds plausible. Ask whether the laboratory fee is included and what happens if the visit has to be moved.
@ conv-mum-70 | Present for a seventieth birthday | 08-31 06:55
U: My mother turns 70 on 21 November, likes looms, dislikes things. Budget about 3,000 SEK together with my brother.
A: Give time, not things: a weekend weaving course with the material included. Print the date on good paper, wrap it around a shuttle of yarn, and let your brother promise the lift there.
@ conv-power | Fixed or variable electricity price? | 11-07 19:30
U: The boiler will need about 9,400 kWh a year. Fixed winter price 1.28 SEK per kWh, variable has averaged 1.04 since May. Which one?
A: About 60 per cent of heating falls between December and March: 5,640 kWh. At a difference of 0.24 SEK that is 1,353.60 SEK in favour of variable, if winter is no dearer than summer, which it usually is. Variable pays as long as the winter average stays below 1.28. Could you shift hot water to the night?
U: Yes, it has a timer.
A: Then variable, with the timer between 01:00 and 05:00.
"#;
