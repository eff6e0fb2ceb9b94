//! A database that is prepared once and copied for every test: a copy of files is quicker than
//! making the same tables again.

use tokio::sync::OnceCell;

use super::{FreshDatabase, answer, connect, create_database, database_url};

/// How the databases of a template sort text.
#[derive(Clone, Copy, Debug)]
pub enum Sorting {
    /// By the rules of a language.
    Language,
    /// By its bytes.
    Bytes,
}

/// A database to copy. For a `static`; [`Template::end`] drops the database at the end of a run.
#[derive(Debug)]
pub struct Template {
    sorting: Sorting,
    prepared: OnceCell<Option<FreshDatabase>>,
}

impl Template {
    /// Nothing is made until the first copy is asked for.
    pub const fn new(sorting: Sorting) -> Self {
        Self { sorting, prepared: OnceCell::const_new() }
    }

    /// A database of one test as `prepare` left the first one, or `None` when Postgres is left out.
    /// `prepare` is given a URL and must have closed what it opened there.
    ///
    /// # Panics
    ///
    /// When no server is given and none can be started, or when it refuses the database.
    pub async fn copy(&self, prepare: impl AsyncFnOnce(&str)) -> Option<FreshDatabase> {
        let prepared = self.prepared.get_or_init(|| async {
            let database = create_database(self.sorting.clause()).await?;
            prepare(database.url()).await;
            Some(database)
        });
        let name = &prepared.await.as_ref()?.name;
        create_database(&format!("TEMPLATE {name} {}", strategy().await?)).await
    }

    /// Drops what was copied from.
    pub fn end(&self) {
        if let Some(Some(database)) = self.prepared.get() {
            database.drop_now();
        }
    }
}

impl Sorting {
    /// The words of `CREATE DATABASE`.
    pub(super) fn clause(self) -> &'static str {
        match self {
            Self::Language => "",
            Self::Bytes => "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'",
        }
    }
}

/// Files are copied without a detour through the log; a server before 15 knows no other way.
async fn strategy() -> Option<&'static str> {
    static CLAUSE: OnceCell<Option<&str>> = OnceCell::const_new();
    let found = CLAUSE.get_or_init(|| async {
        let client = connect(&database_url()?).await;
        let sql = "SELECT current_setting('server_version_num')::integer >= 150000";
        let chooses = answer(&client, sql, &[]).await.first().is_some_and(|row| row.get(0));
        Some(if chooses { "STRATEGY FILE_COPY" } else { "" })
    });
    *found.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_copy_has_what_was_prepared_and_shares_nothing() {
        let template = Template::new(Sorting::Language);
        let prepare = async |url: &str| {
            let client = connect(url).await;
            client.batch_execute("CREATE TABLE mine (n int)").await.unwrap();
        };
        let not_again = async |_: &str| panic!("prepared twice");
        let Some(one) = template.copy(prepare).await else { return };
        let two = template.copy(not_again).await.unwrap();
        let fill = connect(one.url()).await;
        fill.batch_execute("INSERT INTO mine VALUES (1)").await.unwrap();
        let count = "SELECT count(*) FROM mine";
        for (database, expected) in [(&one, 1_i64), (&two, 0)] {
            let rows = answer(&connect(database.url()).await, count, &[]).await;
            assert_eq!(rows[0].get::<_, i64>(0), expected);
        }
        template.end();
        let three = database_url().unwrap();
        let left = format!("SELECT FROM pg_database WHERE datname = '{}'", {
            let prepared = template.prepared.get().unwrap().as_ref().unwrap();
            prepared.name.clone()
        });
        assert!(answer(&connect(&three).await, &left, &[]).await.is_empty());
    }
}
