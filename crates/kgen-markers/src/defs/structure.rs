//! Markers that say how the API server treats a value: pruning, null, types that are not looked at.

use kgen_diagnostics::Code;
use kgen_model::Keyword;

use crate::definition::markers;
use crate::value::Contents;

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

    /// Describes a value that has no type of its own: what is inside of it, and bounds for values of any type.
    ///
    /// The API server keeps whatever the schemas do not describe, and checks what they do.
    ///
    /// ```
    /// // +kgen:validation:Contents={"properties": {"labels": {"type": "array", "items": {"type": "string"}}}}
    /// pub parameters: serde_json::Value,
    /// ```
    "kgen:validation:Contents" on [Type, Field] with [items, nestable] => ContentsMarker {
        /// A schema without a type, as JSON.
        "=" contents: Contents,
    }
    apply schema |marker, node| {
        if node.schema.json_type.is_some() || node.schema.int_or_string {
            return Err(marker
                .place
                .problem(Code::InapplicableMarker, "`kgen:validation:Contents` must be on a value without a type")
                .help("describe the value with a Rust type"));
        }
        let contents = &marker.contents.0;
        node.schema.properties.clone_from(&contents.properties);
        node.schema.required.clone_from(&contents.required);
        node.schema.additional_properties.clone_from(&contents.additional_properties);
        node.schema.items.clone_from(&contents.items);
        node.stated.bound_by(&contents.constraints);
    };
    write schema |gap| gap.contents().map(|contents| (Contents(contents),));

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
