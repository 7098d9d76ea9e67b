//! Declarative validations that a CRD schema cannot express: known, and always an error that says what to write instead.

use crate::definition::markers;

const CANNOT: &str = "cannot be expressed in a CRD schema";

markers! {
    family "not-expressible" "Declarative validation that custom resources do not support";

    /// Maximum length of a string, in bytes.
    ///
    /// ```
    /// // +k8s:maxBytes=64
    /// pub name: String,
    /// ```
    "k8s:maxBytes" on [Anywhere] with [refused("counts bytes, but a CRD schema counts characters", "use `+k8s:maxLength`")] => MaxBytes {}

    /// Restricts how a field may change on update.
    ///
    /// ```
    /// // +k8s:update=NoModify
    /// pub name: String,
    /// ```
    "k8s:update" on [Anywhere] with [refused(CANNOT, "use `+k8s:immutable`, or a CEL rule with `oldSelf`")] => Update {}

    /// Requires that a number never decreases.
    ///
    /// ```
    /// // +k8s:monotonic
    /// pub generation: i64,
    /// ```
    "k8s:monotonic" on [Anywhere] with [refused(CANNOT, "write `+kubebuilder:validation:XValidation:rule=\"self >= oldSelf\"`")] => Monotonic {}

    /// Requires that the items of a list are unique.
    ///
    /// ```
    /// // +k8s:unique=set
    /// pub names: Vec<String>,
    /// ```
    "k8s:unique" on [Anywhere] with [refused(CANNOT, "use `+listType=set` or `+listType=map`")] => Unique {}

    /// Leaves the uniqueness of items to code.
    ///
    /// ```
    /// // +k8s:customUnique
    /// pub names: Vec<String>,
    /// ```
    "k8s:customUnique" on [Anywhere] with [refused(CANNOT, "use `+listType=set` or `+listType=map`")] => CustomUnique {}

    /// Applies a marker to every key of a map.
    ///
    /// ```
    /// // +k8s:eachKey=+k8s:maxLength=63
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "k8s:eachKey" on [Anywhere] with [refused(CANNOT, "write a rule over the keys with `+kubebuilder:validation:XValidation`")] => EachKey {}

    /// Applies a marker to one item of a list.
    ///
    /// ```
    /// // +k8s:item(type: "Ready")=+k8s:optional
    /// pub conditions: Vec<Condition>,
    /// ```
    "k8s:item" on [Anywhere] with [refused(CANNOT, "write a rule over the list with `+kubebuilder:validation:XValidation`")] => Item {}

    /// Skips the validations of the field's type.
    ///
    /// ```
    /// // +k8s:opaqueType
    /// pub template: Template,
    /// ```
    "k8s:opaqueType" on [Anywhere] with [refused(CANNOT, "use `+kubebuilder:validation:Schemaless`")] => OpaqueType {}

    /// Removes a value from an enumeration.
    ///
    /// ```
    /// // +k8s:enumExclude
    /// pub color: Color,
    /// ```
    "k8s:enumExclude" on [Anywhere] with [refused(CANNOT, "list the other values with `+kubebuilder:validation:Enum`")] => EnumExclude {}

    /// Forbids one value.
    ///
    /// ```
    /// // +k8s:neq="default"
    /// pub name: String,
    /// ```
    "k8s:neq" on [Anywhere] with [refused(CANNOT, "write `+kubebuilder:validation:XValidation:rule=\"self != 'default'\"`")] => NotEqual {}

    /// Names the field that other fields depend on.
    ///
    /// ```
    /// // +k8s:modeDiscriminator
    /// pub mode: Mode,
    /// ```
    "k8s:modeDiscriminator" on [Anywhere] with [refused(CANNOT, "use `+k8s:unionDiscriminator`, or CEL rules")] => ModeDiscriminator {}

    /// Applies a marker in one mode only.
    ///
    /// ```
    /// // +k8s:ifMode("Manual")=+k8s:required
    /// pub steps: Option<Steps>,
    /// ```
    "k8s:ifMode" on [Anywhere] with [refused(CANNOT, "write a rule with `+kubebuilder:validation:XValidation`")] => IfMode {}

    /// Requires a field if another one is set.
    ///
    /// ```
    /// // +k8s:dependentRequired("other")
    /// pub name: Option<String>,
    /// ```
    "k8s:dependentRequired" on [Anywhere] with [refused(CANNOT, "write a rule with `+kubebuilder:validation:XValidation` on the struct")] => DependentRequired {}

    /// Forbids a field if another one is set.
    ///
    /// ```
    /// // +k8s:dependentForbidden("other")
    /// pub name: Option<String>,
    /// ```
    "k8s:dependentForbidden" on [Anywhere] with [refused(CANNOT, "write a rule with `+kubebuilder:validation:XValidation` on the struct")] => DependentForbidden {}

    /// Applies a marker if an option is enabled.
    ///
    /// ```
    /// // +k8s:ifEnabled(Option)=+k8s:required
    /// pub name: Option<String>,
    /// ```
    "k8s:ifEnabled" on [Anywhere] with [refused("needs options that only built-in types have", "remove it")] => IfEnabled {}

    /// Applies a marker if an option is disabled.
    ///
    /// ```
    /// // +k8s:ifDisabled(Option)=+k8s:required
    /// pub name: Option<String>,
    /// ```
    "k8s:ifDisabled" on [Anywhere] with [refused("needs options that only built-in types have", "remove it")] => IfDisabled {}

    /// Applies an experimental marker.
    ///
    /// ```
    /// // +k8s:alpha(since: "1.35")=+k8s:required
    /// pub name: Option<String>,
    /// ```
    "k8s:alpha" on [Anywhere] with [refused("needs the machinery of built-in types", "write the inner marker itself")] => Alpha {}

    /// Applies an experimental marker.
    ///
    /// ```
    /// // +k8s:beta(since: "1.35")=+k8s:required
    /// pub name: Option<String>,
    /// ```
    "k8s:beta" on [Anywhere] with [refused("needs the machinery of built-in types", "write the inner marker itself")] => Beta {}

    /// Leaves the validation to code.
    ///
    /// ```
    /// // +k8s:customValidation
    /// pub name: String,
    /// ```
    "k8s:customValidation" on [Anywhere] with [refused("needs code in the API server", "write a rule with `+kubebuilder:validation:XValidation`, or a webhook")] => CustomValidation {}

    /// Declares a type as the body of a subresource.
    ///
    /// ```
    /// // +k8s:isSubresource="/scale"
    /// pub struct Foo {}
    /// ```
    "k8s:isSubresource" on [Anywhere] with [refused("needs the machinery of built-in types", "use `+kubebuilder:subresource:scale`")] => IsSubresource {}

    /// Declares a subresource of a type.
    ///
    /// ```
    /// // +k8s:supportsSubresource="/status"
    /// pub struct Foo {}
    /// ```
    "k8s:supportsSubresource" on [Anywhere] with [refused("needs the machinery of built-in types", "use `+kubebuilder:subresource:status`")] => SupportsSubresource {}

    /// Always passes, for tests of validation-gen.
    ///
    /// ```
    /// // +k8s:validateTrue="text"
    /// pub name: String,
    /// ```
    "k8s:validateTrue" on [Anywhere] with [refused("is for tests of validation-gen only", "remove it")] => ValidateTrue {}

    /// Always fails, for tests of validation-gen.
    ///
    /// ```
    /// // +k8s:validateFalse="text"
    /// pub name: String,
    /// ```
    "k8s:validateFalse" on [Anywhere] with [refused("is for tests of validation-gen only", "remove it")] => ValidateFalse {}

    /// Breaks the generator, for tests of validation-gen.
    ///
    /// ```
    /// // +k8s:validateError="text"
    /// pub name: String,
    /// ```
    "k8s:validateError" on [Anywhere] with [refused("is for tests of validation-gen only", "remove it")] => ValidateError {}
}
