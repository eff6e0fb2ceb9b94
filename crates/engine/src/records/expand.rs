//! Expansion: the records that others name, or that name them, read for a whole page at once.
//!
//! A relation is followed where its stream and its key field are both in view, on the same
//! connection. Any other relation answers like one that does not exist.

use std::collections::BTreeMap;

use pdpp_contract::declaration::{Cardinality, FieldKind, Relationship};
use pdpp_contract::envelope::{Warning, WarningCode};
use pdpp_contract::expand::{
    DEFAULT_EXPAND_LIMIT, Expand, ExpandCapability, Expanded, ExpandedList, MAX_EXPAND_LIMIT,
    MAX_EXPANDED_RECORDS, MAX_EXPANSIONS,
};
use pdpp_contract::key::key_part;
use pdpp_contract::limits::PAGE_BYTES;
use pdpp_contract::query::ListTag;
use pdpp_contract::record::Record;
use pdpp_contract::{ApiError, ErrorCode, FieldName, RecordId};
use pdpp_store::SortKey;
use pdpp_store::records::{Condition, Test};
use pdpp_store::related::{FindRelated, RelatedGroup, RelatedPage, RelatedQuery};

use crate::reader::GrantedReader;
use crate::records::render;
use crate::refusal::from_store;
use crate::schema::fields::relationships;
use crate::view::{GrantedStream, Narrow, resolve, scope_of};

/// How much of a related record's long fields to show when the request names no length.
const PREVIEW_CHARS: u32 = 240;

/// The relations a request follows.
pub(crate) struct Expansions {
    /// Everything in view: relations lead to other streams.
    in_view: Vec<GrantedStream>,
    relations: Vec<Relation>,
}

/// One relation: per granted stream of the request where it leads, if it leads anywhere.
struct Relation {
    name: String,
    links: Vec<Option<Link>>,
}

struct Link {
    related: usize,
    cardinality: Cardinality,
    foreign_key: FieldName,
    /// The kind of the key field, where it lives on the related stream.
    kind: FieldKind,
    limit: u32,
}

/// A record of a page before its relations are followed.
pub(crate) struct Parent {
    /// Which granted of the request it belongs to.
    pub granted: usize,
    pub record: Record,
}

/// The relations of a granted stream that can be expanded.
pub(crate) fn capabilities(
    granted: &GrantedStream,
    in_view: &[GrantedStream],
) -> Vec<ExpandCapability> {
    let capability = |relation: Relationship| {
        let declared =
            granted.stream.query.expand.iter().find(|other| other.name == relation.name)?;
        let many = relation.cardinality == Cardinality::HasMany;
        let max_limit = declared.max_limit.unwrap_or(MAX_EXPAND_LIMIT);
        let default_limit = declared.default_limit.unwrap_or(DEFAULT_EXPAND_LIMIT).min(max_limit);
        Some(ExpandCapability {
            name: relation.name,
            stream: relation.stream,
            cardinality: relation.cardinality,
            foreign_key: relation.foreign_key,
            default_limit: many.then_some(default_limit),
            max_limit: many.then_some(max_limit),
        })
    };
    relationships(granted, in_view).into_iter().filter_map(capability).collect()
}

impl GrantedReader {
    /// Resolves the relations a request asks for; `None` when it asks for none.
    pub(crate) async fn expansions(
        &self,
        granted_streams: &[GrantedStream],
        asked: &[Expand],
    ) -> Result<Option<Expansions>, ApiError> {
        if asked.is_empty() {
            return Ok(None);
        }
        if asked.len() > MAX_EXPANSIONS {
            return Err(refuse(format!("expand names at most {MAX_EXPANSIONS} relations")));
        }
        let in_view = resolve(&self.shared, &self.authority, Narrow::default()).await?;
        let mut relations: Vec<Relation> = Vec::with_capacity(asked.len());
        for expand in asked {
            if relations.iter().any(|known| known.name == expand.relation) {
                return Err(refuse("a relation may stand only once in expand".to_owned()));
            }
            relations.push(relation(granted_streams, &in_view, expand)?);
        }
        Ok(Some(Expansions { in_view, relations }))
    }

    /// Follows the relations of a page's records. The warning says that some lists are cut short.
    pub(crate) async fn expand(
        &self,
        expansions: &Expansions,
        parents: &mut [Parent],
        preview_chars: Option<u32>,
    ) -> Result<Option<Warning>, ApiError> {
        let (groups, places) = expansions.groups(parents);
        let query = RelatedQuery {
            groups,
            max_records: MAX_EXPANDED_RECORDS,
            max_bytes: PAGE_BYTES,
            preview_chars: render::preview_chars(Some(preview_chars.unwrap_or(PREVIEW_CHARS)))?,
        };
        let scope = scope_of(&expansions.in_view);
        let pages = self.shared.store.related_records(&scope, query).await.map_err(from_store)?;
        let reduced = pages.iter().any(|page| page.reduced);
        for place in places {
            let found = place.group.and_then(|group| pages.get(group));
            if let Some(parent) = parents.get_mut(place.parent) {
                let expanded = expansions.rendered(place.cardinality, found);
                parent.record.expanded.insert(place.name, expanded);
            }
        }
        Ok(reduced.then(warning))
    }
}

/// Where the answer of a group belongs.
struct Placed {
    parent: usize,
    name: String,
    cardinality: Cardinality,
    /// `None` when the record names nobody.
    group: Option<usize>,
}

impl Expansions {
    /// Fields that lead to related records and have to be read even when nobody asked for them.
    pub(crate) fn key_fields(&self) -> impl Iterator<Item = &FieldName> {
        let links = self.relations.iter().flat_map(|relation| relation.links.iter().flatten());
        links.filter(|link| link.cardinality == Cardinality::HasOne).map(|link| &link.foreign_key)
    }

    /// What to read, and where each answer belongs. A record that many name is read once.
    fn groups(&self, parents: &[Parent]) -> (Vec<RelatedGroup>, Vec<Placed>) {
        let mut groups = Vec::new();
        let mut places = Vec::new();
        let mut known: BTreeMap<(usize, RecordId), usize> = BTreeMap::new();
        for relation in &self.relations {
            for (index, parent) in parents.iter().enumerate() {
                let Some(Some(link)) = relation.links.get(parent.granted) else {
                    continue;
                };
                let group = self.find(link, &parent.record).map(|find| {
                    let collection = link.related;
                    let same = match &find {
                        FindRelated::ById(id) => Some((collection, id.clone())),
                        FindRelated::ByKey { .. } => None,
                    };
                    let next = groups.len();
                    let place = same.map_or(next, |same| *known.entry(same).or_insert(next));
                    if place == next {
                        groups.push(RelatedGroup { collection, find });
                    }
                    place
                });
                let (name, cardinality) = (relation.name.clone(), link.cardinality);
                places.push(Placed { parent: index, name, cardinality, group });
            }
        }
        (groups, places)
    }

    fn find(&self, link: &Link, record: &Record) -> Option<FindRelated> {
        match link.cardinality {
            Cardinality::HasOne => {
                let value = record.data.as_ref()?.get(link.foreign_key.as_str())?;
                RecordId::new(key_part(value)?).ok().map(FindRelated::ById)
            }
            Cardinality::HasMany => {
                let text = record.id.as_str().to_owned();
                let test = Test::Equals { key: SortKey::parse(link.kind, &text)?, text };
                Some(FindRelated::ByKey {
                    condition: Condition { field: link.foreign_key.clone(), test },
                    order_field: self.in_view.get(link.related)?.cursor_field().cloned(),
                    limit: usize::try_from(link.limit).unwrap_or(usize::MAX),
                })
            }
        }
    }

    fn rendered(&self, cardinality: Cardinality, found: Option<&RelatedPage>) -> Expanded {
        let records = found.map(|page| page.records.as_slice()).unwrap_or_default();
        let mut records = records.iter().filter_map(|stored| {
            let granted = self.in_view.get(stored.collection)?;
            Some(render::record(stored.clone(), granted))
        });
        match cardinality {
            Cardinality::HasOne => Expanded::One(records.next().map(Box::new)),
            Cardinality::HasMany => Expanded::Many(ExpandedList {
                object: ListTag::List,
                has_more: found.is_some_and(|page| page.has_more),
                data: records.collect(),
            }),
        }
    }
}

fn relation(
    granted_streams: &[GrantedStream],
    in_view: &[GrantedStream],
    expand: &Expand,
) -> Result<Relation, ApiError> {
    let mut links = Vec::with_capacity(granted_streams.len());
    for granted in granted_streams {
        let capability = capabilities(granted, in_view)
            .into_iter()
            .find(|capability| capability.name == expand.relation);
        links.push(match capability {
            Some(capability) => link(granted, in_view, capability, expand.limit)?,
            None => None,
        });
    }
    if links.iter().all(Option::is_none) {
        return Err(unknown(&expand.relation));
    }
    Ok(Relation { name: expand.relation.clone(), links })
}

fn link(
    granted: &GrantedStream,
    in_view: &[GrantedStream],
    capability: ExpandCapability,
    asked: Option<u32>,
) -> Result<Option<Link>, ApiError> {
    let is_related = |other: &GrantedStream| {
        other.connection.id == granted.connection.id && other.scope.stream == capability.stream
    };
    let Some(related) = in_view.iter().position(is_related) else {
        return Ok(None);
    };
    let limit = match (capability.max_limit, asked) {
        (None, Some(_)) => {
            return Err(refuse("a relation to one record takes no expand_limit".to_owned()));
        }
        (None, None) => 1,
        (Some(max), Some(limit)) if limit == 0 || limit > max => {
            return Err(refuse(format!("expand_limit of this relation is 1 to {max}")));
        }
        (Some(_), asked) => asked.or(capability.default_limit).unwrap_or(DEFAULT_EXPAND_LIMIT),
    };
    let stream = in_view.get(related).map(|granted| &granted.stream);
    let kind = stream.and_then(|stream| stream.field_kind(capability.foreign_key.as_str()));
    Ok(Some(Link {
        related,
        cardinality: capability.cardinality,
        foreign_key: capability.foreign_key,
        kind: kind.unwrap_or(FieldKind::Structured),
        limit,
    }))
}

/// A relation outside the view, whether or not it is declared.
fn unknown(name: &str) -> ApiError {
    refuse(format!("no relation {name:?} of this stream in view; see expand in its schema"))
}

pub(crate) fn refuse(message: String) -> ApiError {
    ApiError::new(ErrorCode::InvalidExpand, message).param("expand")
}

fn warning() -> Warning {
    Warning {
        code: WarningCode::PageReduced,
        message: "related lists with has_more are cut short; ask for fewer records or list the \
                  related stream"
            .to_owned(),
        param: Some("expand".to_owned()),
        detail: None,
    }
}
