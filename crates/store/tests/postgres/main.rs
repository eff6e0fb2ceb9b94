//! What only a server can do to a store: go away, come back, refuse, be shared.

#[cfg(test)]
mod damage;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod encryption;
#[cfg(test)]
mod erasing;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod proxy;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod restarts;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod silence;
