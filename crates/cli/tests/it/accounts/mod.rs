//! Live accounts against a real mail server: what changes there is found here, once, and stays.

mod changes;
mod credentials;
mod interruptions;
mod proxy;
mod world;
