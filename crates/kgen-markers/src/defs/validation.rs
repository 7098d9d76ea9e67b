//! Markers that narrow a value. All of them also exist as `kubebuilder:validation:items:…`, which is derived.

use kgen_diagnostics::{Code, nearest};
use kgen_model::{JsonType, Keyword, Number, Rule, RuleOrigins, Schema};
use serde_json::Value as JsonValue;

use super::bounds::{self, NumberBound};
use crate::definition::markers;
use crate::schema::Shape;
use crate::value::{Any, Count, Error, Located, MaybeEmpty, Parser, Value, ValueType, choice};

choice! {
    /// The reason for programs in the API server's error when a rule fails.
    Reason(&'static str) {
        "FieldValueRequired" => "FieldValueRequired",
        "FieldValueInvalid" => "FieldValueInvalid",
        "FieldValueForbidden" => "FieldValueForbidden",
        "FieldValueDuplicate" => "FieldValueDuplicate",
    }
}

/// A value of an enumeration. Unlike other values, it may be `null`.
#[derive(Clone, Debug)]
struct EnumValue(JsonValue);

impl Value for EnumValue {
    const TYPE: ValueType = ValueType::Any;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        let ends = |rest: &str| rest.trim_start().starts_with([';', ',', '}']) || rest.trim().is_empty();
        if parser.rest().strip_prefix("null").is_some_and(ends) {
            for letter in "null".chars() {
                parser.take(letter);
            }
            return Ok(Self(JsonValue::Null));
        }
        Any::read(parser).map(|value| Self(value.0))
    }

    fn write(&self) -> Option<String> {
        Some(crate::value::written::any(&self.0))
    }
}

markers! {
    family "validation" "Validation";

    /// Replaces the validation of the type, instead of narrowing it.
    ///
    /// Without the marker, the tighter bound of the type and the field wins. With it, each bound, length, count, pattern or format
    /// that the field states takes the place of the type's. Other validations of the type remain.
    ///
    /// ```
    /// // +kgen:validation:override
    /// // +kubebuilder:validation:MaxLength=253
    /// pub name: ShortName,
    /// ```
    "kgen:validation:override" on [Field] with [items, nestable] => Override {}
    apply schema |marker, node| node.overrides = Some(marker.place.span());
    write schema |gap| gap.overrides().then_some(());

    /// Maximum of a number.
    ///
    /// ```
    /// // +kubebuilder:validation:Maximum=100
    /// pub percent: i32,
    /// ```
    "kubebuilder:validation:Maximum" on [Type, Field] with [items, nestable, states("maximum")] => Maximum {
        /// The bound, which is inclusive unless `ExclusiveMaximum` is set.
        "=" value: Located<Number>,
    }
    apply schema |marker, node| bounds::number(node, &marker.place, NumberBound::Maximum, &marker.value)?;
    write schema |gap| gap.number(|stated| stated.maximum);

    /// Minimum of a number.
    ///
    /// ```
    /// // +kubebuilder:validation:Minimum=0
    /// pub replicas: i32,
    /// ```
    "kubebuilder:validation:Minimum" on [Type, Field] with [items, nestable, states("minimum")] => Minimum {
        /// The bound, which is inclusive unless `ExclusiveMinimum` is set.
        "=" value: Located<Number>,
    }
    apply schema |marker, node| bounds::number(node, &marker.place, NumberBound::Minimum, &marker.value)?;
    write schema |gap| gap.number(|stated| stated.minimum);

    /// Makes the maximum exclusive.
    ///
    /// ```
    /// // +kubebuilder:validation:Maximum=100
    /// // +kubebuilder:validation:ExclusiveMaximum=true
    /// pub percent: i32,
    /// ```
    "kubebuilder:validation:ExclusiveMaximum" on [Type, Field] with [items, nestable] => ExclusiveMaximum {
        /// Whether the bound is exclusive.
        "=" value: bool,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Number)?;
        node.stated.exclusive_maximum = marker.value;
    };
    write schema |gap| gap.flag(|stated| stated.exclusive_maximum).then_some((true,));

    /// Makes the minimum exclusive.
    ///
    /// ```
    /// // +kubebuilder:validation:Minimum=0
    /// // +kubebuilder:validation:ExclusiveMinimum=true
    /// pub ratio: i32,
    /// ```
    "kubebuilder:validation:ExclusiveMinimum" on [Type, Field] with [items, nestable] => ExclusiveMinimum {
        /// Whether the bound is exclusive.
        "=" value: bool,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Number)?;
        node.stated.exclusive_minimum = marker.value;
    };
    write schema |gap| gap.flag(|stated| stated.exclusive_minimum).then_some((true,));

    /// Accepts only multiples of a number.
    ///
    /// ```
    /// // +kubebuilder:validation:MultipleOf=5
    /// pub minutes: i32,
    /// ```
    "kubebuilder:validation:MultipleOf" on [Type, Field] with [items, nestable] => MultipleOf {
        /// The number, which must be larger than zero.
        "=" value: Located<Number>,
    }
    apply schema |marker, node| bounds::number(node, &marker.place, NumberBound::MultipleOf, &marker.value)?;
    write schema |gap| gap.number(|stated| stated.multiple_of);

    /// Maximum length of a string, in characters.
    ///
    /// ```
    /// // +kubebuilder:validation:MaxLength=63
    /// pub name: String,
    /// ```
    "kubebuilder:validation:MaxLength" on [Type, Field] with [items, nestable, states("maxLength")] => MaxLength {
        /// The length.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxLength, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.max_length).map(|size| (Count(size),));

    /// Minimum length of a string, in characters.
    ///
    /// ```
    /// // +kubebuilder:validation:MinLength=1
    /// pub name: String,
    /// ```
    "kubebuilder:validation:MinLength" on [Type, Field] with [items, nestable, states("minLength")] => MinLength {
        /// The length.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinLength, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.min_length).map(|size| (Count(size),));

    /// Regular expression that a string must match.
    ///
    /// It matches anywhere in the string unless it starts with `^` and ends with `$`. Put it in backticks if it
    /// contains a comma, a semicolon or braces.
    ///
    /// ```
    /// // +kubebuilder:validation:Pattern=`^[a-z]{1,8}$`
    /// pub color: String,
    /// ```
    "kubebuilder:validation:Pattern" on [Type, Field] with [items, nestable] => Pattern {
        /// The expression.
        "=" value: String,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Text)?;
        node.stated.pattern = Some(marker.value.clone());
        node.note(Keyword::Pattern, &marker.place);
    };
    write schema |gap| gap.stated(|stated| stated.pattern.clone()).map(|pattern| (pattern,));

    /// Maximum number of items in a list.
    ///
    /// ```
    /// // +kubebuilder:validation:MaxItems=8
    /// pub ports: Vec<Port>,
    /// ```
    "kubebuilder:validation:MaxItems" on [Type, Field] with [items, nestable, states("maxItems")] => MaxItems {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxItems, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.max_items).map(|size| (Count(size),));

    /// Minimum number of items in a list.
    ///
    /// ```
    /// // +kubebuilder:validation:MinItems=1
    /// pub ports: Vec<Port>,
    /// ```
    "kubebuilder:validation:MinItems" on [Type, Field] with [items, nestable, states("minItems")] => MinItems {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinItems, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.min_items).map(|size| (Count(size),));

    /// Requires unique items in a list.
    ///
    /// The API server refuses `true`, because the check is slow; use `listType=set` instead.
    ///
    /// ```
    /// // +kubebuilder:validation:UniqueItems=false
    /// pub ports: Vec<Port>,
    /// ```
    "kubebuilder:validation:UniqueItems" on [Type, Field] with [items, nestable] => UniqueItems {
        /// Whether items are unique.
        "=" value: bool,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Array)?;
        node.stated.unique_items = marker.value;
        node.note(Keyword::UniqueItems, &marker.place);
    };
    write schema |gap| gap.flag(|stated| stated.unique_items).then_some((true,));

    /// Maximum number of properties of an object.
    ///
    /// ```
    /// // +kubebuilder:validation:MaxProperties=16
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "kubebuilder:validation:MaxProperties" on [Type, Field] with [items, nestable, states("maxProperties")] => MaxProperties {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MaxProperties, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.max_properties).map(|size| (Count(size),));

    /// Minimum number of properties of an object.
    ///
    /// ```
    /// // +kubebuilder:validation:MinProperties=1
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "kubebuilder:validation:MinProperties" on [Type, Field] with [items, nestable, states("minProperties")] => MinProperties {
        /// The number.
        "=" value: Count,
    }
    apply schema |marker, node| bounds::size(node, &marker.place, Keyword::MinProperties, marker.value)?;
    write schema |gap| gap.stated(|stated| stated.min_properties).map(|size| (Count(size),));

    /// Accepts only the listed values.
    ///
    /// A Rust enum does not need this marker. If the type is an enumeration too, only values in both lists are allowed.
    ///
    /// ```
    /// // +kubebuilder:validation:Enum=red;green;blue
    /// pub color: String,
    /// ```
    "kubebuilder:validation:Enum" on [Type, Field] with [items, nestable] => Enum {
        /// The values.
        "=" values: Vec<EnumValue>,
    }
    apply schema |marker, node| {
        if marker.values.is_empty() {
            return Err(marker.place.problem(Code::MarkerValue, "an enumeration needs a value"));
        }
        node.stated.enumeration = Some(marker.values.iter().map(|value| value.0.clone()).collect());
        node.note(Keyword::Enum, &marker.place);
    };
    write schema |gap| gap.stated(|stated| stated.enumeration.clone()).map(|values| (values.into_iter().map(EnumValue).collect(),));

    /// Format of the value, such as `date-time` or `uri`.
    ///
    /// The API server checks the formats that it knows and ignores the others.
    ///
    /// ```
    /// // +kubebuilder:validation:Format=uri
    /// pub endpoint: String,
    /// ```
    "kubebuilder:validation:Format" on [Type, Field] with [items, nestable, states("format")] => Format {
        /// The format.
        "=" value: String,
    }
    apply schema |marker, node| {
        node.stated.format = Some(marker.value.clone());
        node.note(Keyword::Format, &marker.place);
    };
    write schema |gap| gap.format().map(|format| (format,));

    /// Replaces the JSON type that the Rust type implies.
    ///
    /// Properties, formats and other parts that only the implied type can have are removed. An empty type, written
    /// `""`, leaves the type open.
    ///
    /// ```
    /// // +kubebuilder:validation:Type=string
    /// pub address: Address,
    /// ```
    "kubebuilder:validation:Type" on [Type, Field] with [items, nestable, priority(9)] => Type {
        /// `array`, `boolean`, `integer`, `number`, `object` or `string`.
        "=" value: Located<MaybeEmpty>,
    }
    apply schema |marker, node| {
        let word = marker.value.value.0.as_str();
        let json_type = JsonType::from_word(word);
        if json_type.is_none() && !word.is_empty() {
            let words = ["array", "boolean", "integer", "number", "object", "string"];
            let message = kgen_diagnostics::words::not_one_of(word, words.iter().copied());
            let range = &marker.value.range;
            let problem = marker.place.problem_at(range, Code::MarkerValue, message);
            return Err(match nearest(word, words) {
                Some(near) => problem.fix(marker.place.span_of(range), near),
                None => problem,
            });
        }
        node.require_type(&marker.place, json_type)?;
        node.replace_type(json_type);
        node.note(Keyword::Type, &marker.place);
    };
    write schema |gap| gap.new_type().map(|word| (MaybeEmpty(word.to_owned()).into(),));

    /// Keeps fields that the schema does not describe instead of pruning them.
    ///
    /// `kubebuilder:pruning:PreserveUnknownFields` is the more common name of the same marker.
    ///
    /// ```
    /// // +kubebuilder:validation:XPreserveUnknownFields
    /// pub settings: Settings,
    /// ```
    "kubebuilder:validation:XPreserveUnknownFields" on [Type, Field] with [items, nestable] => XPreserveUnknownFields {}
    apply schema |marker, node| {
        node.schema.preserve_unknown_fields = true;
        node.note(Keyword::PreserveUnknownFields, &marker.place);
    };
    write schema |gap| gap.gains(|schema| schema.preserve_unknown_fields).then_some(());

    /// Declares the object as a complete Kubernetes object, with `apiVersion`, `kind` and `metadata`.
    ///
    /// The API server describes these three itself.
    /// In a struct, fields with only `kubebuilder:validation:Schemaless` can hold them, and stay out of the CRD.
    ///
    /// ```
    /// // +kubebuilder:validation:XEmbeddedResource
    /// pub template: RawExtension,
    /// ```
    "kubebuilder:validation:XEmbeddedResource" on [Type, Field] with [items, nestable] => XEmbeddedResource {}
    apply schema |marker, node| {
        node.embed(&marker.place);
    };
    write schema |gap| gap.gains(|schema| schema.embedded_resource).then_some(());

    /// Accepts an integer or a string.
    ///
    /// An `IntOrString` does not need it. On a string or an integer, it replaces the type.
    ///
    /// ```
    /// // +kubebuilder:validation:XIntOrString
    /// pub port: String,
    /// ```
    "kubebuilder:validation:XIntOrString" on [Type, Field] with [items, nestable, priority(9)] => XIntOrString {}
    apply schema |marker, node| {
        let fits = matches!(node.schema.json_type, None | Some(JsonType::String | JsonType::Integer));
        if !fits {
            node.require(&marker.place, Shape::Text)?;
        }
        if !node.schema.int_or_string {
            // The API server refuses a type beside this. Where there was none, the flag alone says everything.
            // A type that another marker states stays: old API servers wrote both.
            let is_stated = node.schema.places.stated(Keyword::Type).is_some();
            let typed = node.schema.json_type.is_some() && !is_stated;
            if !is_stated {
                node.replace_type(None);
            }
            node.schema.int_or_string = true;
            if typed && node.schema.any_of.is_empty() {
                node.schema.any_of = Schema::int_or_string().any_of;
            }
        }
        node.note(Keyword::IntOrString, &marker.place);
    };
    write schema |gap| gap.becomes_int_or_string().then_some(());

    /// Adds a CEL rule that the value must satisfy.
    ///
    /// `self` is the value, `oldSelf` the value before an update. A long rule may span several comment lines.
    ///
    /// ```
    /// // +kubebuilder:validation:XValidation:rule="self.minimum <= self.maximum",message="the minimum is too large"
    /// pub struct Limits {}
    /// ```
    "kubebuilder:validation:XValidation" on [Type, Field] with [items, nestable, repeatable] => XValidation {
        /// The expression, which is true for valid values.
        "rule" rule: Located<String>,
        /// Error message if the rule fails.
        "message" message: Option<String>,
        /// CEL expression for the error message.
        "messageExpression" message_expression: Option<Located<String>>,
        /// Machine-readable reason if the rule fails.
        "reason" reason: Option<Reason>,
        /// Path of the field that the error names.
        "fieldPath" field_path: Option<Located<String>>,
        /// Whether the rule also runs when there is no old value.
        "optionalOldSelf" optional_old_self: Option<bool>,
    }
    apply schema |marker, node| {
        let rule = Rule {
            rule: marker.rule.value.clone(),
            message: marker.message.clone(),
            message_expression: marker.message_expression.as_ref().map(|text| text.value.clone()),
            reason: marker.reason.map(|reason| reason.0.to_owned()),
            field_path: marker.field_path.as_ref().map(|path| path.value.clone()),
            optional_old_self: marker.optional_old_self,
            span: None,
            expression_span: Some(marker.place.span_of(&marker.rule.range)),
            field_path_span: marker.field_path.as_ref().map(|path| marker.place.span_of(&path.range)),
            origins: RuleOrigins {
                rule: marker.place.origin(&marker.rule),
                message_expression: marker
                    .message_expression
                    .as_ref()
                    .map(|text| marker.place.origin(text))
                    .unwrap_or_default(),
            },
        };
        node.add_rule(&marker.place, rule);
    };
    write schema |gap| gap.rules().iter().map(|rule| (
        rule.rule.clone().into(),
        rule.message.clone(),
        rule.message_expression.clone().map(Located::from),
        rule.reason.as_deref().and_then(Reason::of_word),
        rule.field_path.clone().map(Located::from),
        rule.optional_old_self,
    ));
}
