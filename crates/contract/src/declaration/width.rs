//! How many typed fields a new declaration may have: a rule that stored ones may break.

use super::fault::{DeclarationFault, DeclarationFaultCode, Faults};
use super::pointer::Pointer;
use super::{MAX_TYPED_FIELDS, SourceDeclaration};

impl SourceDeclaration {
    /// Reads a declaration that somebody brings for an import: [`Self::parse`], and no stream with more
    /// than [`MAX_TYPED_FIELDS`] typed fields.
    pub fn parse_new(text: &str) -> Result<Self, Vec<DeclarationFault>> {
        let declaration = Self::parse(text)?;
        let mut faults = Faults::default();
        let at = Pointer::ROOT.member("streams");
        for (index, stream) in declaration.streams.iter().enumerate() {
            let typed = declaration.projected_fields(stream).len();
            if typed > MAX_TYPED_FIELDS {
                let count = format!("{} has {typed}, at most {MAX_TYPED_FIELDS}", stream.name);
                let place = at.item(index);
                faults.add(DeclarationFaultCode::TooManyTypedFields, &place.member("query"), count);
            }
        }
        if faults.is_empty() { Ok(declaration) } else { Err(faults.into_list()) }
    }
}
