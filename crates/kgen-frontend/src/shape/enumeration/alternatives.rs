//! Schemas of variants side by side: which properties they share, and how one is told from the others.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Spanned};
use kgen_model::{JsonType, Keyword, Number, Places, RuleOrigins, Schema};
use serde_json::Value;

use super::Case;
use crate::shape::attributes::escaped;
use crate::shape::texts::Texts;

/// Reports two variants of one name: serde would never read the second.
pub(super) fn check_case_names(cases: &[Case<'_>], problems: &mut Problems) {
    for (index, case) in cases.iter().enumerate() {
        let mut earlier = cases.iter().take(index);
        if let Some(first) = earlier.find(|earlier| earlier.name == case.name) {
            let message = format!("two variants are called `{}` in JSON", case.name);
            problems.push(
                Problem::error(Code::DuplicateField, case.variant.span, message)
                    .related(first.variant.span, "the first one")
                    .help("rename one of them with `#[serde(rename = \"…\")]`"),
            );
        }
    }
}

/// Moves the text of a variant to its property, if it has exactly one, as kube-derive before version 3 does.
pub(super) fn move_texts_to_properties(texts: Texts, objects: &mut [(&Case<'_>, Schema)]) {
    if !texts.conventions.moves_texts_to_properties() {
        return;
    }
    for (case, object) in objects {
        let own = texts.description(case.variant.description.as_deref());
        let Some(text) = own.or_else(|| object.description.clone()) else {
            continue;
        };
        let only = object.properties.len() == 1;
        if let Some(property) = object.properties.values_mut().next().filter(|_| only) {
            Arc::make_mut(property).description = Some(text);
        }
    }
}

/// Combines the properties of all variants. Returns whether they are compatible: two properties of one name must not
/// differ.
pub(super) fn merge_properties(
    schema: &mut Schema,
    objects: &[(&Case<'_>, Schema)],
    tag: Option<&Spanned<String>>,
    problems: &mut Problems,
) -> bool {
    let mut fine = true;
    for (case, object) in objects {
        for (name, property) in &object.properties {
            if let Some(tag) = tag.filter(|tag| tag.value == *name) {
                fine = false;
                problems.push(
                    Problem::error(
                        Code::DuplicateField,
                        property.places.node.unwrap_or(case.variant.span),
                        format!("the field `{name}` has the same name as the tag"),
                    )
                    .related(tag.span, "the tag"),
                );
                continue;
            }
            match schema.properties.get(name) {
                None => {
                    schema.properties.insert(name.clone(), Arc::clone(property));
                }
                Some(known) if same_shape(known, property) => {}
                Some(known) => {
                    fine = false;
                    let mut problem = Problem::error(
                        Code::EnumShape,
                        property.places.node.unwrap_or(case.variant.span),
                        format!("the field `{name}` has different schemas in two variants"),
                    )
                    .help("rename one of the fields, or give them the same type and markers");
                    if let Some(first) = known.places.node {
                        problem = problem.related(first, "the first one");
                    }
                    problems.push(problem);
                }
            }
        }
    }
    fine
}

/// Makes a branch hold only for one variant. One that takes the rest holds for every name that no other has.
pub(super) fn name_case(branch: &mut Schema, case: &Case<'_>, cases: &[Case<'_>], tag: &Spanned<String>) {
    if case.member.other {
        let names = cases
            .iter()
            .filter(|other| !other.member.other)
            .map(|other| other.name.as_str());
        let mut others = Schema::default();
        others
            .properties
            .insert(tag.value.clone(), Arc::new(values(names)));
        branch.not = Some(Arc::new(others));
    } else {
        branch
            .properties
            .insert(tag.value.clone(), Arc::new(values([case.name.as_str()])));
    }
}

/// Returns a string with the names of the variants; any string if one variant takes the rest and is not listed.
pub(super) fn text_of(cases: &[Case<'_>], lists_others: bool) -> Schema {
    let mut schema = Schema::of_type(JsonType::String);
    let other = cases.iter().find(|case| case.member.other);
    if let Some(other) = other {
        schema.places.set(Keyword::OtherVariant, other.variant.span);
    }
    if lists_others || other.is_none() {
        schema.constraints.enumeration =
            Some(cases.iter().map(|case| Value::from(case.name.as_str())).collect());
    }
    schema
}

/// Returns a branch that says only which properties must be there.
pub(super) fn requiring(names: impl IntoIterator<Item = String>) -> Schema {
    Schema {
        required: names.into_iter().collect(),
        ..Schema::default()
    }
}

/// Reports variants of which one keeps unknown fields and another refuses them: the object of the whole enum keeps them.
pub(super) fn check_openness(objects: &[(&Case<'_>, Schema)], problems: &mut Problems) {
    let open = objects.iter().find(|(_, object)| object.preserve_unknown_fields);
    let closed = |(_, object): &(&Case<'_>, Schema)| object.places.stated(Keyword::KnownFieldsOnly);
    if let (Some((case, _)), Some(refused)) = (open, objects.iter().find_map(closed)) {
        problems.push(
            Problem::error(
                Code::ContradictingMarkers,
                case.variant.span,
                "this variant keeps unknown fields, which another variant refuses to read",
            )
            .tolerated()
            .related(refused, "refused here")
            .help(
                "remove `deny_unknown_fields`: the API server drops unknown fields unless they are preserved",
            ),
        );
    }
}

/// Marks an enum of which a variant refuses unknown fields. serde gives such a variant all fields of the object that no other
/// field has claimed, also if the enum is flattened.
pub(super) fn note_closed(schema: &mut Schema, objects: &[(&Case<'_>, Schema)]) {
    let mut closed = objects.iter();
    if let Some(refused) = closed.find_map(|(_, object)| object.places.stated(Keyword::KnownFieldsOnly)) {
        schema.places.set(Keyword::ClosedVariants, refused);
    }
}

/// Makes a branch refuse the properties of other variants.
pub(super) fn refuse(branch: &mut Schema, names: Vec<String>) {
    for name in names {
        branch.constraints.all_of.push(Schema {
            not: Some(Arc::new(requiring([name]))),
            ..Schema::default()
        });
    }
}

/// Returns the branch of an untagged variant: all that its own schema says about which properties are there.
pub(super) fn branch_of(value: &Schema, whole: &Schema) -> Schema {
    let mut branch = requiring(value.required.iter().cloned());
    branch.one_of.clone_from(&value.one_of);
    branch.any_of.clone_from(&value.any_of);
    branch.not.clone_from(&value.not);
    branch.constraints.all_of.clone_from(&value.constraints.all_of);
    if value.places.stated(Keyword::KnownFieldsOnly).is_some() {
        let strange = |name: &&String| !value.properties.contains_key(*name);
        refuse(
            &mut branch,
            whole.properties.keys().filter(strange).cloned().collect(),
        );
    }
    branch
}

/// States the range of an integer that only its format implies: formats do not count in branches.
pub(super) fn state_range(schema: &mut Schema) {
    if schema.json_type == Some(JsonType::Integer) && schema.format() == Some("int32") {
        let bounds = &mut schema.constraints;
        bounds.minimum = bounds.minimum.or(Some(Number::Integer(i32::MIN.into())));
        bounds.maximum = bounds.maximum.or(Some(Number::Integer(i32::MAX.into())));
    }
}

/// Narrows an integer or string to what the variants read. Bounds hold for numbers only and patterns for texts only, so
/// they can be beside each other. Returns whether that is possible: a format refuses all numbers.
pub(super) fn narrow_int_or_string(schema: &mut Schema, values: &[(&Case<'_>, Schema)]) -> bool {
    let is_format_alone = |value: &Schema| {
        let constraints = &value.constraints;
        constraints.format.is_some() && constraints.pattern.is_none()
    };
    let mut texts = values
        .iter()
        .filter(|(_, value)| value.json_type == Some(JsonType::String));
    if texts.any(|(_, value)| is_format_alone(value)) {
        return false;
    }
    for json_type in [JsonType::Integer, JsonType::String] {
        let of_type = values
            .iter()
            .filter(|(_, value)| value.json_type == Some(json_type));
        let forms: Vec<Schema> = of_type
            .map(|(_, value)| {
                let mut form = form_of(value);
                // Without a type, a format makes the API server expect a text, and a list of texts refuses numbers.
                form.constraints.format = None;
                if let Some(texts) = form.constraints.enumeration.take() {
                    let texts: Vec<_> = texts.iter().filter_map(Value::as_str).map(escaped).collect();
                    let pattern = format!("^({})$", texts.join("|"));
                    form.constraints.pattern.get_or_insert(pattern);
                }
                form
            })
            .collect();
        if forms.contains(&Schema::default()) {
            continue;
        }
        match <[Schema; 1]>::try_from(forms) {
            Ok([form]) => {
                let (own, bounds) = (&mut schema.constraints, form.constraints.into_inner());
                own.minimum = own.minimum.or(bounds.minimum);
                own.maximum = own.maximum.or(bounds.maximum);
                own.pattern = own.pattern.take().or(bounds.pattern);
                own.min_length = own.min_length.or(bounds.min_length);
                own.max_length = own.max_length.or(bounds.max_length);
                if let Some(not) = form.not {
                    own.all_of.push(Schema {
                        not: Some(not),
                        ..Schema::default()
                    });
                }
            }
            Err(forms) => schema.constraints.all_of.push(Schema {
                any_of: forms.into(),
                ..Schema::default()
            }),
        }
    }
    true
}

/// Returns a value without its type, for a branch.
fn form_of(value: &Schema) -> Schema {
    Schema {
        constraints: value.constraints.clone(),
        any_of: value.any_of.clone(),
        not: value.not.clone(),
        ..Schema::default()
    }
}

/// Returns a part that only enumerates values.
fn values<'a>(names: impl IntoIterator<Item = &'a str>) -> Schema {
    let mut schema = Schema::default();
    schema.constraints.enumeration = Some(names.into_iter().map(Value::from).collect());
    schema
}

/// Describes one scalar type in several forms, such as an address or a network, both of which are strings.
pub(super) fn forms_of_one_type(values: &[(&Case<'_>, Schema)], states_ranges: bool) -> Option<Schema> {
    let json_type = values.first()?.1.json_type?;
    let is_scalar = !matches!(json_type, JsonType::Object | JsonType::Array);
    if !is_scalar || !values.iter().all(|(_, value)| value.json_type == Some(json_type)) {
        return None;
    }
    let forms: Vec<_> = values
        .iter()
        .map(|(_, value)| {
            let mut form = form_of(value);
            let implied = value.implied_format.map(str::to_owned);
            form.constraints.format = form.constraints.format.take().or(implied);
            // Without a type, the format of a number refuses numbers of other formats, whatever their value.
            if states_ranges && json_type != JsonType::String {
                form.constraints.format = None;
            }
            form
        })
        .collect();
    let mut schema = Schema::of_type(json_type);
    // A form without bounds accepts everything, and rules are not allowed in a branch.
    let is_narrow = |form: &Schema| *form != Schema::default() && form.constraints.rules.is_empty();
    if forms.iter().all(is_narrow) {
        schema.any_of = forms.into();
    }
    Some(schema)
}

/// Returns whether two schemas describe the same values, whatever their texts and places.
pub(super) fn same_shape(left: &Schema, right: &Schema) -> bool {
    without_texts(left) == without_texts(right)
}

/// Returns a schema without the keywords that do not narrow it.
fn without_texts(schema: &Schema) -> Schema {
    let mut plain = schema.clone();
    plain.description = None;
    plain.title = None;
    plain.example = None;
    plain.external_documentation = None;
    plain.places = Places::default();
    for rule in &mut plain.constraints.rules {
        rule.span = None;
        rule.expression_span = None;
        rule.field_path_span = None;
        rule.origins = RuleOrigins::default();
    }
    for property in plain.properties.values_mut() {
        *property = Arc::new(without_texts(property));
    }
    plain.items = plain.items.map(|items| Arc::new(without_texts(&items)));
    plain.additional_properties = plain
        .additional_properties
        .map(|values| Arc::new(without_texts(&values)));
    plain
}
