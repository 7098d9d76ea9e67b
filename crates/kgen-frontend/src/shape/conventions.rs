//! The conventions of schemas, if there are several ways to write the same type.
//!
//! controller-gen's are the default. `compat=kube-derive` follows the versions of kube, schemars and k8s-openapi that the
//! user's crates build with, so that a first run in such a repository changes little. Code that describes types asks the
//! questions below and never which tool is followed.

use kgen_model::Schema;

use super::kube_derive;
use crate::Compat;
use crate::program::{Foundation, Program, Schemars};

/// The conventions of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conventions(Option<Foundation>);

impl Conventions {
    /// Returns the conventions that the user chose, for the crates of `program`.
    pub(crate) fn of(compat: Compat, program: &mut Program) -> Self {
        Self(compat.is_kube_derive().then(|| program.foundation()))
    }

    fn are_of_kube_derive(self) -> bool {
        self.0.is_some()
    }

    /// Returns whether kube-derive builds on a kube before `version`.
    fn is_kube_before(self, version: (u32, u32)) -> bool {
        self.0.is_some_and(|foundation| foundation.kube < version)
    }

    /// Returns whether schemas are those of schemars 0.8.
    pub(super) fn has_old_schemars(self) -> bool {
        self.0
            .is_some_and(|foundation| foundation.schemars == Schemars::Zero)
    }

    /// Returns whether an optional value may be null, and not only absent.
    pub(crate) fn writes_null_beside_options(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether null is listed among the values of a nullable enumeration.
    pub(super) fn lists_null_among_values(self) -> bool {
        self.are_of_kube_derive() && !self.has_old_schemars()
    }

    /// Returns whether null is forgotten beside a value without a type. kube 2 did so.
    pub(super) fn forgets_null_without_type(self) -> bool {
        self.is_kube_before((3, 0)) && !self.has_old_schemars()
    }

    /// Returns whether an optional value of any type is said to be null, too. schemars 0.8 does so.
    pub(super) fn states_null_beside_any_value(self) -> bool {
        self.has_old_schemars()
    }

    /// Returns whether every optional integer or string may be null, in Kubernetes' own types too.
    pub(super) fn writes_null_beside_int_or_string(self) -> bool {
        self.are_of_kube_derive() && !self.is_kube_before((3, 0))
    }

    /// Returns whether a CRD has empty lists of names, categories and the like.
    pub(crate) fn writes_empty_lists(self) -> bool {
        self.is_kube_before((4, 2))
    }

    /// Returns whether the title of a root with rules is that of the copy of the struct that has them.
    pub(crate) fn titles_checked_types(self) -> bool {
        self.is_kube_before((4, 0))
    }

    /// Returns whether a version without a status has no scale subresource, whatever it states.
    pub(crate) fn drops_scale_without_status(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a `///` comment is copied as written: headings are titles, and no list of variants is added.
    pub(crate) fn takes_text_as_written(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether the text of the only value of a newtype or variant describes it.
    pub(super) fn describes_values(self) -> bool {
        self.are_of_kube_derive() && !self.has_old_schemars()
    }

    /// Returns whether the text of a variant goes to its only property. kube did so before version 3.
    pub(super) fn moves_texts_to_properties(self) -> bool {
        self.is_kube_before((3, 0))
    }

    /// Returns whether defaults of serde are always defaults of the schema, as serde would write them.
    pub(super) fn always_writes_serde_defaults(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether values are written exactly as serde writes them: fields that serde skips are left out, and other
    /// absent options are null.
    pub(super) fn writes_values_like_serde(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether the schema of a derive holds, whatever functions and conversions serde is given.
    pub(super) fn trusts_derives(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether `length` of schemars bounds the number of entries of a map.
    pub(super) fn bounds_maps(self) -> bool {
        !self.are_of_kube_derive()
    }

    /// Returns whether only the first of several equal checks counts: those of schemars, of validator, and of garde.
    pub(super) fn takes_first_checks(self) -> bool {
        self.are_of_kube_derive() && !self.has_old_schemars()
    }

    /// Returns whether checks that only validator or garde have are ignored.
    pub(super) fn knows_checks_of_schemars_only(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a check on a field replaces the same check of its type. Otherwise, the tighter one holds.
    pub(super) fn replaces_checks(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a check holds only for a value whose type is stated, and inside lists but not inside maps.
    pub(super) fn checks_known_types_only(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether names of variants come in two groups: those of variants without texts and attributes come first.
    pub(super) fn lists_plain_variants_first(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether the variant that takes every other name is listed like the others, so that no other name is
    /// accepted.
    pub(super) fn lists_the_variant_for_others(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a map whose keys are an enum is an object with one property per key.
    pub(super) fn has_properties_for_keys(self) -> bool {
        self.are_of_kube_derive() && !self.has_old_schemars()
    }

    /// Returns whether an alternative that requires nothing is written as an empty branch.
    pub(super) fn writes_empty_branches(self) -> bool {
        self.are_of_kube_derive() && !self.has_old_schemars()
    }

    /// Returns whether the alternatives of an optional enum that is flattened hold even without it, as in schemars 0.8.
    pub(super) fn keeps_optional_alternatives(self) -> bool {
        self.has_old_schemars()
    }

    /// Returns whether the default of a field that serde never writes makes the field optional. In schemars 0.8, it does
    /// not.
    pub(super) fn uses_unwritten_defaults(self) -> bool {
        !self.has_old_schemars()
    }

    /// Returns whether a keyword is written exactly as the source states it, even where the API server knows a better
    /// form.
    pub(super) fn keeps_stated_keywords(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a branch of a schema in code loses its type, as kube's transformation of schemas does.
    pub(super) fn forgets_types_of_branches(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a type may be used although only a convention speaks against it: floating-point numbers, and
    /// maps whose keys are numbers.
    pub(super) fn allows_unusual_types(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns whether a schema is completed with facts that Rust does not have: set semantics, and those of
    /// Kubernetes' types.
    pub(super) fn adds_facts(self) -> bool {
        !self.are_of_kube_derive()
    }

    /// Returns whether a schema accepts exactly the values that the Rust type reads and writes, as far as Kubernetes
    /// can say it.
    pub(super) fn follow_rust_exactly(self) -> bool {
        !self.are_of_kube_derive()
    }

    /// Returns whether a marker that cannot be used is text, and changes nothing.
    pub(super) fn ignores_wrong_markers(self) -> bool {
        self.are_of_kube_derive()
    }

    /// Returns the schema of a well-known type, where it is not the usual one.
    pub(super) fn well_known(self, path: &str) -> Option<Schema> {
        kube_derive::well_known(path, self.0?)
    }
}
