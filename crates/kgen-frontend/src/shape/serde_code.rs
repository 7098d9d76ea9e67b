//! Types whose JSON is created by code and not by the derives of serde: it is known only when the code runs.

use kgen_diagnostics::Span;

use crate::declare::{ModuleBody, TypeDeclaration};

/// Code that reads or writes a type in place of serde's derives.
pub(super) struct SerdeCode {
    /// A description for messages.
    pub(super) what: String,
    pub(super) span: Span,
}

/// Derives of `serde_with` that go through text, with the trait that decides what the text is.
const TEXT_DERIVES: &[(&str, &str)] = &[("DeserializeFromStr", "FromStr"), ("SerializeDisplay", "Display")];

/// Returns the hand-written serde code of a type that derives none.
pub(super) fn hand_written(declaration: &TypeDeclaration, body: &ModuleBody) -> Option<SerdeCode> {
    let derived = |name: &str| declaration.attributes.derives(name).is_some();
    let written = body.implementations.iter().find(|implementation| {
        implementation.type_name == declaration.name
            && matches!(implementation.trait_name.as_str(), "Serialize" | "Deserialize")
            && !derived(&implementation.trait_name)
    });
    if let Some(implementation) = written {
        return Some(SerdeCode {
            what: format!("a hand-written `{}`", implementation.trait_name),
            span: implementation.span,
        });
    }
    TEXT_DERIVES.iter().find_map(|(name, decides)| {
        declaration.attributes.derives(name).map(|span| SerdeCode {
            what: format!("its `{decides}`"),
            span,
        })
    })
}
