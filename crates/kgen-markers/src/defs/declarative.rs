//! The declarative validations of Kubernetes that a CRD schema can express.

use kgen_diagnostics::{Code, Problem, Problems, Spanned, nearest};
use kgen_model::{Keyword, Number};

use super::bounds::{self, NumberBound};
use crate::arguments::Nested;
use crate::definition::markers;
use crate::marker::{Marker, Outcome, Place};
use crate::rules;
use crate::schema::{Node, Shape, apply_to_schema};
use crate::settings::{Presence, UnionMember as Member, field_settings};
use crate::value::{Count, Error, Located, Parser, Value, ValueType};

markers! {
    family "declarative" "Declarative validation";

    /// Minimum of a number.
    ///
    /// ```
    /// // +k8s:minimum=0
    /// pub replicas: i32,
    /// ```
    "k8s:minimum" on [Type, Field] with [nestable, states("minimum")] => Minimum {
        /// The inclusive bound.
        "=" value: Located<Number>,
    }
    apply schema |marker, node| bounds::number(node, &marker.place, NumberBound::Minimum, &marker.value)?;

    /// Maximum of a number.
    ///
    /// ```
    /// // +k8s:maximum=100
    /// pub percent: i32,
    /// ```
    "k8s:maximum" on [Type, Field] with [nestable, states("maximum")] => Maximum {
        /// The inclusive bound.
        "=" value: Located<Number>,
    }
    apply schema |marker, node| bounds::number(node, &marker.place, NumberBound::Maximum, &marker.value)?;

    /// Minimum length of a string, in characters.
    ///
    /// ```
    /// // +k8s:minLength=1
    /// pub name: String,
    /// ```
    "k8s:minLength" on [Type, Field] with [nestable, states("minLength")] => MinLength {
        /// The length.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinLength, marker.value)?;

    /// Maximum length of a string, in characters.
    ///
    /// ```
    /// // +k8s:maxLength=63
    /// pub name: String,
    /// ```
    "k8s:maxLength" on [Type, Field] with [nestable, states("maxLength")] => MaxLength {
        /// The length.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxLength, marker.value)?;

    /// Minimum number of items in a list.
    ///
    /// ```
    /// // +k8s:minItems=1
    /// pub ports: Vec<Port>,
    /// ```
    "k8s:minItems" on [Type, Field] with [nestable, states("minItems")] => MinItems {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinItems, marker.value)?;

    /// Maximum number of items in a list.
    ///
    /// ```
    /// // +k8s:maxItems=8
    /// pub ports: Vec<Port>,
    /// ```
    "k8s:maxItems" on [Type, Field] with [nestable, states("maxItems")] => MaxItems {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxItems, marker.value)?;

    /// Minimum number of properties of an object.
    ///
    /// ```
    /// // +k8s:minProperties=1
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "k8s:minProperties" on [Type, Field] with [nestable, states("minProperties")] => MinProperties {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinProperties, marker.value)?;

    /// Maximum number of properties of an object.
    ///
    /// ```
    /// // +k8s:maxProperties=16
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "k8s:maxProperties" on [Type, Field] with [nestable, states("maxProperties")] => MaxProperties {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxProperties, marker.value)?;

    /// Format of a string that the API server checks in custom resources.
    ///
    /// Needs Kubernetes 1.34 or later. For other formats, use `kubebuilder:validation:Format`.
    ///
    /// ```
    /// // +k8s:format=k8s-short-name
    /// pub name: String,
    /// ```
    "k8s:format" on [Type, Field] with [nestable, states("format")] => Format {
        /// `k8s-short-name` or `k8s-long-name`.
        "=" value: ServerFormat,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Text)?;
        node.stated.format = Some(marker.value.0.to_owned());
        node.note(Keyword::Format, &marker.place);
    };

    /// Declares a type as an enumeration; a Rust enum of unit variants does not need it.
    ///
    /// ```
    /// // +k8s:enum
    /// pub enum Color { Red, Green }
    /// ```
    "k8s:enum" on [Type] => Enum {}
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Text)?;
        if node.schema.constraints.enumeration.is_none() {
            let message = format!("`{}` must be on an enum of unit variants", marker.place.name());
            return Err(marker
                .place
                .problem(Code::InapplicableMarker, message)
                .help("list the values with `+kubebuilder:validation:Enum=a;b`"));
        }
    };

    /// Makes a field immutable once it is set.
    ///
    /// ```
    /// // +k8s:immutable
    /// pub volume: String,
    /// ```
    "k8s:immutable" on [Field] with [nestable] => Immutable {}
    apply field |marker, field| field.immutable = Some(marker.place.span());
    apply schema |marker, node| node.add_rule(&marker.place, rules::immutable());

    /// Makes a field a member of a union; exactly one member must be set.
    ///
    /// ```
    /// // +k8s:unionMember
    /// pub inline: Option<Inline>,
    /// ```
    "k8s:unionMember" on [Field] with [repeatable] => UnionMember {
        /// Name of the union, if a struct has several.
        "(union)" union: Option<String>,
        /// Value of the discriminator for this member; the default is the capitalized name of the field.
        "(memberName)" member_name: Option<String>,
    }
    apply field |marker, field| field.union_members.push(Member {
        union: marker.union.clone().unwrap_or_default(),
        member_name: marker.member_name.clone(),
        zero_or_one: false,
        span: marker.place.span(),
    });

    /// Makes a field a member of a union; at most one member may be set.
    ///
    /// ```
    /// // +k8s:zeroOrOneOfMember
    /// pub inline: Option<Inline>,
    /// ```
    "k8s:zeroOrOneOfMember" on [Field] with [repeatable, contradicts(&["k8s:unionMember"])] => ZeroOrOneOfMember {
        /// Name of the union, if a struct has several.
        "(union)" union: Option<String>,
        /// Name of this member; the default is the capitalized name of the field.
        "(memberName)" member_name: Option<String>,
    }
    apply field |marker, field| field.union_members.push(Member {
        union: marker.union.clone().unwrap_or_default(),
        member_name: marker.member_name.clone(),
        zero_or_one: true,
        span: marker.place.span(),
    });

    /// Makes a field the discriminator of a union.
    ///
    /// ```
    /// // +k8s:unionDiscriminator
    /// pub kind: SourceKind,
    /// ```
    "k8s:unionDiscriminator" on [Field] => UnionDiscriminator {
        /// Name of the union, if a struct has several.
        "(union)" union: Option<String>,
    }
    apply field |marker, field| {
        let union = marker.union.clone().unwrap_or_default();
        field.union_discriminator = Some(Spanned::new(union, marker.place.span()));
    };

    /// Applies a marker to every item of a list, or to every value of a map.
    ///
    /// ```
    /// // +k8s:eachVal=+k8s:maxLength=63
    /// pub names: Vec<String>,
    /// ```
    "k8s:eachVal" on [Type, Field] with [nestable, repeatable] => EachValue {
        /// The marker.
        "=" marker: Nested,
    }
    apply values |marker, _node| &marker.marker.0;

    /// Applies a marker to a field of the struct.
    ///
    /// ```
    /// // +k8s:subfield(name)=+k8s:maxLength=63
    /// pub reference: Reference,
    /// ```
    "k8s:subfield" on [Type, Field] with [nestable, repeatable] => Subfield {
        /// JSON name of the field.
        "()" field: Located<String>,
        /// The marker.
        "=" marker: Nested,
    }
    apply schema |marker, node| subfield(&marker.place, &marker.field, &marker.marker.0, node)?;
}

/// The formats of declarative validation that custom resources have as well.
#[derive(Clone, Copy, Debug)]
struct ServerFormat(&'static str);

const SERVER_FORMATS: &[&str] = &["k8s-long-name", "k8s-short-name"];

/// Formats that only built-in types have.
const OTHER_FORMATS: &[&str] = &[
    "k8s-extended-resource-name",
    "k8s-ip",
    "k8s-label-key",
    "k8s-label-value",
    "k8s-long-name-caseless",
    "k8s-path-segment-name",
    "k8s-prefixed-label-key",
    "k8s-resource-fully-qualified-name",
    "k8s-resource-pool-name",
    "k8s-uuid",
];

impl Value for ServerFormat {
    const TYPE: ValueType = ValueType::Choice(SERVER_FORMATS);

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let mut ahead = parser.clone();
        let found = Located::<String>::read(&mut ahead)?;
        if OTHER_FORMATS.contains(&found.value.as_str()) {
            let message = format!(
                "the API server does not support the format `{}` in custom resources",
                found.value
            );
            return Err(Error::value(found.range, message)
                .help("use `+kubebuilder:validation:Pattern`, or a CEL rule"));
        }
        parser.word_of(SERVER_FORMATS).map(|found| Self(found.value))
    }

    fn write(&self) -> Option<String> {
        Some(self.0.to_owned())
    }
}

/// Applies one marker to a schema inside of the node.
fn apply_inside(marker: &Marker, schema: &mut kgen_model::Schema) -> Outcome {
    let mut problems = Problems::new();
    apply_to_schema(std::slice::from_ref(marker), schema, &mut problems);
    problems.into_iter().next().map_or(Ok(()), Err)
}

fn subfield(place: &Place, field: &Located<String>, inner: &Marker, node: &mut Node<'_>) -> Outcome {
    node.require(place, Shape::Object)?;
    let name = field.value.as_str();
    let Some(property) = node.schema.properties.get_mut(name) else {
        let problem = place.problem_at(
            &field.range,
            Code::InapplicableMarker,
            format!("the struct has no field `{name}`"),
        );
        return Err(
            match nearest(name, node.schema.properties.keys().map(String::as_str)) {
                Some(near) => problem.fix(place.span_of(&field.range), near),
                None => problem,
            },
        );
    };
    apply_inside(inner, std::sync::Arc::make_mut(property))?;
    let settings = field_settings(std::slice::from_ref(inner));
    let required = node.schema.required.contains(name);
    match settings.presence.map(|presence| presence.value) {
        Some(Presence::Required) => {
            node.schema.required.insert(name.to_owned());
        }
        Some(Presence::Optional) if required => {
            let message = format!("field `{name}` is already required by its own struct");
            return Err(Problem::error(Code::InapplicableMarker, inner.span(), message));
        }
        _ => {}
    }
    if settings.forbidden.is_some() {
        if required {
            let message = format!("field `{name}` is already required by its own struct");
            return Err(Problem::error(Code::InapplicableMarker, inner.span(), message));
        }
        node.add_rule(place, rules::forbidden(name));
    }
    if settings.immutable.is_some() && !required {
        node.add_rule(place, rules::set_once(name));
    }
    Ok(())
}
