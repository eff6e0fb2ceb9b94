//! The records next to others in their conversations: two before and two after, of those in view.
//!
//! A conversation is walked along the index of its key, in the order of the stream's times. Records of
//! equal time stand in the order of a field that the declaration names, then of their keys, numbers in
//! them taken as numbers.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::backend::driver::types::Value;
use super::backend::driver::{AMONG_NEXT, Connection, Row, among, params_from_iter};
use super::backend::errors::from_driver;
use super::since::{SinceFirst, departed_since, last_visible_change, stood_there};
use super::sql::connections::collection::{Index, index_name, table};
use super::targets;
use super::view::{Facts, NEWEST_CHANGE, SearchTarget};
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::scope::ReadScope;
use crate::records::sort_key::SortKey;
use crate::search::natural::natural;
use crate::search::{MatchedRow, Neighbour, NeighbourQuery, Neighbourhood};

/// How far a record reaches.
const REACH: usize = 2;
/// How many are looked at on each side of a record on a later page: some may be new.
const REACH_LATER: usize = 6;
/// Most records of equal time whose order is settled by more than their keys.
const EQUALS: i64 = 1_024;

/// Finds the neighbours of the sources.
pub(super) fn neighbours(
    db: &Connection,
    scope: &ReadScope,
    query: &NeighbourQuery,
) -> StoreResult<Neighbourhood> {
    let targets = targets(db, scope, &query.search)?;
    let since = SinceFirst::of_neighbours(db, &targets, query)?;
    let mut by_index: Vec<&SearchTarget<'_>> = targets.values().collect();
    by_index.sort_unstable_by_key(|target| target.index);
    let mut found = Found::default();
    for target in by_index {
        let own = query.sources.iter().filter(|(index, _)| *index == target.index);
        let sources: Vec<RecordNo> = own.map(|(_, record_no)| *record_no).collect();
        if sources.is_empty() || !target.is_decided_by_sql() {
            continue;
        }
        let Some(order) = ConversationOrder::of(target, query) else { continue };
        let walk = Walk { db, target, order, since: &since, seen: query.search.seen_through };
        walk.collect(&sources, &mut found)?;
    }
    let Found { neighbours, changes } = found;
    let seen_through = match query.search.seen_through {
        Some(seen_through) => seen_through,
        None => last_visible_change(db, &targets, changes)?,
    };
    Ok(Neighbourhood { neighbours, seen_through })
}

/// Neighbours, and each of them with the place of its collection and its newest change.
#[derive(Default)]
struct Found {
    neighbours: Vec<Neighbour>,
    changes: Vec<(RecordNo, usize, ChangeNo)>,
}

/// The columns that hold a conversation together and order it.
struct ConversationOrder {
    key: usize,
    time: Option<usize>,
    order: Option<usize>,
}

impl ConversationOrder {
    fn of(target: &SearchTarget<'_>, query: &NeighbourQuery) -> Option<Self> {
        let conversation = query.conversations.get(target.index)?.as_ref()?;
        let shape = &target.collection.shape;
        let in_view = |field| target.scope.fields.contains(field);
        if !in_view(&conversation.field) {
            return None;
        }
        let (key, column) = shape.column(&conversation.field)?;
        let is_seen = |at: &usize| shape.columns.get(*at).is_some_and(|own| in_view(&own.field));
        // Without its time a conversation has no order that may be shown.
        if shape.cursor.is_some_and(|at| !is_seen(&at)) || column.index != Index::Value {
            return None;
        }
        let order = conversation.order_field.as_ref().filter(|field| in_view(field));
        let order = order.and_then(|field| shape.column(field)).map(|(at, _)| at);
        Some(Self { key, time: shape.cursor, order })
    }

    fn column(at: Option<usize>) -> String {
        at.map_or("NULL".to_owned(), |at| format!("p.c{at}"))
    }
}

/// A record in its conversation.
#[derive(Clone)]
struct Member {
    record_no: RecordNo,
    conversation: Option<Vec<u8>>,
    time: Option<Vec<u8>>,
    order: Option<Vec<u8>>,
    facts: Facts,
}

impl Member {
    fn order(a: &Self, b: &Self) -> Ordering {
        let place = |own: &Self| (own.time.clone(), own.order.is_none(), own.order.clone());
        let keys = || natural(&a.facts.key_order, &b.facts.key_order);
        place(a).cmp(&place(b)).then_with(keys)
    }
}

/// A conversation and a time.
type SameTime = (Vec<u8>, Option<Vec<u8>>);

struct Walk<'a, 't> {
    db: &'a Connection,
    target: &'a SearchTarget<'t>,
    order: ConversationOrder,
    since: &'a SinceFirst,
    seen: Option<ChangeNo>,
}

impl Walk<'_, '_> {
    fn collect(&self, sources: &[RecordNo], found: &mut Found) -> StoreResult<()> {
        let around = match self.order.time {
            Some(time) => self.around(sources, time)?,
            None => HashMap::new(),
        };
        let mut wanted: Vec<RecordNo> = sources.to_vec();
        wanted.extend(around.values().flatten().flatten());
        wanted.sort_unstable();
        wanted.dedup();
        let members = self.members(&format!("p.record_no {AMONG_NEXT}"), vec![among(&wanted)])?;
        let members: HashMap<RecordNo, Member> =
            members.into_iter().map(|own| (own.record_no, own)).collect();
        let mut equals: HashMap<SameTime, Vec<Member>> = HashMap::new();
        let departed = self.departed()?;
        for source in sources {
            let Some(own) = members.get(source) else { continue };
            let Some(conversation) = own.conversation.clone() else { continue };
            if SortKey::from_bytes(conversation.clone()).is_cut() {
                continue;
            }
            let near = |at: usize| around.get(source).and_then(|sides| sides.get(at));
            let sides = [0, 1].map(|at| near(at).cloned().unwrap_or_default());
            let [before, after] = sides.map(|side| -> Vec<Member> {
                side.iter().filter_map(|number| members.get(number).cloned()).collect()
            });
            let is_equal = |other: &Member| other.time == own.time;
            let mut line: Vec<Member> = Vec::new();
            if self.order.time.is_none() || before.iter().chain(&after).any(is_equal) {
                let group = (conversation, own.time.clone());
                if !equals.contains_key(&group) {
                    let members = self.equals(&group)?;
                    equals.insert(group.clone(), members);
                }
                let ends = |side: &[Member]| -> Vec<Member> {
                    side.iter().filter(|other| !is_equal(other)).cloned().collect()
                };
                line.extend(ends(&before).into_iter().rev());
                line.extend(equals.get(&group).into_iter().flatten().cloned());
                line.extend(ends(&after));
            } else {
                line.extend(before.into_iter().rev());
                line.push(own.clone());
                line.extend(after);
            }
            self.add(own, line, departed, found)?;
        }
        Ok(())
    }

    /// Adds those next to a record in a line of its conversation.
    fn add(
        &self,
        own: &Member,
        line: Vec<Member>,
        departed: Option<ChangeNo>,
        found: &mut Found,
    ) -> StoreResult<()> {
        let mut kept = Vec::with_capacity(line.len());
        for mut member in line {
            member.facts =
                self.since.judge(self.db, self.target, member.record_no, member.facts)?;
            let stands = match (member.facts.changed_at, self.seen) {
                (None, _) => true,
                (Some(_), Some(seen)) => stood_there(self.db, self.target, member.record_no, seen)?,
                // Written since this very page was searched.
                (Some(_), None) => false,
            };
            if stands {
                kept.push(member);
            }
        }
        let Some(at) = kept.iter().position(|member| member.record_no == own.record_no) else {
            return Ok(());
        };
        let window = at.saturating_sub(REACH)..(at + REACH + 1).min(kept.len());
        let near = kept.get(window.clone()).unwrap_or_default();
        let changed = near.iter().filter_map(|member| member.facts.changed_at).max();
        for (place, member) in window.zip(near) {
            let steps = i8::try_from(place.abs_diff(at)).unwrap_or(i8::MAX);
            if steps == 0 {
                continue;
            }
            let newest = member.facts.newest_change;
            found.changes.push((member.record_no, self.target.index, newest));
            found.neighbours.push(Neighbour {
                source: own.record_no,
                row: MatchedRow {
                    collection: self.target.index,
                    record_no: member.record_no,
                    words: 0,
                    hits: Vec::new(),
                    time: member.facts.time.clone(),
                    key_order: member.facts.key_order.clone(),
                    changed_at: member.facts.changed_at,
                },
                distance: if place < at { -steps } else { steps },
                gap_seconds: gap(own.time.as_ref(), member.time.as_ref()),
                unsettled: changed.max(departed),
            });
        }
        Ok(())
    }

    /// Per source: those before it, nearest first, and those after it.
    fn around(
        &self,
        sources: &[RecordNo],
        time: usize,
    ) -> StoreResult<HashMap<RecordNo, [Vec<RecordNo>; 2]>> {
        let reach = if self.seen.is_some() { REACH_LATER } else { REACH };
        let projection = self.target.collection.projection_no;
        let (table, index) = (table(projection), index_name(projection, self.order.key));
        let key = self.order.key;
        let (mut tests, mut test_values) = (String::new(), Vec::new());
        self.target.conditions.write_sql(&mut tests, &mut test_values);
        let number = Value::Integer(self.target.collection.no.0);
        let (mut columns, mut values) = (String::new(), Vec::new());
        for (beyond, direction) in [("<", "DESC"), (">", "ASC")] {
            for step in 0..reach {
                columns.push_str(&format!(
                    ", (SELECT p.record_no FROM {table} p INDEXED BY {index}
                         WHERE p.collection_no = ? AND p.c{key} = w.c{key}
                           AND (p.c{time}, p.key_order) {beyond} (w.c{time}, w.key_order){tests}
                         ORDER BY p.c{time} {direction}, p.key_order {direction}
                         LIMIT 1 OFFSET {step})"
                ));
                values.push(number.clone());
                values.extend(test_values.iter().cloned());
            }
        }
        values.push(among(sources));
        let sql =
            format!("SELECT w.record_no{columns} FROM {table} w WHERE w.record_no {AMONG_NEXT}");
        let read = |row: &Row<'_>| {
            let side = |from: usize| -> super::backend::driver::Result<Vec<RecordNo>> {
                let mut side = Vec::new();
                for at in from..from + reach {
                    side.extend(row.get::<_, Option<RecordNo>>(at)?);
                }
                Ok(side)
            };
            Ok((row.get(0)?, [side(1)?, side(1 + reach)?]))
        };
        self.db
            .prepare_cached(&sql)
            .and_then(|mut list| list.query_map(params_from_iter(values), read)?.collect())
            .map_err(from_driver)
    }

    /// The records in view that have the time of another one of their conversation, in order.
    fn equals(&self, (key, time): &SameTime) -> StoreResult<Vec<Member>> {
        let mut test = format!("p.collection_no = ? AND p.c{} = ?", self.order.key);
        let number = Value::Integer(self.target.collection.no.0);
        let mut values = vec![number, Value::Blob(key.clone())];
        if let (Some(column), Some(time)) = (self.order.time, time) {
            test.push_str(&format!(" AND p.c{column} = ?"));
            values.push(Value::Blob(time.clone()));
        }
        self.target.conditions.write_sql(&mut test, &mut values);
        test.push_str(" ORDER BY p.key_order LIMIT ?");
        values.push(Value::Integer(EQUALS));
        let mut members = self.members(&test, values)?;
        members.sort_by(Member::order);
        Ok(members)
    }

    fn members(&self, test: &str, values: Vec<Value>) -> StoreResult<Vec<Member>> {
        let (time, order) = (self.order.time, self.order.order);
        let sql = format!(
            "SELECT p.record_no, p.c{}, {}, {}, p.key_order, {}, {NEWEST_CHANGE} FROM {} p WHERE {test}",
            self.order.key,
            ConversationOrder::column(time),
            ConversationOrder::column(order),
            self.target.time_column,
            table(self.target.collection.projection_no),
        );
        let read = |row: &Row<'_>| {
            Ok(Member {
                record_no: row.get(0)?,
                conversation: row.get(1)?,
                time: row.get(2)?,
                order: row.get(3)?,
                facts: Facts::new((row.get(4)?, row.get(5)?, row.get(6)?)),
            })
        };
        self.db
            .prepare_cached(&sql)
            .and_then(|mut list| list.query_map(params_from_iter(values), read)?.collect())
            .map_err(from_driver)
    }

    /// The last visible record that has gone from the collection since the first page.
    fn departed(&self) -> StoreResult<Option<ChangeNo>> {
        match self.seen {
            Some(seen) => departed_since(self.db, self.target, seen),
            None => Ok(None),
        }
    }
}

fn gap(a: Option<&Vec<u8>>, b: Option<&Vec<u8>>) -> u64 {
    let seconds = |key: Option<&Vec<u8>>| SortKey::from_bytes(key?.clone()).unix_seconds();
    seconds(a).zip(seconds(b)).map_or(0, |(a, b)| a.abs_diff(b))
}
