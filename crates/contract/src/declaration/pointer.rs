//! JSON pointers that grow with the walk and become text only when there is a fault to report.

use std::fmt;

use crate::json_pointer::escaped;

/// A place in the document: the chain of steps that leads to it.
#[derive(Clone, Copy)]
pub(super) struct Pointer<'a> {
    above: Option<&'a Pointer<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Document,
    Member(&'a str),
    Item(usize),
}

impl Pointer<'_> {
    /// The whole document.
    pub(super) const ROOT: Pointer<'static> = Pointer { above: None, step: Step::Document };

    /// The member `name` of the object here.
    pub(super) fn member<'b>(&'b self, name: &'b str) -> Pointer<'b> {
        Pointer { above: Some(self), step: Step::Member(name) }
    }

    /// The item `index` of the list here.
    pub(super) fn item(&self, index: usize) -> Pointer<'_> {
        Pointer { above: Some(self), step: Step::Item(index) }
    }
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            above.fmt(f)?;
        }
        match self.step {
            Step::Document => Ok(()),
            Step::Member(name) => write!(f, "/{}", escaped(name)),
            Step::Item(index) => write!(f, "/{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_what_would_split_it() {
        let streams = Pointer::ROOT.member("streams");
        let first = streams.item(0);
        assert_eq!(first.member("a/b~c~1").to_string(), "/streams/0/a~1b~0c~01");
        assert_eq!(Pointer::ROOT.to_string(), "");
        assert_eq!(Pointer::ROOT.member("").to_string(), "/");
    }
}
