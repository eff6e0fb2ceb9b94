//! The adapter over a synthetic provider: what readers of text and readers of data see.

#[cfg(test)]
mod world;

#[cfg(test)]
mod ambiguity;
#[cfg(test)]
mod budgets;
#[cfg(test)]
mod clients;
#[cfg(test)]
mod descriptions;
#[cfg(test)]
mod details;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod following;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod forgery;
#[cfg(test)]
mod identity;
#[cfg(test)]
mod lenience;
#[cfg(test)]
mod lint;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod reassembly;
#[cfg(test)]
mod refused_early;
#[cfg(test)]
mod resources;
#[cfg(test)]
mod searching;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod truth_table;
