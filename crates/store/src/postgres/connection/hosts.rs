//! The servers that a URL lists, one by one: each gets its share of the time, so that one that says
//! nothing does not use up all of it. The driver has one limit for all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio_postgres::config::Host;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Error, Socket};

/// The servers of a URL, in its order; the one that answered last is asked first.
#[derive(Clone)]
pub(crate) struct Hosts {
    each: Vec<Config>,
    last: Arc<AtomicUsize>,
}

impl Hosts {
    pub(crate) fn of(config: &Config) -> Self {
        let (names, addresses) = (config.get_hosts(), config.get_hostaddrs());
        let count = names.len().max(addresses.len());
        let fits = |many: usize| many <= 1 || many == count;
        let is_whole = |many: usize| many == 0 || many == count;
        // What does not fit together is refused by the driver, in its words.
        if !is_whole(names.len()) || !is_whole(addresses.len()) || !fits(config.get_ports().len()) {
            return Self::new(vec![config.clone()]);
        }
        if count <= 1 {
            return Self::new(vec![config.clone()]);
        }
        Self::new((0..count).map(|at| only(config, at)).collect())
    }

    fn new(each: Vec<Config>) -> Self {
        Self { each, last: Arc::default() }
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.each.len()).unwrap_or(u32::MAX)
    }

    /// The first that takes us; otherwise why the last one that said anything did not.
    pub(crate) async fn connect<T>(
        &self,
        tls: &T,
        deadline: Instant,
    ) -> Result<(Client, Connection<Socket, T::Stream>), Option<Error>>
    where
        T: MakeTlsConnect<Socket> + Clone,
    {
        let mut refusal = None;
        let first = self.last.load(Ordering::Relaxed);
        let places = (0..self.each.len()).cycle().skip(first).take(self.each.len());
        let in_turn = places.filter_map(|at| Some((at, self.each.get(at)?)));
        for ((at, config), others) in in_turn.zip((1..=self.count()).rev()) {
            let share = deadline.saturating_duration_since(Instant::now()) / others;
            match tokio::time::timeout(share, config.connect(tls.clone())).await {
                Ok(Ok(made)) => {
                    self.last.store(at, Ordering::Relaxed);
                    return Ok(made);
                }
                Ok(Err(error)) => refusal = Some(error),
                Err(_) => {}
            }
        }
        Err(refusal)
    }
}

/// The same settings for one server of a list.
fn only(list: &Config, at: usize) -> Config {
    let mut one = Config::new();
    match list.get_hosts().get(at) {
        Some(Host::Tcp(name)) => _ = one.host(name),
        #[cfg(unix)]
        Some(Host::Unix(path)) => _ = one.host_path(path),
        None => {}
    }
    if let Some(address) = list.get_hostaddrs().get(at) {
        one.hostaddr(*address);
    }
    if let Some(port) = list.get_ports().get(at).or(list.get_ports().first()) {
        one.port(*port);
    }
    list.get_user().map(|user| one.user(user));
    list.get_password().map(|password| one.password(password));
    list.get_dbname().map(|name| one.dbname(name));
    list.get_options().map(|options| one.options(options));
    list.get_application_name().map(|name| one.application_name(name));
    list.get_connect_timeout().map(|limit| one.connect_timeout(*limit));
    list.get_tcp_user_timeout().map(|limit| one.tcp_user_timeout(*limit));
    list.get_keepalives_interval().map(|every| one.keepalives_interval(every));
    list.get_keepalives_retries().map(|times| one.keepalives_retries(times));
    one.keepalives(list.get_keepalives())
        .keepalives_idle(list.get_keepalives_idle())
        .ssl_mode(list.get_ssl_mode())
        .ssl_negotiation(list.get_ssl_negotiation())
        .channel_binding(list.get_channel_binding())
        .target_session_attrs(list.get_target_session_attrs())
        .load_balance_hosts(list.get_load_balance_hosts());
    one
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn each_server_of_a_list_has_all_settings_of_the_list() {
        let settings = "connect_timeout=3&tcp_user_timeout=4&keepalives=0&keepalives_idle=5\
            &keepalives_interval=6&keepalives_retries=7&application_name=a&options=-cwork_mem%3D9\
            &sslmode=require&sslnegotiation=direct&channel_binding=disable\
            &target_session_attrs=read-write&load_balance_hosts=random";
        let config = |hosts: &str| {
            Config::from_str(&format!("postgres://ada:sesame@{hosts}/db?{settings}")).unwrap()
        };
        let hosts = Hosts::of(&config("one:1,two:2")).each;
        assert_eq!(hosts, [config("one:1"), config("two:2")]);
    }
}
