//! Markers that say how the API server treats a value: pruning, null, types that are not looked at.

use kgen_model::Keyword;

use crate::definition::markers;

markers! {
    family "structure" "Structure";

    /// Keeps fields that the schema does not describe instead of pruning them.
    ///
    /// ```
    /// // +kubebuilder:pruning:PreserveUnknownFields
    /// pub settings: Settings,
    /// ```
    "kubebuilder:pruning:PreserveUnknownFields" on [Type, Field] with [nestable] => PreserveUnknownFields {}
    apply schema |marker, node| {
        node.schema.preserve_unknown_fields = true;
        node.note(Keyword::PreserveUnknownFields, &marker.place);
    };

    /// Declares the object as a complete Kubernetes object, with `apiVersion`, `kind` and `metadata`.
    ///
    /// ```
    /// // +kubebuilder:validation:EmbeddedResource
    /// pub template: RawExtension,
    /// ```
    "kubebuilder:validation:EmbeddedResource" on [Field] with [deprecated("kubebuilder:validation:XEmbeddedResource")] => EmbeddedResource {}
    apply schema |marker, node| {
        node.embed(&marker.place);
    };

    /// Ignores the type of the field: only the markers of the field make its schema.
    ///
    /// Together with `kubebuilder:pruning:PreserveUnknownFields`, it ends a recursive type.
    ///
    /// ```
    /// // +kubebuilder:validation:Schemaless
    /// // +kubebuilder:pruning:PreserveUnknownFields
    /// pub children: Vec<Node>,
    /// ```
    "kubebuilder:validation:Schemaless" on [Field] => Schemaless {}
    apply field |marker, settings| settings.schemaless = Some(marker.place.span());
    write schemaless |always| [*always];

    /// Allows `null`.
    ///
    /// ```
    /// // +nullable
    /// pub note: Option<String>,
    /// ```
    "nullable" on [Field] with [nestable] => Nullable {}
    apply schema |marker, node| {
        node.schema.nullable = true;
        node.note(Keyword::Nullable, &marker.place);
    };
    write schema |gap| gap.gains(|schema| schema.nullable).then_some(());
}
