//! The queue by itself: who gets the next place, and what is left behind by those who go away.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::FutureExt;

use super::*;

const MS: Duration = Duration::from_millis(1);

/// Lets callers ask without a pause and finishes the work under way in order, until so much was done.
/// `callers`: connections and what a call costs. Answers how many calls of each were answered.
fn played(places: usize, callers: &[(usize, Duration)], total: Duration) -> Vec<usize> {
    let queue = FairQueue::new(places, places.div_ceil(2), 1_000);
    let mut waiting: Vec<_> = Vec::new();
    for (caller, (connections, _)) in callers.iter().enumerate() {
        for _ in 0..*connections {
            waiting.push((caller, Box::pin(queue.enter(caller))));
        }
    }
    let mut answers = vec![0; callers.len()];
    let mut working: BTreeMap<(Duration, usize), (usize, Turn<usize>)> = BTreeMap::new();
    let (mut now, mut begun) = (Duration::ZERO, 0);
    while now < total {
        let mut still = Vec::new();
        for (caller, mut enter) in waiting {
            match (&mut enter).now_or_never() {
                Some(turn) => {
                    begun += 1;
                    working.insert((now + callers[caller].1, begun), (caller, turn.unwrap()));
                }
                None => still.push((caller, enter)),
            }
        }
        waiting = still;
        let ((end, _), (caller, mut turn)) = working.pop_first().expect("somebody works");
        now = end;
        turn.spend(callers[caller].1);
        drop(turn);
        answers[caller] += 1;
        waiting.push((caller, Box::pin(queue.enter(caller))));
    }
    answers
}

#[test]
fn sixty_four_agents_get_equal_parts_whatever_their_connections() {
    let mut callers = vec![(1, 2 * MS); 63];
    callers.push((24, 2 * MS));
    let answers = played(4, &callers, Duration::from_secs(3));
    let (least, most) = (answers.iter().min().unwrap(), answers.iter().max().unwrap());
    assert!(most - least <= 2, "{answers:?}");
}

#[test]
fn who_asks_for_dear_things_gets_fewer_of_them() {
    let callers = [(24, 50 * MS), (1, 5 * MS), (1, 5 * MS), (1, 5 * MS), (1, 5 * MS), (1, 5 * MS)];
    let answers = played(4, &callers, Duration::from_secs(10));
    let work: Vec<Duration> = answers
        .iter()
        .zip(&callers)
        .map(|(n, (_, cost))| *cost * u32::try_from(*n).unwrap())
        .collect();
    let all: Duration = work.iter().sum();
    assert!(work[0] * 4 < all, "a sixth is its part: {work:?}");
    assert!(work[1..].iter().all(|part| *part * 8 > all), "{work:?}");
}

#[tokio::test]
async fn the_next_place_goes_to_the_one_who_got_least() {
    let queue = FairQueue::new(2, 1, 10);
    let mut heavy = queue.enter("heavy").await.unwrap();
    let light = queue.enter("light").await.unwrap();
    let mut waiting = Box::pin(queue.enter("heavy"));
    assert!((&mut waiting).now_or_never().is_none(), "one caller gets half of the places");
    let mut late = Box::pin(queue.enter("late"));
    assert!((&mut late).now_or_never().is_none(), "all places are taken");
    heavy.spend(100 * MS);
    drop(heavy);
    assert!((&mut waiting).now_or_never().is_none());
    assert!(late.now_or_never().is_some(), "it came last and got nothing yet");
    drop(light);
    assert!(waiting.now_or_never().is_some());
}

#[tokio::test]
async fn who_goes_away_leaves_nothing_behind() {
    let queue = FairQueue::new(1, 1, 2);
    let first = queue.enter("a").await.unwrap();
    let mut gone = Box::pin(queue.enter("b"));
    let mut granted = Box::pin(queue.enter("c"));
    assert!((&mut gone).now_or_never().is_none() && (&mut granted).now_or_never().is_none());
    drop(gone);
    drop(first);
    // It was given the place and never looked.
    drop(granted);
    let _last = queue.enter("d").now_or_never().expect("the place is free").unwrap();
    let state = queue.state();
    assert_eq!(state.free, 0);
    assert!(state.lines.values().all(|line| line.waiting.is_empty()));
}

#[tokio::test]
async fn a_queue_of_one_caller_is_bounded_and_answers_under_way_go_on() {
    let queue = FairQueue::new(1, 1, 2);
    let first = queue.enter("a").await.unwrap();
    let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(queue.enter("a"))).collect();
    assert!(waiting.iter_mut().all(|enter| enter.now_or_never().is_none()));
    assert_eq!(queue.enter("a").now_or_never().unwrap().err(), Some(QueueFull));
    assert!(queue.enter("b").now_or_never().is_none(), "others may wait");
    let mut piece = Box::pin(queue.enter_again("a"));
    assert!((&mut piece).now_or_never().is_none(), "not refused");
    drop(first);
}

#[tokio::test]
async fn time_spent_away_is_not_saved_up() {
    let queue = FairQueue::new(1, 1, 10);
    for _ in 0..50 {
        queue.enter("busy").await.unwrap().spend(10 * MS);
    }
    for _ in 0..3 {
        queue.enter("idle").await.unwrap().spend(10 * MS);
    }
    let mut holds = queue.enter("busy").await.unwrap();
    let mut idle = Box::pin(queue.enter("idle"));
    assert!((&mut idle).now_or_never().is_none());
    holds.spend(10 * MS);
    drop(holds);
    let lines = |name| queue.state().lines[name].clock;
    assert!(lines("idle") + 100 * MS > lines("busy"), "it did not begin at nothing");
}
