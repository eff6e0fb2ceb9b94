//! `expand` and `expand_limit[relation]`: the relations whose records come along.

use pdpp_contract::expand::{Expand, MAX_EXPANSIONS};
use pdpp_contract::{ApiError, ErrorCode};

use super::value::{refuse, whole_number};
use super::{Params, repeated, shown};

/// Longest relation name that is looked at.
const NAME_BYTES: usize = 128;

/// Takes both parameters. Names are separated by commas, repeated, or both.
pub fn expand(params: &mut Params) -> Result<Vec<Expand>, ApiError> {
    let mut values = params.take_all("expand");
    values.extend(params.take_all("expand[]"));
    let mut asked: Vec<Expand> = Vec::new();
    for name in values.iter().flat_map(|value| value.split(',')) {
        if name.is_empty() || name.len() > NAME_BYTES {
            return Err(refused("expand", "names relations of the stream"));
        }
        if !asked.iter().any(|known| known.relation == name) {
            asked.push(Expand { relation: name.to_owned(), limit: None });
        }
        if asked.len() > MAX_EXPANSIONS {
            let message = format!("at most {MAX_EXPANSIONS} relations can be named");
            return Err(refused("expand", &message));
        }
    }
    for (name, value) in params.take_matching(|name| name.starts_with("expand_limit")) {
        let relation = name.strip_prefix("expand_limit[").and_then(|rest| rest.strip_suffix(']'));
        let known = relation
            .and_then(|relation| asked.iter_mut().find(|expand| expand.relation == relation));
        let Some(known) = known else {
            return Err(refused(
                shown(&name),
                "write expand_limit[relation] beside expand=relation",
            ));
        };
        if known.limit.is_some() {
            return Err(repeated(&name));
        }
        let limit = whole_number(&value).filter(|limit| *limit > 0);
        let limit =
            limit.ok_or_else(|| refused(shown(&name), "must be a whole number, 1 or more"))?;
        known.limit = Some(u32::try_from(limit).unwrap_or(u32::MAX));
    }
    Ok(asked)
}

fn refused(param: &str, message: &str) -> ApiError {
    refuse(ErrorCode::InvalidExpand, param, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Vec<Expand>, ApiError> {
        expand(&mut Params::parse(Some(query)).unwrap())
    }

    #[test]
    fn relations_are_named_once_with_or_without_a_limit() {
        let one = |name: &str, limit| Expand { relation: name.to_owned(), limit };
        assert_eq!(read("").unwrap(), []);
        assert_eq!(read("expand=a,b&expand[]=a").unwrap(), [one("a", None), one("b", None)]);
        assert_eq!(read("expand=a&expand_limit[a]=3").unwrap(), [one("a", Some(3))]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (query, param) in [
            ("expand=", "expand"),
            ("expand=a&expand_limit[b]=3", "expand_limit[b]"),
            ("expand=a&expand_limit=3", "expand_limit"),
            ("expand=a&expand_limit[a]=0", "expand_limit[a]"),
            ("expand=a&expand_limit[a]=x", "expand_limit[a]"),
            ("expand=a,b,c,d,e,f,g,h,i", "expand"),
        ] {
            let error = read(query).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidExpand, "{query}");
            assert_eq!(error.param.as_deref(), Some(param), "{query}");
        }
    }
}
