//! The files of the repository, read once: those in git and those about to be.

use std::process::Command;

use anyhow::Result;

use super::source;
use crate::run;

/// Every text file, by its path from the root.
pub struct Repository {
    pub files: Vec<RepositoryFile>,
}

/// One text file.
pub struct RepositoryFile {
    pub path: String,
    pub text: String,
}

impl Repository {
    pub fn of_repository() -> Result<Self> {
        // New files count before they are added, or the first check after `git add` would surprise.
        let listing = ["ls-files", "-z", "--cached", "--others"];
        let listed = run::output_of(Command::new("git").args(listing).arg("--exclude-standard"))?;
        let mut paths: Vec<&str> = listed.split_terminator('\0').collect();
        paths.sort_unstable();
        paths.dedup();
        let files = paths.into_iter().filter_map(RepositoryFile::read).collect();
        Ok(Self { files })
    }

    pub fn find(&self, path: &str) -> Option<&RepositoryFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Our own Rust files; generated ones follow their generator's rules.
    pub fn rust(&self) -> impl Iterator<Item = &RepositoryFile> {
        let ours = |file: &&RepositoryFile| file.has_extension("rs") && !file.is_below("generated");
        self.files.iter().filter(ours)
    }

    /// Names of the files directly inside a directory.
    pub fn names_in<'a>(&'a self, directory: &str) -> Vec<&'a str> {
        let inside = |path: &'a str| path.strip_prefix(directory)?.strip_prefix('/');
        let names = self.files.iter().filter_map(|file| inside(&file.path));
        names.filter(|name| !name.contains('/')).collect()
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| RepositoryFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        Self { files: files.collect() }
    }
}

impl RepositoryFile {
    /// `None` for what is deleted but still in the index, and for what is no text.
    fn read(path: &str) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Self { path: path.to_owned(), text })
    }

    pub fn has_extension(&self, extension: &str) -> bool {
        let found = std::path::Path::new(&self.path).extension();
        found.is_some_and(|found| found == extension)
    }

    pub fn is_below(&self, directory: &str) -> bool {
        let parts: Vec<&str> = self.path.split('/').collect();
        let directories = parts.split_last().map_or(&[][..], |(_, before)| before);
        directories.contains(&directory)
    }

    /// The code without comments and literals, line by line, numbered from one.
    pub fn code_lines(&self) -> Vec<(usize, String)> {
        let code = source::code_only(&self.text);
        (1..).zip(code.lines().map(str::to_owned)).collect()
    }

    /// The line from which on the file holds tests; zero when all of it does.
    pub fn tests_begin(&self) -> usize {
        if self.is_below("tests") || self.is_below("benches") || self.path.ends_with("/tests.rs") {
            return 0;
        }
        source::tests_begin(&self.text).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_directory_leave_out_deeper_files() {
        let tree = Repository::of(&[("a/one.sql", ""), ("a/b/two.sql", ""), ("ab/three.sql", "")]);
        assert_eq!(tree.names_in("a"), ["one.sql"]);
    }

    #[test]
    fn generated_files_are_not_ours() {
        let tree = Repository::of(&[("src/generated/table.rs", ""), ("src/generated.rs", "")]);
        let paths: Vec<&str> = tree.rust().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["src/generated.rs"]);
    }
}
