//! Personal mail that should not reach an agent by accident: one-time codes, password resets, sign-in links.

/// One entry per letter.
pub const LETTERS: &str = r"
@ otp-bank-1 | 2026-09-29T18:44:05+02:00 | bank | Din engångskod | inbox,updates
Din engångskod är 482 913. Koden gäller i fem minuter. Lämna aldrig ut den, inte heller till oss.
@ otp-bank-2 | 2026-11-05T07:22:48+01:00 | bank | Your one-time code | inbox,updates
Your one-time code is 730155. It is valid for five minutes. Fyrbåksbanken will never ask you for it on the phone.
@ reset-photos | 2026-10-19T21:15:30Z | cloud | Reset your Bildskrinet password | inbox,updates
Somebody (hopefully you) asked for a new password. Choose one within 30 minutes here:
https://bildskrinet.example.com/reset?token=Zx81-demo-Qp40-demo-77aa
If it was not you, do nothing and nothing happens.
@ reset-photos | 2026-10-19T21:19:02Z | cloud | Your password was changed | inbox,updates
The password of your Bildskrinet account was changed on 19 October 2026 at 21:18 UTC from Gothenburg, Sweden.
@ magic-airline | 2026-10-08T04:41:00Z | airline | Your sign-in link | inbox,updates
Use this link to sign in to Skrakvinge and check in. It works once and for 15 minutes:
https://skrakvinge.example.com/magic/demo-5b1e-9c27
@ otp-shop | 2026-10-12T23:05:17+01:00 | shop | 605 118 is your Kvistkorg verification code | inbox,updates
Enter 605 118 to confirm that it is you signing in from a new place (Lisboa, Portugal).
@ new-device | 2026-10-12T23:06:00+01:00 | shop | New sign-in from Lisboa, Portugal | inbox,updates
We noticed a sign-in to your account from a phone we have not seen before. If that was you, all is well.
@ otp-library | 2026-06-03T19:00:12+02:00 | library | Confirm your e-mail address | inbox,updates
Confirm your address with the code 0417-22 or open https://biblioteket.example.org/confirm/demo-0417-22 within one hour.
";
