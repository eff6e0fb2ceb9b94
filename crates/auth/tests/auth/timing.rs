//! What the time of a refusal tells: nothing. A coarse check, on a machine that does other things too.

use std::time::Instant;

use crate::bench::Bench;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: &str = "pdpp_client_";
const ROUNDS: u32 = 3_000;
const SAMPLES: usize = 3;
/// In standard errors.
const FAR_APART: f64 = 10.0;

/// A token of good form: its checksum is right, nobody issued it.
fn signed(body: &str) -> String {
    let text = format!("{PREFIX}{body}");
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut check = Vec::new();
    for _ in 0..6 {
        check.push(char::from(ALPHABET[usize::try_from(rest % 62).unwrap()]));
        rest /= 62;
    }
    text + &check.iter().rev().collect::<String>()
}

/// Two letters that are different for each number.
fn letters(number: u32) -> String {
    let letter = |at: u32| char::from(ALPHABET[usize::try_from(at % 62).unwrap()]);
    [letter(number), letter(number / 62)].iter().collect()
}

/// Which of two comes first, by a coin that falls the same way in every run. An order that repeats
/// itself would hand one kind of token to one of the store's connections, and the other to another.
struct Coin(u64);

impl Coin {
    fn falls(&mut self) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 63 == 1
    }
}

/// How many standard errors the first sample's mean lies above the second's, without their slowest
/// tenth.
fn welch([a, b]: [Vec<f64>; 2]) -> f64 {
    let summary = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.truncate(times.len() * 9 / 10);
        let count = f64::from(u32::try_from(times.len()).unwrap());
        let mean = times.iter().sum::<f64>() / count;
        let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    };
    let ((mean_a, error_a), (mean_b, error_b)) = (summary(a), summary(b));
    (mean_a - mean_b) / (error_a + error_b).sqrt()
}

/// How far apart the refusals of almost right and of made-up tokens are.
async fn sample(bench: &Bench, live: &str, coin: &mut Coin) -> f64 {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        let near = signed(&format!("{}{}", &live[..41], letters(round)));
        let far = signed(&format!("{}{}", "7".repeat(41), letters(round)));
        let mut pair = [(0, near), (1, far)];
        pair.rotate_left(usize::from(coin.falls()));
        for (which, token) in pair.iter().filter(|(_, token)| token[PREFIX.len()..] != *live) {
            let began = Instant::now();
            let refused = bench.auth.verify(token).await;
            let took = began.elapsed().as_secs_f64();
            assert!(refused.is_err());
            times[*which].push(took);
        }
    }
    welch(times)
}

/// What a token's likeness tells, it tells every time; what else the machine does tells nothing
/// three times in a row.
#[tokio::test]
async fn t_time_1_a_token_that_is_almost_right_is_refused_as_quickly_as_any_other() {
    let bench = Bench::new().await;
    let issued = bench.issue(&["work-mail"]).await;
    let live = issued.access_token.reveal().strip_prefix(PREFIX).unwrap();
    assert_eq!(signed(&live[..43]), issued.access_token.reveal(), "made as the program makes them");
    let mut coin = Coin(0x9e37_79b9_7f4a_7c15);
    let mut apart = Vec::new();
    for _ in 0..SAMPLES {
        apart.push(sample(&bench, live, &mut coin).await);
        if apart.iter().any(|errors| errors.abs() < FAR_APART) {
            return;
        }
    }
    let one_way =
        apart.iter().all(|errors| *errors > 0.0) || apart.iter().all(|errors| *errors < 0.0);
    assert!(!one_way, "the refusals are {apart:?} standard errors apart");
}
