//! The settings of markers for the front end itself, not for a schema or a kind.

use kgen_diagnostics::{Span, Spanned};
use kgen_model::{DescriptionLimit, FieldConversion, TypeConversion, VariantConversion};

use crate::marker::{Marker, Outcome};

/// The markers at the start of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleSettings {
    /// The API group; empty for the core group.
    pub group: Option<Spanned<String>>,
    /// The name of the group in accessors.
    pub group_name: Option<Spanned<String>>,
    /// The API version.
    pub version: Option<Spanned<String>>,
    /// Where the module is taken out.
    pub skip: Option<Span>,
    /// Where fields are made optional unless they say otherwise.
    pub optional_by_default: Option<Span>,
    /// The limit of all descriptions in it.
    pub descriptions: DescriptionLimit,
}

/// Which of several fields may or must be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneOfSort {
    /// None or one.
    AtMost,
    /// One.
    Exactly,
    /// One or more.
    AtLeast,
}

/// Fields of which only some may be set. The rule itself is added by [`apply_to_schema`](crate::apply_to_schema).
#[derive(Clone, Debug)]
pub struct OneOf {
    /// How many.
    pub sort: OneOfSort,
    /// JSON names of the fields.
    pub fields: Vec<Spanned<String>>,
    /// The whole marker.
    pub span: Span,
}

/// The markers of a type.
#[derive(Clone, Debug, Default)]
pub struct TypeSettings {
    /// Where the type is taken out.
    pub skip: Option<Span>,
    /// Fields of which only some may be set, in source order.
    pub one_of: Vec<OneOf>,
    /// The markers of the type about the older version of its kind.
    pub conversion: TypeConversion,
    /// Whether reference pages leave the type or kind out.
    pub is_hidden: bool,
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It may be absent.
    Optional,
    /// It must be there.
    Required,
}

/// A field that is one of the choices of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnionMember {
    /// The union; empty for the one without a name.
    pub union: String,
    /// The discriminator's name of the member; see [`rules::member_name`](crate::rules::member_name).
    pub member_name: Option<String>,
    /// Whether none of the members is fine as well.
    pub zero_or_one: bool,
    /// The whole marker.
    pub span: Span,
}

/// The markers of a field.
#[derive(Clone, Debug, Default)]
pub struct FieldSettings {
    /// Whether the field must be there, by the marker that goes before the others.
    pub presence: Option<Spanned<Presence>>,
    /// Where the type of the field is not to be looked at.
    pub schemaless: Option<Span>,
    /// Where the field is declared immutable. Its own rule is added by [`apply_to_schema`](crate::apply_to_schema);
    /// an optional field needs [`rules::set_once`](crate::rules::set_once) on its parent as well.
    pub immutable: Option<Span>,
    /// Where the field is forbidden; the parent needs [`rules::forbidden`](crate::rules::forbidden).
    pub forbidden: Option<Span>,
    /// Unions that the field is a choice of; the parent needs [`rules::union`](crate::rules::union).
    pub union_members: Vec<UnionMember>,
    /// The union whose choice the field names; empty for the one without a name.
    pub union_discriminator: Option<Spanned<String>>,
    /// The markers of the field about the older version of its kind.
    pub conversion: FieldConversion,
    /// Whether reference pages leave the field out.
    pub is_hidden: bool,
    /// How strong the marker behind `presence` is; less is stronger.
    presence_rank: u8,
}

impl FieldSettings {
    /// Takes over what a presence marker says, unless a stronger one has spoken.
    pub(crate) fn claim_presence(&mut self, rank: u8, presence: Presence, span: Span) {
        if self.presence.is_none() || rank < self.presence_rank {
            self.presence = Some(Spanned::new(presence, span));
            self.presence_rank = rank;
        }
    }
}

/// Returns the settings of the markers at the start of a module.
#[must_use]
pub fn module_settings(markers: &[Marker]) -> ModuleSettings {
    gather(markers, |marker, settings| marker.effect.on_module(settings))
}

/// Returns the settings of the markers of a type, without its schema.
#[must_use]
pub fn type_settings(markers: &[Marker]) -> TypeSettings {
    gather(markers, |marker, settings| marker.effect.on_type(settings))
}

/// Returns the settings of the markers of a field, without its schema.
#[must_use]
pub fn field_settings(markers: &[Marker]) -> FieldSettings {
    gather(markers, |marker, settings| marker.effect.on_field(settings))
}

/// Returns the statements of the markers of a variant about the older version of its kind.
#[must_use]
pub fn variant_conversion(markers: &[Marker]) -> VariantConversion {
    gather(markers, |marker, conversion| marker.effect.on_variant(conversion))
}

fn gather<S: Default>(markers: &[Marker], apply: impl Fn(&Marker, &mut S) -> Outcome) -> S {
    let mut settings = S::default();
    for marker in markers {
        // Settings are plain notes; no marker can fail to leave one.
        let _ = apply(marker, &mut settings);
    }
    settings
}
