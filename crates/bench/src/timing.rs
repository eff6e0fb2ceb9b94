//! Timing calls on a machine that does other things too: several rounds, of which the best counts.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::cpu_nanos;
use crate::error::BenchError;

/// How long a measurement may take.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Rounds of which the best counts.
    pub rounds: usize,
    /// About how long a round takes.
    pub round: Duration,
    /// How long a crowd of readers reads in one round.
    pub crowd: Duration,
    /// Whether a ratio counts by time on a core where that is kinder than time on the wall: few short
    /// rounds cannot escape other work on the machine. What looks through a store shows in both.
    pub forgives_waiting: bool,
}

impl Pace {
    /// For numbers that are written down.
    pub const FULL: Self = Self {
        rounds: 5,
        round: Duration::from_millis(250),
        crowd: Duration::from_millis(1_500),
        forgives_waiting: false,
    };
    /// For a look in between.
    pub const QUICK: Self = Self {
        rounds: 3,
        round: Duration::from_millis(150),
        crowd: Duration::from_secs(1),
        forgives_waiting: true,
    };

    /// For answers of another process: how soon they come depends on where the system lets both of them
    /// run, which it changes from round to round.
    pub fn of_a_server(self) -> Self {
        Self { rounds: self.rounds * 3, ..self }
    }

    /// What one call costs against another.
    pub fn ratio(self, one: Timing, other: Timing) -> f64 {
        let by_wall = ratio(one.p50, other.p50);
        if self.forgives_waiting { by_wall.min(ratio(one.cpu, other.cpu)) } else { by_wall }
    }
}

/// Calls of one round.
const CALLS: std::ops::RangeInclusive<u32> = 3..=2_000;
/// Calls that nobody times, to warm up caches and to learn how long one takes.
const WARM_UP: u32 = 3;

/// How long a call takes.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    pub calls: u32,
    pub min: Duration,
    pub p50: Duration,
    pub p95: Duration,
    pub p99: Duration,
    /// Time on a core per call, all threads together.
    pub cpu: Duration,
}

impl Timing {
    /// From the lengths of the calls of one round.
    pub fn of(mut lengths: Vec<Duration>, cpu_nanos: u64) -> Self {
        lengths.sort_unstable();
        let calls = u32::try_from(lengths.len()).unwrap_or(u32::MAX);
        let at = |percent: usize| {
            let place = lengths.len().saturating_sub(1) * percent / 100;
            lengths.get(place).copied().unwrap_or_default()
        };
        let cpu = Duration::from_nanos(cpu_nanos) / calls.max(1);
        Self { calls, min: at(0), p50: at(50), p95: at(95), p99: at(99), cpu }
    }

    /// The numbers, in microseconds.
    pub fn to_json(self) -> Value {
        json!({
            "calls": self.calls,
            "min_us": micros(self.min),
            "p50_us": micros(self.p50),
            "p95_us": micros(self.p95),
            "p99_us": micros(self.p99),
            "cpu_us": micros(self.cpu),
        })
    }

    /// One line for people.
    pub fn words(self) -> String {
        format!("p50 {}, p99 {}, cpu {}", spoken(self.p50), spoken(self.p99), spoken(self.cpu))
    }
}

/// Times two calls in turns, so that a busy moment meets both.
pub async fn time_both(
    pace: Pace,
    one: impl AsyncFn() -> Result<(), BenchError>,
    other: impl AsyncFn() -> Result<(), BenchError>,
) -> Result<(Timing, Timing), BenchError> {
    time_both_by(pace, |timing| timing.p50, one, other).await
}

/// The same for a bar that looks at another percentile: the round in which that is least was
/// disturbed least.
pub async fn time_both_by(
    pace: Pace,
    judged: fn(&Timing) -> Duration,
    one: impl AsyncFn() -> Result<(), BenchError>,
    other: impl AsyncFn() -> Result<(), BenchError>,
) -> Result<(Timing, Timing), BenchError> {
    let calls = (warm_up(pace, &one).await?, warm_up(pace, &other).await?);
    let mut best = (round(&one, calls.0).await?, round(&other, calls.1).await?);
    for _ in 1..pace.rounds {
        best.0 = better(judged, best.0, round(&one, calls.0).await?);
        best.1 = better(judged, best.1, round(&other, calls.1).await?);
    }
    Ok(best)
}

/// Calls a few times and answers how many calls fill a round.
async fn warm_up(
    pace: Pace,
    call: &impl AsyncFn() -> Result<(), BenchError>,
) -> Result<u32, BenchError> {
    let mut shortest = pace.round;
    for _ in 0..WARM_UP {
        let start = Instant::now();
        call().await?;
        shortest = shortest.min(start.elapsed());
    }
    let calls = pace.round.as_nanos() / shortest.as_nanos().max(1);
    Ok(u32::try_from(calls).unwrap_or(u32::MAX).clamp(*CALLS.start(), *CALLS.end()))
}

async fn round(
    call: &impl AsyncFn() -> Result<(), BenchError>,
    calls: u32,
) -> Result<Timing, BenchError> {
    let mut lengths = Vec::new();
    let cpu_before = cpu_nanos()?;
    for _ in 0..calls {
        let start = Instant::now();
        call().await?;
        lengths.push(start.elapsed());
    }
    Ok(Timing::of(lengths, cpu_nanos()?.saturating_sub(cpu_before)))
}

/// The round that was disturbed least.
fn better(judged: fn(&Timing) -> Duration, a: Timing, b: Timing) -> Timing {
    let best = if judged(&b) < judged(&a) { b } else { a };
    Timing { min: a.min.min(b.min), cpu: a.cpu.min(b.cpu), ..best }
}

/// `a / b` of two lengths.
pub fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-9)
}

/// A length in microseconds, to a tenth.
pub fn micros(length: Duration) -> f64 {
    (length.as_secs_f64() * 1e7).round() / 10.0
}

/// A length for people.
pub fn spoken(length: Duration) -> String {
    let seconds = length.as_secs_f64();
    match seconds {
        0.0..0.001 => format!("{:.0} µs", seconds * 1e6),
        0.001..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_sorted_lengths() {
        let lengths = (0..=100).rev().map(Duration::from_micros).collect();
        let timing = Timing::of(lengths, 101_000);
        assert_eq!(timing.p50, Duration::from_micros(50));
        assert_eq!(timing.p99, Duration::from_micros(99));
        assert_eq!(timing.cpu, Duration::from_micros(1));
        assert_eq!(spoken(Duration::from_micros(1_500)), "1.5 ms");
    }

    #[test]
    fn the_round_that_counts_is_the_best_by_what_is_judged() {
        let round = |lengths: [u64; 3]| {
            Timing::of(lengths.map(Duration::from_millis).to_vec().repeat(20), 0)
        };
        let (even, uneven) = (round([5, 5, 6]), round([1, 1, 9]));
        assert_eq!(better(|timing| timing.p50, even, uneven).p95, Duration::from_millis(9));
        assert_eq!(better(|timing| timing.p95, even, uneven).p95, Duration::from_millis(6));
    }

    #[test]
    fn a_call_that_waited_is_forgiven_by_a_quick_look_and_one_that_worked_is_not() {
        let call = |wall, cpu: u64| Timing::of(vec![Duration::from_millis(wall)], cpu * 1_000_000);
        let (waited, worked, plain) = (call(90, 9), call(90, 90), call(9, 9));
        assert!(Pace::QUICK.ratio(waited, plain) < 1.1 && Pace::FULL.ratio(waited, plain) > 9.9);
        assert!(Pace::QUICK.ratio(worked, plain) > 9.9);
    }
}
