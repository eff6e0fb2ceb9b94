//! The records that a record leads to.

use pdpp_contract::expand::{Expand, Expanded};
use pdpp_contract::record::Record;
use pdpp_contract::schema::StreamRequest;
use pdpp_contract::{ApiError, Instant, ReadApi};
use pdpp_engine::GrantedReader;

use super::address::RecordAddress;
use crate::pages::address;
use crate::pages::plain;
use crate::pages::times::{Times, When};

/// Related records of one kind that are shown.
const MAX_RELATED: u32 = 10;
/// Kinds of relations that are followed.
const MAX_RELATIONS: usize = 6;

/// Related records of one kind.
pub struct RelationView {
    pub label: String,
    pub records: Vec<RelatedRow>,
    pub has_more: bool,
}

/// One of them.
pub struct RelatedRow {
    pub address: String,
    pub title: String,
    pub at: Option<When>,
}

/// The relations that a stream can follow.
pub async fn relations(
    reader: &GrantedReader,
    record: &RecordAddress,
) -> Result<Vec<Expand>, ApiError> {
    let request = StreamRequest {
        stream: record.stream.clone(),
        connection_id: Some(record.account.clone()),
    };
    let streams = reader.stream(request).await?;
    let capabilities = streams.into_iter().flat_map(|stream| stream.expand_capabilities);
    let expand = capabilities.map(|capability| {
        let most = capability.max_limit.unwrap_or(MAX_RELATED).min(MAX_RELATED);
        let many = capability.cardinality == pdpp_contract::declaration::Cardinality::HasMany;
        Expand { relation: capability.name, limit: many.then_some(most) }
    });
    Ok(expand.take(MAX_RELATIONS).collect())
}

/// The related records that came along with a record.
pub fn groups(record: &Record, times: &Times) -> Vec<RelationView> {
    let group = |(name, expanded): (&String, &Expanded)| {
        let (records, has_more): (Vec<&Record>, bool) = match expanded {
            Expanded::One(one) => (one.iter().map(AsRef::as_ref).collect(), false),
            Expanded::Many(list) => (list.data.iter().collect(), list.has_more),
        };
        RelationView {
            label: plain::first_upper(&plain::words(name)),
            records: records.into_iter().map(|one| related(one, times)).collect(),
            has_more,
        }
    };
    let groups = record.expanded.iter().map(group);
    groups.filter(|group| !group.records.is_empty()).collect()
}

fn related(record: &Record, times: &Times) -> RelatedRow {
    RelatedRow {
        address: address::record(
            record.connection_id.as_str(),
            record.stream.as_str(),
            record.id.as_str(),
        ),
        title: title(record),
        at: time(record, times),
    }
}

/// What a record is called: its title, else the beginning of its text, else its id.
pub fn title(record: &Record) -> String {
    let data = record.data.as_ref();
    let roles = record.roles.as_ref();
    let own = roles.zip(data).and_then(|(roles, data)| roles.own_title(data));
    let text = roles.zip(data).and_then(|(roles, data)| {
        roles
            .body
            .iter()
            .find_map(|name| data.get(name)?.as_str().map(|text| plain::line(text, 80)))
    });
    let made = roles.zip(data).and_then(|(roles, data)| roles.title(data));
    let named = [own, text, made].into_iter().flatten().map(|text| plain::line(&text, 160));
    let mut named = named.filter(|text| !text.is_empty());
    named.next().unwrap_or_else(|| plain::line(record.id.as_str(), 80))
}

/// When it was written or happened.
pub fn time(record: &Record, times: &Times) -> Option<When> {
    let text = record.roles.as_ref()?.time(record.data.as_ref()?)?;
    Some(times.moment(Instant::parse(&text)?.timestamp()))
}

/// Who wrote it.
pub fn author(record: &Record) -> Option<String> {
    let text = record.roles.as_ref()?.author(record.data.as_ref()?)?;
    Some(plain::line(&text, 80))
}
