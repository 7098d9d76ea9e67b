//! Markers that state schemas as JSON, for what types and CEL rules do not say.

use std::sync::Arc;

use kgen_diagnostics::Code;

use crate::definition::markers;
use crate::value::{Contents, Part, Parts};
use crate::write::without_places;

markers! {
    family "combination" "Combinations";

    /// Accepts values that match exactly one of the schemas.
    ///
    /// The schemas may narrow the value, but not state types, defaults or descriptions. On a type with alternatives of its
    /// own, the marker replaces them.
    ///
    /// ```
    /// // +kgen:validation:OneOf=[{"required": ["inline"]}, {"required": ["configMap"]}]
    /// pub struct Source {}
    /// ```
    "kgen:validation:OneOf" on [Type, Field] with [items, nestable] => OneOf {
        /// The schemas, as JSON.
        "=" parts: Parts,
    }
    apply schema |marker, node| node.schema.one_of = marker.parts.0.clone().into();
    write schema |gap| gap.parts(|schema| schema.one_of.to_vec()).map(|parts| (Parts(parts),));

    /// Accepts values that match at least one of the schemas.
    ///
    /// The schemas may narrow the value, but not state types, defaults or descriptions. On a type with alternatives of its
    /// own, the marker replaces them.
    ///
    /// ```
    /// // +kgen:validation:AnyOf=[{"minLength": 5}, {"pattern": "^x"}]
    /// pub name: String,
    /// ```
    "kgen:validation:AnyOf" on [Type, Field] with [items, nestable] => AnyOf {
        /// The schemas, as JSON.
        "=" parts: Parts,
    }
    apply schema |marker, node| node.schema.any_of = marker.parts.0.clone().into();
    write schema |gap| gap.alternatives().map(|parts| (Parts(parts),));

    /// Accepts values that match all of the schemas.
    ///
    /// The schemas may narrow the value, but not state types, defaults or descriptions.
    ///
    /// ```
    /// // +kgen:validation:AllOf=[{"pattern": "^a"}, {"pattern": "z$"}]
    /// pub name: String,
    /// ```
    "kgen:validation:AllOf" on [Type, Field] with [items, nestable] => AllOf {
        /// The schemas, as JSON.
        "=" parts: Parts,
    }
    apply schema |marker, node| node.stated.all_of.extend(marker.parts.0.iter().cloned());
    write schema |gap| gap.parts(|schema| schema.constraints.all_of.clone()).map(|parts| (Parts(parts),));

    /// Accepts values that do not match the schema.
    ///
    /// The schema may narrow the value, but not state types, defaults or descriptions.
    ///
    /// ```
    /// // +kgen:validation:Not={"enum": ["root"]}
    /// pub user: String,
    /// ```
    "kgen:validation:Not" on [Type, Field] with [items, nestable] => Not {
        /// The schema, as JSON.
        "=" part: Part,
    }
    apply schema |marker, node| node.schema.not = Some(Arc::new(marker.part.0.clone()));
    write schema |gap| gap
        .parts(|schema| schema.not.iter().map(|part| part.as_ref().clone()).collect())
        .and_then(|parts| without_places(&parts).into_iter().next())
        .map(|part| (Part(part),));

    /// Describes the contents of a value without a type, and bounds.
    ///
    /// The API server keeps everything that the schemas do not describe, and checks the rest.
    ///
    /// ```
    /// // +kgen:validation:Contents={"properties": {"labels": {"type": "array", "items": {"type": "string"}}}}
    /// pub parameters: serde_json::Value,
    /// ```
    "kgen:validation:Contents" on [Type, Field] with [items, nestable] => ContentsMarker {
        /// Bounds, `properties`, `required`, `additionalProperties` or `items`, as JSON.
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
}
