//! Which breaks are run, and in which order: those of one crate together, so that little is compiled between two.

use anyhow::{Context, Result};

use super::{Break, all};

/// The crates from the one that all others need to the one that needs all others.
const LAYERS: &[&str] =
    &["contract", "store", "auth", "engine", "import", "mcp", "http", "bench", "cli"];

/// The entries that the arguments choose.
pub fn chosen(arguments: &[String]) -> Result<Vec<&'static Break>> {
    let mut ordered: Vec<_> = all().collect();
    ordered.sort_by_key(|case| (place(case), case.noticed_by));
    let mut words = arguments;
    if let [option, last, rest @ ..] = arguments
        && option == "--after"
    {
        let place = ordered.iter().position(|case| case.harm == last);
        ordered.drain(..=place.with_context(|| format!("there is no entry `{last}`"))?);
        words = rest;
    }
    if !words.is_empty() {
        ordered.retain(|case| words.iter().any(|word| case.harm.contains(word.as_str())));
    }
    Ok(ordered)
}

/// Where the lowest of the crates stands that a break changes.
fn place(case: &Break) -> usize {
    let layer = |file: &str| {
        let folder = file.split('/').nth(1);
        LAYERS.iter().position(|layer| Some(*layer) == folder).unwrap_or(LAYERS.len())
    };
    case.edits.iter().map(|edit| layer(edit.file)).min().unwrap_or(LAYERS.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harms(arguments: &[&str]) -> Result<Vec<&'static str>> {
        let owned: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        Ok(chosen(&owned)?.iter().map(|case| case.harm).collect())
    }

    #[test]
    fn a_run_goes_on_behind_a_named_entry() {
        let whole = harms(&[]).unwrap();
        assert_eq!(whole.len(), all().count());
        assert_eq!(harms(&["--after", whole[4]]).unwrap(), whole[5..]);
        assert!(harms(&["--after", "no such entry"]).is_err());
    }

    #[test]
    fn words_choose_entries() {
        let chosen = harms(&["bookmark"]).unwrap();
        assert!(!chosen.is_empty() && chosen.iter().all(|harm| harm.contains("bookmark")));
    }

    #[test]
    fn every_changed_crate_has_a_place() {
        for case in all() {
            assert!(place(case) < LAYERS.len(), "{}", case.harm);
        }
    }
}
