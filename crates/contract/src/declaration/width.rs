//! Rules for new declarations that stored ones may break: how many typed fields a stream may have, and
//! no names that hide characters or turn text around.

use super::fault::{DeclarationFault, DeclarationFaultCode, Faults};
use super::pointer::Pointer;
use super::{MAX_TYPED_FIELDS, SourceDeclaration};
use crate::one_line::is_unsafe;

/// Such a name would reach terminals and models, where it can pass for another one.
const UNSAFE_NAME: &str =
    "a name must not contain control, direction or invisible characters; rename it";

impl SourceDeclaration {
    /// Reads a declaration that somebody brings for an import: [`Self::parse`], no stream with more
    /// than [`MAX_TYPED_FIELDS`] typed fields, and no name of a stream or field with direction marks,
    /// invisible or control characters.
    pub fn parse_new(text: &str) -> Result<Self, Vec<DeclarationFault>> {
        let declaration = Self::parse(text)?;
        let mut faults = Faults::default();
        let at = Pointer::ROOT.member("streams");
        for (index, stream) in declaration.streams.iter().enumerate() {
            let place = at.item(index);
            if stream.name.as_str().contains(is_unsafe) {
                faults.structure(&place.member("name"), UNSAFE_NAME);
            }
            let schema = place.member("schema");
            let properties = schema.member("properties");
            for field in stream.field_names() {
                if field.as_str().contains(is_unsafe) {
                    faults.structure(&properties.member(field.as_str()), UNSAFE_NAME);
                }
            }
            let typed = declaration.projected_fields(stream).len();
            if typed > MAX_TYPED_FIELDS {
                let count = format!("{} has {typed}, at most {MAX_TYPED_FIELDS}", stream.name);
                faults.add(DeclarationFaultCode::TooManyTypedFields, &place.member("query"), count);
            }
        }
        if faults.is_empty() { Ok(declaration) } else { Err(faults.into_list()) }
    }
}
