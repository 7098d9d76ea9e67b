//! Options of generators.
//!
//! An option is declared once, in the file of its generator: name, field, type, default and help. The command line,
//! `kgen.toml`, build scripts, help and the JSON schema read these declarations. They store the user's values in the typed
//! fields of [`Options`]; the same file then says what the fields mean to the front end and to the generator.

mod bundle;
mod crd;
mod description;
mod docs;
mod field;
mod header;
mod helm;
mod object;
mod rbac;
mod rust;
#[cfg(test)]
mod tests;

pub use bundle::BundleOptions;
pub use crd::{CrdOptions, CrdVersion};
pub use description::{OptionDescription, OptionType, OptionValue};
pub use docs::DocsOptions;
pub use field::Ignored;
pub use header::HeaderOptions;
pub use helm::HelmOptions;
pub use object::ObjectOptions;
pub use rbac::RbacOptions;
pub use rust::RustOptions;

pub(crate) use bundle::BUNDLE;
pub(crate) use crd::CRD;
pub(crate) use docs::DOCS;
pub(crate) use header::HEADER;
pub(crate) use helm::HELM;
pub(crate) use object::OBJECT;
pub(crate) use rbac::RBAC;
pub(crate) use rust::RUST;

/// The options of one generator: what the user wrote, and defaults for the rest.
///
/// A generator reads the parts that its row in [`GENERATORS`](crate::GENERATORS) lists; the others keep their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How types become schemas and definitions.
    pub crd: CrdOptions,
    /// How access rules become roles.
    pub rbac: RbacOptions,
    /// The options of generated objects.
    pub object: ObjectOptions,
    /// How generated Rust names other crates.
    pub rust: RustOptions,
    /// The contents of the reference pages.
    pub docs: DocsOptions,
    /// The contents of a bundle for OLM.
    pub bundle: BundleOptions,
    /// The contents of the Helm chart.
    pub helm: HelmOptions,
    /// The text at the beginning of every file.
    pub header: HeaderOptions,
}

/// Declares a part of [`Options`] with its fields, its defaults and its table of descriptions.
macro_rules! options {
    (
        $(#[$attribute:meta])*
        pub struct $group:ident at $part:ident, described by $table:ident {
            $(
                $name:literal => $field:ident: $type:ty = $default:expr,
                    $help:literal
                    $(, has no effect: $why:literal)?;
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $group {
            $(
                #[doc = concat!("`", $name, "`: ", $help)]
                pub $field: $type,
            )*
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        pub(crate) static $table: &[$crate::options::OptionDescription] = &[$(
            $crate::options::OptionDescription {
                name: $name,
                value: <$type as $crate::options::field::Field>::TYPE,
                help: $help,
                no_effect: $crate::options::optional!($($why)?),
                write: |options, value| $crate::options::field::Field::write(&mut options.$part.$field, value),
                read: |options| $crate::options::field::Field::read(&options.$part.$field),
                is_ignored: |options| $crate::options::field::Field::is_ignored(&options.$part.$field),
            },
        )*];
    };
}

/// The literal, if there is one.
macro_rules! optional {
    () => {
        None
    };
    ($value:literal) => {
        Some($value)
    };
}

use {optional, options};
