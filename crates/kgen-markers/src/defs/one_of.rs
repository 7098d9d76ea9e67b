//! Markers over several fields of a struct of which only some may be set.

use kgen_diagnostics::Code;

use crate::definition::markers;
use crate::marker::{Outcome, Place};
use crate::rules;
use crate::schema::{Node, Shape};
use crate::settings::{OneOf, OneOfSort};
use crate::value::Located;

markers! {
    family "one-of" "One of several fields";

    /// At most one of the fields may be set.
    ///
    /// The fields must be optional. Use their JSON names.
    ///
    /// ```
    /// // +kubebuilder:validation:AtMostOneOf=inline;configMap
    /// pub struct Source {}
    /// ```
    "kubebuilder:validation:AtMostOneOf" on [Type] with [repeatable, priority(11)] => AtMostOneOf {
        /// JSON names of the fields.
        "=" fields: Vec<Located<String>>,
    }
    apply type_settings |marker, settings| settings.one_of.push(one_of(&marker.place, OneOfSort::AtMost, &marker.fields));
    apply schema |marker, node| add_rule(node, &marker.place, OneOfSort::AtMost, &marker.fields)?;

    /// Exactly one of the fields must be set.
    ///
    /// The fields must be optional. Use their JSON names.
    ///
    /// ```
    /// // +kubebuilder:validation:ExactlyOneOf=inline;configMap
    /// pub struct Source {}
    /// ```
    "kubebuilder:validation:ExactlyOneOf" on [Type] with [repeatable, priority(12)] => ExactlyOneOf {
        /// JSON names of the fields.
        "=" fields: Vec<Located<String>>,
    }
    apply type_settings |marker, settings| settings.one_of.push(one_of(&marker.place, OneOfSort::Exactly, &marker.fields));
    apply schema |marker, node| add_rule(node, &marker.place, OneOfSort::Exactly, &marker.fields)?;

    /// At least one of the fields must be set.
    ///
    /// The fields must be optional. Use their JSON names.
    ///
    /// ```
    /// // +kubebuilder:validation:AtLeastOneOf=email;phone
    /// pub struct Contact {}
    /// ```
    "kubebuilder:validation:AtLeastOneOf" on [Type] with [repeatable, priority(13)] => AtLeastOneOf {
        /// JSON names of the fields.
        "=" fields: Vec<Located<String>>,
    }
    apply type_settings |marker, settings| settings.one_of.push(one_of(&marker.place, OneOfSort::AtLeast, &marker.fields));
    apply schema |marker, node| add_rule(node, &marker.place, OneOfSort::AtLeast, &marker.fields)?;
}

fn one_of(place: &Place, sort: OneOfSort, fields: &[Located<String>]) -> OneOf {
    OneOf {
        sort,
        fields: place.spanned_all(fields),
        span: place.span(),
    }
}

fn add_rule(node: &mut Node<'_>, place: &Place, sort: OneOfSort, fields: &[Located<String>]) -> Outcome {
    node.require(place, Shape::Object)?;
    for (index, field) in fields.iter().enumerate() {
        if field.value.contains('.') {
            let message = format!("`{}` is not a field of this type", field.value);
            return Err(place
                .problem_at(&field.range, Code::MarkerValue, message)
                .help("name fields of the type itself, not fields of its fields"));
        }
        if fields
            .iter()
            .take(index)
            .any(|earlier| earlier.value == field.value)
        {
            let message = format!("`{}` is listed twice", field.value);
            return Err(place.problem_at(&field.range, Code::MarkerValue, message));
        }
    }
    let names: Vec<_> = fields.iter().map(|field| field.value.as_str()).collect();
    if !names.is_empty() {
        node.add_rule(place, rules::one_of(sort, &names));
    }
    Ok(())
}
