//! Markers that say whether a field must be there. Numbers are their rank: the smallest decides.

use crate::definition::markers;
use crate::settings::Presence;

const OPTIONAL: &[&str] = &["kubebuilder:validation:Optional", "optional", "k8s:optional"];
const REQUIRED: &[&str] = &["kubebuilder:validation:Required", "required", "k8s:required"];

markers! {
    family "presence" "Required and optional";

    /// Makes a field optional; at the top of a module, all fields below without a marker of their own.
    ///
    /// ```
    /// // +kubebuilder:validation:Optional
    /// pub note: Option<String>,
    /// ```
    "kubebuilder:validation:Optional" on [Module, Field] with [contradicts(REQUIRED)] => ValidationOptional {}
    apply module |marker, module| module.optional_by_default = Some(marker.place.span());
    apply field |marker, field| field.claim_presence(1, Presence::Optional, marker.place.span());

    /// Makes a field required; at the top of a module, it restates the default.
    ///
    /// ```
    /// // +kubebuilder:validation:Required
    /// pub name: Option<String>,
    /// ```
    "kubebuilder:validation:Required" on [Module, Field] with [contradicts(OPTIONAL)] => ValidationRequired {}
    apply field |marker, field| field.claim_presence(2, Presence::Required, marker.place.span());

    /// Makes a field optional.
    ///
    /// ```
    /// // +optional
    /// pub note: Option<String>,
    /// ```
    "optional" on [Field] with [contradicts(REQUIRED)] => Optional {}
    apply field |marker, field| field.claim_presence(3, Presence::Optional, marker.place.span());
    write presence |required| (!*required).then_some(());

    /// Makes a field optional.
    ///
    /// ```
    /// // +k8s:optional
    /// pub note: Option<String>,
    /// ```
    "k8s:optional" on [Field] with [nestable, contradicts(REQUIRED)] => DeclarativeOptional {}
    apply field |marker, field| field.claim_presence(3, Presence::Optional, marker.place.span());

    /// Makes a field required.
    ///
    /// ```
    /// // +required
    /// pub name: Option<String>,
    /// ```
    "required" on [Field] with [contradicts(OPTIONAL)] => Required {}
    apply field |marker, field| field.claim_presence(4, Presence::Required, marker.place.span());
    write presence |required| (*required).then_some(());

    /// Makes a field required.
    ///
    /// ```
    /// // +k8s:required
    /// pub name: Option<String>,
    /// ```
    "k8s:required" on [Field] with [nestable, contradicts(OPTIONAL)] => DeclarativeRequired {}
    apply field |marker, field| field.claim_presence(4, Presence::Required, marker.place.span());

    /// Forbids a field: it may be declared, but not set.
    ///
    /// ```
    /// // +k8s:forbidden
    /// pub reserved: Option<String>,
    /// ```
    "k8s:forbidden" on [Field] with [nestable, contradicts(REQUIRED)] => Forbidden {}
    apply field |marker, field| field.forbidden = Some(marker.place.span());
}
