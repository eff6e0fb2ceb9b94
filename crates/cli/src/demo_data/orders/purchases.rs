//! What Maya bought: an order per line with its day, state, delivery, shipping and parcel number, items below it.

/// One order per flush line.
pub const ORDERS: &str = "\
KK-20102 | 2026-05-02T19:40:12+02:00 | SEK | delivered | 2026-05-07 | 49.00 | 735001844201037406
  SKU-1182 | Linen tea towel, sea blue | kitchen | 3 | 79.00
  SKU-3307 | Wooden spoon, birch | kitchen | 1 | 65.00
KK-20118 | 2026-05-09T08:12:55+02:00 | SEK | delivered | 2026-05-13 | 0.00 | 735001844202074795
  SKU-4410 | Balcony box, zinc, 60 cm | garden | 2 | 289.00
  SKU-4415 | Potting soil 40 l | garden | 2 | 69.90
  SKU-4502 | Sweet pea seeds, mixed | garden | 4 | 24.50
KK-20131 | 2026-05-15T21:03:41+02:00 | SEK | delivered | 2026-05-20 | 49.00 | 735001844203112184
  SKU-7001 | Rain jacket, moss green, M | clothes | 1 | 1195.00
KK-20140 | 2026-05-22T12:30:00+02:00 | SEK | delivered | 2026-05-27 | 49.00 | 735001844204149573
  SKU-2210 | Notebook, squared, A5 | paper | 5 | 45.00
  SKU-2214 | Pencil 2B, box of 12 | paper | 1 | 89.00
KK-20155 | 2026-06-01T07:55:20+02:00 | SEK | delivered | 2026-06-05 | 0.00 | 735001844205186962
  SKU-5120 | Dust mask FFP2, box of 20 | tools | 1 | 149.00
  SKU-5133 | Work gloves, size 8 | tools | 2 | 59.00
  SKU-5160 | Tape measure 8 m | tools | 1 | 129.00
  note | For the loft. Please leave by the cellar door.
KK-20163 | 2026-06-06T16:44:09+02:00 | SEK | delivered | 2026-06-10 | 49.00 | 735001844206224351
  SKU-6100 | Sun cream factor 50 | care | 2 | 119.00
KK-20177 | 2026-06-14T10:10:10+02:00 | SEK | delivered | 2026-06-18 | 0.00 | 735001844207261740
  SKU-8801 | Picnic blanket, striped | outdoors | 1 | 399.00
  SKU-8812 | Thermos 0.75 l, steel | outdoors | 1 | 329.00
  SKU-8820 | Camping cup, enamel | outdoors | 4 | 69.00
KK-20184 | 2026-06-20T22:18:36+02:00 | SEK | cancelled | - | 49.00 | -
  SKU-9004 | Hammock, undyed cotton | outdoors | 1 | 749.00
  note | Cancelled the same evening: there are no trees on the balcony.
KK-20196 | 2026-06-29T18:02:00+02:00 | SEK | delivered | 2026-07-03 | 49.00 | 735001844209336518
  SKU-1240 | Coffee filter no. 4, 100 pieces | kitchen | 3 | 32.00
  SKU-1244 | Coffee, dark roast, 450 g | kitchen | 4 | 74.90
KK-20209 | 2026-07-05T09:25:14+02:00 | SEK | delivered | 2026-07-09 | 0.00 | 735001844210373907
  SKU-6620 | Cabin bag 38 l, sea grey | travel | 1 | 899.00
  SKU-6631 | Packing cubes, set of 4 | travel | 1 | 249.00
  note | For Lisbon in October.
KK-20217 | 2026-07-11T13:37:00+02:00 | SEK | delivered | 2026-07-16 | 49.00 | 735001844211411296
  SKU-3050 | Children's puzzle, lighthouse, 48 pieces | toys | 1 | 139.00
KK-20230 | 2026-07-19T20:48:28+02:00 | SEK | delivered | 2026-07-23 | 49.00 | 735001844212448685
  SKU-7115 | Wool socks, grey, 39-41 | clothes | 3 | 99.00
KK-20244 | 2026-07-27T06:59:59+02:00 | SEK | delivered | 2026-07-31 | 0.00 | 735001844213486074
  SKU-5210 | Cordless drill 18 V | tools | 1 | 1490.00
  SKU-5214 | Wood drill bits, set of 8 | tools | 1 | 219.00
KK-20251 | 2026-08-01T11:11:11+02:00 | SEK | delivered | 2026-08-06 | 49.00 | 735001844214523463
  SKU-2230 | Masking tape, 38 mm | paint | 4 | 39.00
  SKU-2238 | Paint roller, 18 cm | paint | 2 | 79.00
  SKU-2240 | Floor paper, 20 m | paint | 2 | 119.00
KK-20266 | 2026-08-08T17:20:45+02:00 | SEK | delivered | 2026-08-12 | 0.00 | 735001844215560852
  SKU-2301 | Wall paint, chalk white, 10 l | paint | 1 | 989.00
  SKU-2311 | Wall paint, fog, 3 l | paint | 1 | 429.00
KK-20280 | 2026-08-14T08:08:32+02:00 | SEK | delivered | 2026-08-19 | 49.00 | 735001844216598241
  SKU-6204 | Shampoo bar, nettle | care | 2 | 89.00
  SKU-6208 | Toothbrush, bamboo, 4 pieces | care | 1 | 99.00
KK-20295 | 2026-08-21T19:33:10+02:00 | SEK | delivered | 2026-08-26 | 0.00 | 735001844217635630
  SKU-5301 | Carbon monoxide alarm | home | 2 | 399.00
  SKU-5310 | Smoke alarm, 10 years | home | 2 | 299.00
  note | One of each for the cellar, next to the boiler.
KK-20311 | 2026-08-24T12:12:12+02:00 | SEK | delivered | 2026-08-28 | 49.00 | 735001844218673019
  SKU-1244 | Coffee, dark roast, 450 g | kitchen | 6 | 74.90
  SKU-1302 | Cinnamon sticks, 50 g | kitchen | 2 | 38.50
  note | Coffee for Marta's team.
KK-20330 | 2026-08-29T15:47:55+02:00 | SEK | delivered | 2026-09-02 | 49.00 | 735001844219710408
  SKU-9120 | Wrapping paper, kraft, 10 m | paper | 1 | 59.00
  SKU-9131 | Ribbon, red cotton | paper | 2 | 29.00
KK-20418 | 2026-09-02T20:14:03+02:00 | SEK | refunded | - | 49.00 | 73500184420013570246
  SKU-3911 | Trattolina pasta maker, hand-cranked | kitchen | 1 | 1249.00
  note | Marked as delivered on 8 September, never received. Refunded 29 September, case 7714.
KK-20425 | 2026-09-05T10:22:40+02:00 | SEK | delivered | 2026-09-09 | 0.00 | 735001844221785186
  SKU-7302 | Fleece sweater, navy, M | clothes | 1 | 649.00
KK-20437 | 2026-09-11T07:31:18+02:00 | SEK | delivered | 2026-09-15 | 49.00 | 735001844222822575
  SKU-2602 | Sheet music folder, black | paper | 1 | 129.00
  SKU-2214 | Pencil 2B, box of 12 | paper | 1 | 89.00
  note | Pencils for the altos.
KK-20449 | 2026-09-16T18:55:02+02:00 | SEK | delivered | 2026-09-21 | 49.00 | 735001844223859964
  SKU-1350 | Durum flour 2 kg | kitchen | 2 | 64.00
  note | Ordered in hope.
KK-20460 | 2026-09-20T09:09:09+02:00 | SEK | delivered | 2026-09-24 | 0.00 | 735001844224897353
  SKU-8102 | Desk lamp, brass | home | 1 | 795.00
  SKU-8110 | LED bulb E27, warm, 3 pieces | home | 2 | 119.00
KK-20478 | 2026-09-26T21:40:37+02:00 | SEK | delivered | 2026-09-30 | 49.00 | 735001844225934742
  SKU-6650 | Travel adapter | travel | 1 | 179.00
  SKU-6655 | Luggage tag, leather 🧳 | travel | 2 | 89.00
KK-20491 | 2026-09-30T06:45:00+02:00 | SEK | delivered | 2026-10-05 | 49.00 | 735001844226972131
  SKU-1420 | Salt liquorice, 500 g | food | 2 | 69.00
  SKU-1433 | Crisp bread, rye, 4 rounds | food | 2 | 54.00
  note | Gifts for Inês.
KK-20502 | 2026-10-03T08:15:27+02:00 | EUR | delivered | 2026-10-08 | 4.90 | 735001844299120017
  SKU-6701 | Lisbon city map, waterproof | travel | 1 | 11.50
  SKU-6702 | Azulejo colouring book | paper | 1 | 14.95
KK-20515 | 2026-10-06T16:02:44+09:00 | JPY | delivered | 2026-10-14 | 800 | 735001844299120031
  SKU-9901 | Indigo tenugui cloth 手ぬぐい | home | 2 | 1650
  SKU-9902 | Sencha, spring harvest 新茶 100 g | food | 1 | 2480
  note | A thank-you to Haruto, sent to Shiomihama.
KK-20533 | 2026-10-12T23:11:30+01:00 | SEK | delivered | 2026-10-17 | 0.00 | 735001844228009520
  SKU-3911 | Trattolina pasta maker, hand-cranked | kitchen | 1 | 1061.65
  note | Second try, 15 per cent off with HARVEST15. Ordered from the terrace in Lisbon.
KK-20540 | 2026-10-16T12:00:00+02:00 | SEK | delivered | 2026-10-21 | 49.00 | 735001844229046909
  SKU-3915 | Pasta drying rack, beech | kitchen | 1 | 229.00
  SKU-1350 | Durum flour 2 kg | kitchen | 3 | 64.00
KK-20551 | 2026-10-20T19:19:19+02:00 | SEK | delivered | 2026-10-26 | 0.00 | 735001844230084298
  SKU-5402 | Storage box 45 l | home | 6 | 129.00
  note | To clear the space around the old boiler.
KK-20563 | 2026-10-24T08:30:21+02:00 | SEK | delivered | 2026-10-29 | 49.00 | 735001844231121687
  SKU-7401 | Wool hat, rust | clothes | 1 | 249.00
  SKU-7410 | Mittens, lined, M | clothes | 1 | 299.00
KK-20577 | 2026-10-29T17:05:50+01:00 | SEK | delivered | 2026-11-03 | 0.00 | 735001844232159076
  SKU-2701 | Tile adhesive, 15 kg | tools | 2 | 259.00
  SKU-2705 | Grout, light grey, 5 kg | tools | 1 | 189.00
  SKU-2710 | Tile spacers 2 mm, 200 pieces | tools | 2 | 35.00
  note | For the sage green kitchen tiles.
KK-20589 | 2026-11-03T20:20:20+01:00 | SEK | delivered | 2026-11-06 | 49.00 | 735001844233196465
  SKU-8830 | Leaf rake, 22 teeth | garden | 1 | 219.00
  SKU-8834 | Leaf sacks, 10 pieces | garden | 3 | 59.00
KK-20597 | 2026-11-07T18:42:11+01:00 | SEK | delivered | 2026-11-12 | 49.00 | 735001844234233854
  SKU-9205 | Birthday candles, beeswax, 7 | home | 1 | 79.00
  SKU-9131 | Ribbon, red cotton | paper | 1 | 29.00
  note | Mum's seventieth.
KK-20604 | 2026-11-12T07:07:07+01:00 | SEK | shipped | - | 0.00 | 735001844235271243
  SKU-5303 | Hot water bottle, wool cover | home | 1 | 349.00
  SKU-5420 | Water leak sensor | home | 3 | 199.00
  note | For the day without hot water.
KK-20611 | 2026-11-15T21:55:43+01:00 | SEK | processing | - | 49.00 | -
  SKU-1501 | Baking tin for custard tarts, 12 | kitchen | 1 | 189.00
  SKU-1505 | Vanilla pods, 3 pieces | food | 2 | 99.00
  note | The Lisbon cake for the choir.
";
