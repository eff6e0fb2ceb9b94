//! Following changes from the beginning, and then again and again while others write, reproduces
//! what a list shows: for every grant, page size and moment of writing.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::query::{Filter, FilterTest, ListRequest};
use pdpp_contract::{FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::mirror::{Mirror, listed};
use crate::world::{World, mail, message};

/// Grants, each with the number of a filter.
const GRANTS: [(&[&str], usize); 9] = [
    (&["work-mail/messages", "home-mail/messages"], 0),
    (&["work-mail/messages:id,subject"], 0),
    (&["home-mail/messages:id,sent_at@2026-02-02..2026-02-04"], 0),
    (&["work-mail/messages:id,size@2026-02-01..2026-02-03", "home-mail/messages:id,subject"], 0),
    (&["home-mail/messages:id"], 0),
    (&["work-mail/messages", "home-mail/messages"], 1),
    (&["work-mail/messages:id,size@2026-02-01..2026-02-03"], 1),
    (&["home-mail/messages:id,size@2026-02-02..2026-02-04"], 2),
    (&["home-mail/messages:id,size,subject@2026-02-01..2026-02-03"], 3),
];

/// Sizes of which two are equal and spelled differently.
fn sizes() -> [Value; 4] {
    [json!(0), json!(1), json!(1.0), json!(2)]
}

/// Conditions on the size, which old versions cannot always decide.
fn filter(number: usize) -> Vec<Filter> {
    let test = match number {
        0 => return Vec::new(),
        1 => FilterTest::Equals("1".to_owned()),
        2 => FilterTest::Equals("1.0".to_owned()),
        _ => FilterTest::Range(RangeOperator::Gte, "1".to_owned()),
    };
    vec![Filter { field: FieldName::new("size").unwrap(), test }]
}

/// A small generator, so that a failing seed can be run again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// A write to one of few keys with few values, so that old values come back often.
    fn line(&mut self) -> (&'static str, Value) {
        let connection = ["work-mail", "home-mail"][usize::try_from(self.roll(2)).unwrap()];
        let id = format!("m{}", self.roll(7));
        if self.roll(5) == 0 {
            let gone = json!({"type": "RECORD", "stream": "messages", "key": id, "op": "delete",
                              "emitted_at": "2026-11-02T00:00:00Z"});
            return (connection, gone);
        }
        let subject = ["a", "b", "Your verification code is 482913"];
        let data = json!({
            "sent_at": format!("2026-02-{:02}", 1 + self.roll(4)),
            "subject": subject[usize::try_from(self.roll(3)).unwrap()],
            "size": sizes()[usize::try_from(self.roll(4)).unwrap()], "body": self.roll(2).to_string(),
        });
        (connection, message(&id, data))
    }
}

async fn write(world: &World, dice: &mut Dice, most: u64) {
    for _ in 0..dice.roll(most + 1) {
        let (connection, line) = dice.line();
        world.import(connection, &mail(), &[line]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn following_changes_reproduces_the_visible_store() {
    for seed in 0..8 {
        let mut dice = Dice(seed);
        let world = World::new(seed).await;
        for connection in ["work-mail", "home-mail"] {
            world.import(connection, &mail(), &[]).await;
        }
        write(&world, &mut dice, 30).await;
        let mut followers = Vec::new();
        for (at, (grant, number)) in GRANTS.iter().enumerate() {
            let reader = world.reader_leaving_out(grant, at % 2 == 0).await;
            let question = ListRequest {
                limit: Some(1 + u32::try_from(dice.roll(4)).unwrap()),
                filter: filter(*number),
                ..ListRequest::new(StreamName::new("messages").unwrap())
            };
            followers.push((reader, Mirror::new(question)));
        }
        for round in 0..8 {
            write(&world, &mut dice, 10).await;
            if dice.roll(4) == 0 {
                let newest = world.store.newest_change().await.unwrap();
                world.store.prune_versions(newest.back(5)).await.unwrap();
            }
            for (reader, mirror) in &mut followers {
                // A session with writes between its pages, then one without.
                disturbed(&world, &mut dice, reader, mirror).await;
                mirror.follow(reader).await;
                let list = ListRequest { limit: None, ..mirror.question.clone() };
                assert_eq!(mirror.copy, listed(reader, &list).await, "seed {seed} round {round}");
                assert_eq!(mirror.follow(reader).await, 0, "nothing comes twice");
            }
        }
        assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
    }
}

async fn disturbed(world: &World, dice: &mut Dice, reader: &GrantedReader, mirror: &mut Mirror) {
    let mut request = Some(mirror.start());
    while let Some(asked) = request {
        request = match reader.list(asked).await {
            Ok(page) => mirror.take(&page),
            Err(error) => {
                mirror.start_over(&error);
                return;
            }
        };
        write(world, dice, 3).await;
    }
}
