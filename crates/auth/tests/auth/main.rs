//! What tokens open, when they stop, and what a grant says, on a real store.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod issuing;
#[cfg(test)]
mod owner;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod retaining;
#[cfg(test)]
mod revoking;
#[cfg(test)]
mod sign_in_states;
#[cfg(test)]
mod signing_in;
#[cfg(test)]
mod timing;
#[cfg(test)]
mod verifying;
