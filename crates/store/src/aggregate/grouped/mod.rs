//! Measures per group: by value, by time, or by both.

mod collector;
mod group_id;
mod label;
mod rank;

use std::collections::HashMap;

use pdpp_contract::Json;

use super::tally::{Part, Read, Row, Tally, identity};
use super::time_buckets::{BucketCounts, BucketFinder};
use super::{GroupPage, GroupPlace, GroupQuery, Measure, MeasuredGroup};
use crate::error::StoreResult;
use crate::records::sort_value::is_cut;
use crate::writes::hashing::HashKey;
pub(crate) use collector::Collector;
use group_id::GroupId;
use rank::Rank;

/// Groups in progress.
pub(crate) struct Groups {
    query: GroupQuery,
    measure: Measure,
    hashing: HashKey,
    finder: Option<BucketFinder>,
    found: Vec<Group>,
    places: HashMap<Vec<u8>, usize>,
    /// The group of the last row: a walk over the field's own index stays in it for long.
    current: usize,
    /// The group of this row, in memory that is used again.
    id: GroupId,
    /// How values are shown whose key was cut.
    labels: HashMap<Vec<u8>, Json>,
    /// Midnights are shown as dates.
    dates: bool,
}

struct Group {
    id: GroupId,
    records: u64,
    tally: Tally,
}

impl Groups {
    fn new(query: GroupQuery, measure: Measure, hashing: &HashKey) -> Self {
        let finder = query.buckets.clone().map(BucketFinder::new);
        Self {
            query,
            measure,
            hashing: hashing.clone(),
            finder,
            found: Vec::new(),
            places: HashMap::new(),
            current: 0,
            id: GroupId::default(),
            labels: HashMap::new(),
            dates: false,
        }
    }

    fn add(&mut self, row: &Row<'_>, read: &Read<'_>) -> StoreResult<()> {
        self.id.clear();
        if let Some(finder) = &mut self.finder {
            self.id.push_bucket(finder.find(row, read)?);
        }
        if self.query.by_value {
            let cell = row.cell(Part::Grouped);
            self.dates |= cell.is_date;
            match cell.key {
                Some(key) if is_cut(key) => {
                    let found = identity(row.record_no, Part::Grouped, key, read)?;
                    self.id.push_value(found.as_ref().map(|(identity, _)| identity.as_slice()));
                    if let Some((identity, label)) = found {
                        self.labels.entry(identity).or_insert(label);
                    }
                }
                key => self.id.push_value(key),
            }
        }
        let place = self.place();
        match self.found.get_mut(place) {
            Some(group) => {
                group.records += 1;
                group.tally.add(row, &self.hashing, read)
            }
            None => Ok(()),
        }
    }

    /// Adds records that lack everything.
    fn add_missing(&mut self, count: u64) {
        if count == 0 {
            return;
        }
        self.id.clear();
        if self.finder.is_some() {
            self.id.push_bucket(None);
        }
        if self.query.by_value {
            self.id.push_value(None);
        }
        let place = self.place();
        if let Some(group) = self.found.get_mut(place) {
            group.records += count;
        }
    }

    /// Where the group stands that `id` names; a new one if there is none.
    fn place(&mut self) -> usize {
        let same = self.found.get(self.current).is_some_and(|group| group.id == self.id);
        if !same {
            self.current = self.places.get(self.id.as_bytes()).copied().unwrap_or_else(|| {
                let place = self.found.len();
                self.places.insert(self.id.as_bytes().to_vec(), place);
                let (id, tally) = (self.id.clone(), Tally::new(self.measure));
                self.found.push(Group { id, records: 0, tally });
                place
            });
        }
        self.current
    }

    fn finish(mut self, read: &Read<'_>) -> StoreResult<GroupPage> {
        let mut ranked = Vec::with_capacity(self.found.len());
        for group in std::mem::take(&mut self.found) {
            ranked.push((self.rank(&group, read)?, group));
        }
        ranked.sort_unstable_by(|(rank_a, a), (rank_b, b)| {
            let by_time = a.id.time_order().cmp(b.id.time_order());
            let by_rank = || rank_a.compare(rank_b);
            by_time.then_with(by_rank).then_with(|| a.id.as_bytes().cmp(b.id.as_bytes()))
        });
        let ids: Vec<&[u8]> = ranked.iter().map(|(_, group)| group.id.as_bytes()).collect();
        let (from, until, next) = page(&self.query, &self.hashing, &ids);
        let shown = ranked.get(from..until).unwrap_or_default();
        let groups = shown.iter().map(|(_, group)| self.shown(group, read));
        let groups = groups.collect::<StoreResult<Vec<MeasuredGroup>>>()?;
        Ok(GroupPage { groups, group_count: ranked.len() as u64, next })
    }

    fn rank(&self, group: &Group, read: &Read<'_>) -> StoreResult<Rank> {
        Ok(match self.measure {
            Measure::Count => Rank::Count(group.records),
            Measure::Distinct | Measure::Sum | Measure::Mean => {
                Rank::of_number(group.tally.value(group.records, read)?.as_ref())
            }
            Measure::Least => Rank::Ascending(group.tally.extreme_key().map(<[u8]>::to_vec)),
            Measure::Greatest => Rank::Descending(group.tally.extreme_key().map(<[u8]>::to_vec)),
        })
    }

    fn shown(&self, group: &Group, read: &Read<'_>) -> StoreResult<MeasuredGroup> {
        let key = |value: &[u8]| {
            let label = label::label(value, self.dates);
            label.or_else(|| self.labels.get(value).cloned()).unwrap_or(Json::Null)
        };
        let buckets = self.query.buckets.as_ref();
        Ok(MeasuredGroup {
            key: self.query.by_value.then(|| group.id.value().map_or(Json::Null, key)),
            time: buckets.map(|buckets| buckets.label(group.id.bucket())),
            records: group.records,
            value: group.tally.value(group.records, read)?,
        })
    }
}

/// The counts of buckets as groups.
fn times(counts: BucketCounts, query: &GroupQuery, hashing: &HashKey) -> GroupPage {
    let (buckets, counts) = counts.ordered();
    let ids: Vec<GroupId> = counts
        .iter()
        .map(|(bucket, _)| {
            let mut id = GroupId::default();
            id.push_bucket(*bucket);
            id
        })
        .collect();
    let ids: Vec<&[u8]> = ids.iter().map(GroupId::as_bytes).collect();
    let (from, until, next) = page(query, hashing, &ids);
    let shown = counts.get(from..until).unwrap_or_default().iter();
    let groups = shown.map(|(bucket, records)| MeasuredGroup {
        key: None,
        time: Some(buckets.label(*bucket)),
        records: *records,
        value: Some(Json::Number(records.to_string())),
    });
    GroupPage { groups: groups.collect(), group_count: ids.len() as u64, next }
}

/// Which of all groups a page shows, and where the next one goes on.
fn page(
    query: &GroupQuery,
    hashing: &HashKey,
    ids: &[&[u8]],
) -> (usize, usize, Option<GroupPlace>) {
    let from = query.after.map_or(0, |after| {
        let position = usize::try_from(after.position).unwrap_or(usize::MAX).min(ids.len());
        let is_last = |id: &&[u8]| hashing.wide(id) == after.last;
        // Mostly it stands where it stood.
        let stays = position.checked_sub(1).and_then(|at| ids.get(at)).is_some_and(is_last);
        let moved = || ids.iter().position(is_last);
        if stays { position } else { moved().map_or(position, |at| at + 1) }
    });
    let until = from.saturating_add(query.most).min(ids.len());
    let last = ids.get(from..until).and_then(<[&[u8]]>::last).filter(|_| until < ids.len());
    let next = last.map(|id| GroupPlace { position: until as u64, last: hashing.wide(id) });
    (from, until, next)
}
