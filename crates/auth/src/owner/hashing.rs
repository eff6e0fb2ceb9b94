//! Slow hashes of passwords, made one after the other in one room.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, mpsc};
use std::thread;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use pdpp_contract::ports::Entropy;
use tokio::sync::{Semaphore, oneshot};

use super::password::{MOST_BYTES, PasswordText};
use crate::error::AuthError;

/// Each hash takes 19 MiB and a core for a moment; more of them wait.
const AT_ONCE: usize = 1;

static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);

/// Where a hash is made, over and over: what is given back at such a size and alignment, some
/// allocators cannot use again, and every hash would take another 19 MiB.
type Room = Vec<Block>;
type Work = Box<dyn FnOnce(&mut Room) + Send>;

/// All hashes are made on one thread, which keeps its room.
static BENCH: LazyLock<mpsc::Sender<Work>> = LazyLock::new(|| {
    let (send, receive) = mpsc::channel::<Work>();
    let started = thread::Builder::new().name("passwords".to_owned()).spawn(move || {
        let mut room = Room::new();
        for work in receive {
            // A fault in one must not leave the others waiting.
            let _ = catch_unwind(AssertUnwindSafe(|| work(&mut room)));
        }
    });
    if let Err(error) = started {
        tracing::error!("passwords cannot be checked: {error}");
    }
    send
});

/// Stands in where no password is set, so that the answer takes as long.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The hash to keep: argon2id with the parameters that its authors recommend, and a fresh salt.
pub(super) async fn hash(text: PasswordText, entropy: &dyn Entropy) -> Result<String, AuthError> {
    let mut salt = [0_u8; 16];
    entropy.fill(&mut salt);
    slowly(move |room| made(&text, &salt, room))
        .await?
        .ok_or_else(|| AuthError::rule("a password cannot be hashed"))
}

fn made(text: &PasswordText, salt: &[u8], room: &mut Room) -> Option<String> {
    let params = Params::default();
    let mut out = [0_u8; Params::DEFAULT_OUTPUT_LEN];
    fill(&Argon2::from(&params), text.0.as_bytes(), salt, &mut out, room)?;
    let made = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(&params).ok()?,
        salt: Some(Salt::new(salt).ok()?),
        hash: Some(Output::new(&out).ok()?),
    };
    Some(made.to_string())
}

/// Whether the text is the password. Takes as long when none is set.
pub(super) async fn matches(text: PasswordText, kept: Option<String>) -> Result<bool, AuthError> {
    slowly(move |room| {
        // A longer text than a password can be is cut: it must not cost more, and is never right.
        let typed = text.0.as_bytes();
        let typed = typed.get(..MOST_BYTES + 1).unwrap_or(typed);
        let fits = is_right(typed, kept.as_deref().unwrap_or(NOBODYS), room).unwrap_or(false);
        fits && kept.is_some()
    })
    .await
}

fn is_right(typed: &[u8], kept: &str, room: &mut Room) -> Option<bool> {
    let kept = PasswordHash::new(kept).ok()?;
    let (salt, expected) = (kept.salt.as_ref()?, kept.hash.as_ref()?);
    let algorithm = Algorithm::try_from(kept.algorithm.as_str()).ok()?;
    let version = Version::try_from(kept.version?).ok()?;
    let argon = Argon2::new(algorithm, version, Params::try_from(&kept).ok()?);
    let mut out = vec![0_u8; expected.len()];
    fill(&argon, typed, salt, &mut out, room)?;
    // Takes the same time wherever they differ.
    Some(Output::new(&out).ok()? == *expected)
}

fn fill(
    argon: &Argon2<'_>,
    text: &[u8],
    salt: &[u8],
    out: &mut [u8],
    room: &mut Room,
) -> Option<()> {
    room.resize(argon.params().block_count(), Block::new());
    let done = argon.hash_password_into_with_memory(text, salt, out, &mut *room).ok();
    // What is left would make guessing cheaper for whoever reads this memory.
    room.fill(Block::new());
    done
}

async fn slowly<T, F>(work: F) -> Result<T, AuthError>
where
    T: Send + 'static,
    F: FnOnce(&mut Room) -> T + Send + 'static,
{
    let busy = || AuthError::rule("no thread for a password");
    let _place = PLACES.acquire().await.map_err(|_| busy())?;
    let (tell, told) = oneshot::channel();
    let work = move |room: &mut Room| {
        // Nobody hears the answer when whoever asked has gone.
        let _ = tell.send(work(room));
    };
    BENCH.send(Box::new(work)).map_err(|_| busy())?;
    told.await.map_err(|_| busy())
}

#[cfg(test)]
mod tests {
    use pdpp_testkit::RepeatedByte;

    use super::*;

    fn text(text: &str) -> PasswordText {
        PasswordText::new(text.to_owned())
    }

    #[tokio::test]
    async fn a_password_is_recognised_and_nothing_else_is() {
        let kept = hash(text("correct horse"), &RepeatedByte(7)).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(matches(text("correct horse"), Some(kept.clone())).await.unwrap());
        assert!(!matches(text("correct horse "), Some(kept)).await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_is_argon2_s_own_whatever_was_hashed_before() {
        use argon2::password_hash::PasswordHasher as _;
        for typed in ["correct horse", "another text"] {
            let kept = hash(text(typed), &RepeatedByte(7)).await.unwrap();
            let plain = Argon2::default().hash_password_with_salt(typed.as_bytes(), &[7; 16]);
            assert_eq!(kept, plain.unwrap().to_string());
        }
    }

    #[tokio::test]
    async fn without_a_password_no_text_is_right() {
        assert!(!matches(text("nobody's"), None).await.unwrap());
    }

    #[cfg(target_os = "linux")]
    fn resident_kib() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Other tests of this program use memory too: the measuring one runs in a process of its own.
    #[cfg(target_os = "linux")]
    #[expect(
        clippy::disallowed_methods,
        reason = "tells the process that measures from the others"
    )]
    #[test]
    fn a_server_of_many_threads_keeps_the_memory_of_one_hash() {
        const NAME: &str =
            "owner::hashing::tests::a_server_of_many_threads_keeps_the_memory_of_one_hash";
        const ALONE: &str = "PDPP_TEST_ALONE";
        if std::env::var_os(ALONE).is_some() {
            return hash_on_many_threads();
        }
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let said = alone.args([NAME, "--exact"]).env(ALONE, "1").output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout);
        assert!(said.contains("1 passed"), "{said}");
    }

    #[cfg(target_os = "linux")]
    fn hash_on_many_threads() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let before = resident_kib();
        let mut busy = Vec::new();
        for _ in 0..24 {
            assert!(!runtime.block_on(matches(text("nobody's"), None)).unwrap());
            // Takes a thread of the runtime away, so that its next work is for another one.
            let (end, until) = std::sync::mpsc::channel::<()>();
            busy.push((end, runtime.spawn_blocking(move || until.recv())));
        }
        let grown = resident_kib().saturating_sub(before);
        drop(busy);
        assert!(grown < 64 * 1024, "{grown} KiB");
    }
}
