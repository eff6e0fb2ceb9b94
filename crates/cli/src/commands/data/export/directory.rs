//! The directory of an export. While it is being filled it has another name, so that a broken run is
//! never taken for a whole one.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::data_dir::create_private;
use crate::failure::{Exit, Failure};

/// A directory that is not finished. Dropping it removes it.
pub struct NewDirectory {
    partial: PathBuf,
    target: PathBuf,
    finished: bool,
}

impl NewDirectory {
    /// Begins a directory. Nothing that is there is overwritten.
    pub fn create(target: &Path) -> Result<Self, Failure> {
        match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!("{} is not empty; name a new directory", target.display());
                return Err(Failure::usage(message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::file("use", target, &error)),
        }
        let mut name = target.file_name().map(OsString::from).ok_or_else(|| {
            Failure::usage(format!("{} has no name; name a new directory", target.display()))
        })?;
        name.push(".partial");
        let partial = target.with_file_name(name);
        if partial.exists() {
            let message =
                format!("an export into {} was broken off before it was whole", target.display());
            let advice = format!("delete {} and run it again", partial.display());
            return Err(Failure::new(Exit::Other, "broken_off", message).with_advice(advice));
        }
        create_private(&partial).map_err(|error| Failure::file("create", &partial, &error))?;
        Ok(Self { partial, target: target.to_owned(), finished: false })
    }

    /// Where the files go meanwhile.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Gives the directory its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        // An empty directory may be in the place.
        let _ = fs::remove_dir(&self.target);
        let renamed = fs::rename(&self.partial, &self.target);
        renamed.map_err(|error| Failure::file("create", &self.target, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for NewDirectory {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}
