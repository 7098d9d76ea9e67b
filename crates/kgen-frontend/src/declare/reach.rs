//! The visibility of a name: the modules in which generated code may use it.

use syn::Visibility;

/// The modules that see a name, according to its visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// `pub`.
    Everywhere,
    /// `pub(crate)`.
    Crate,
    /// The module that is this many levels above the one that declares the name, and all modules in it.
    Around(usize),
}

impl Reach {
    /// Returns the reach that a visibility gives.
    pub(super) fn of(visibility: &Visibility) -> Self {
        let path = match visibility {
            Visibility::Inherited => return Self::Around(0),
            Visibility::Public(_) => return Self::Everywhere,
            Visibility::Restricted(restricted) => &restricted.path,
        };
        if path.is_ident("crate") {
            return Self::Crate;
        }
        let levels = path
            .segments
            .iter()
            .take_while(|segment| segment.ident == "super");
        Self::Around(levels.count())
    }

    /// Returns whether any visibility is written.
    pub(crate) fn is_public(self) -> bool {
        self != Self::Around(0)
    }

    /// Returns whether every module of the crate sees a name that is declared `depth` levels below the root.
    pub(crate) fn is_whole_crate(self, depth: usize) -> bool {
        match self {
            Self::Everywhere | Self::Crate => true,
            Self::Around(levels) => depth <= levels,
        }
    }
}
