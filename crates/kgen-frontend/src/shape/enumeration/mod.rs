//! Enums: every way in which serde writes them, as far as one structural schema can say it.

mod alternatives;

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Span, Spanned};
use kgen_markers::{TypeSettings, apply_to_schema};
use kgen_model::{JsonType, Keyword, Schema};

use super::code::Owner;
use super::serde::{self, Container, Member};
use super::{Scope, Shapes};
use crate::declare::{Field, Fields, Meta, TypeDeclaration, Variant};
use alternatives::{
    branch_of, check_case_names, check_openness, forms_of_one_type, merge_properties,
    move_texts_to_properties, name_case, narrow_int_or_string, note_closed, refuse, requiring, same_shape,
    state_range, text_of,
};

/// A variant that is read, with its name in JSON.
struct Case<'a> {
    variant: &'a Variant,
    /// The fields of the variant, as serde sees them.
    fields: &'a Fields,
    member: Member,
    name: String,
}

impl Case<'_> {
    /// Returns whether the JSON is only a name.
    fn is_text(&self) -> bool {
        matches!(self.fields, Fields::Unit)
            && self.member.schema_of.is_none()
            && self.member.schema_function.is_none()
    }
}

impl Shapes<'_> {
    /// Returns the schema of an enum.
    pub(super) fn enumeration(
        &mut self,
        declaration: &TypeDeclaration,
        variants: &[Variant],
        container: &Container,
        scope: &Scope,
    ) -> Option<Schema> {
        let mut reader = EnumReader {
            shapes: self,
            declaration,
            container,
            scope,
        };
        reader.schema(variants)
    }
}

/// Describes one enum.
struct EnumReader<'s, 'a> {
    shapes: &'s mut Shapes<'a>,
    declaration: &'s TypeDeclaration,
    container: &'s Container,
    scope: &'s Scope,
}

impl EnumReader<'_, '_> {
    fn schema(&mut self, variants: &[Variant]) -> Option<Schema> {
        let cases = self.cases(variants);
        if self.container.untagged.is_none() {
            check_case_names(&cases, &mut self.shapes.problems);
        }
        if cases.is_empty() {
            self.shape_problem(
                self.declaration.span,
                "an enum without variants has no values",
                "add a variant",
            );
            return None;
        }
        if let Some(span) = cases.iter().find_map(|case| case.member.untagged) {
            if let Some(open) = self.open(&cases) {
                return Some(open);
            }
            self.shape_problem(
                span,
                "an untagged variant among tagged variants does not have a structural schema",
                "tag all variants, or make the whole enum `#[serde(untagged)]`",
            );
            return None;
        }
        let container = self.container;
        match (&container.tag, &container.content, container.untagged) {
            (_, _, Some(_)) => self.untagged(&cases),
            (Some(tag), Some(content), None) => self.adjacent(&cases, tag, content),
            (Some(tag), None, None) => self.internal(&cases, tag),
            (None, _, None) => self.external(&cases),
        }
    }

    /// Returns a text for variants without data, of which the last one has any other text: `#[serde(untagged)] Other(String)`.
    fn open(&mut self, cases: &[Case<'_>]) -> Option<Schema> {
        let (last, others) = cases.split_last()?;
        let is_external = self.container.tag.is_none() && self.container.untagged.is_none();
        let is_plain = |case: &Case<'_>| case.is_text() && case.member.untagged.is_none();
        if !is_external || last.member.untagged.is_none() || !others.iter().all(is_plain) {
            return None;
        }
        let schema = self.property_of(last)?.without_places();
        let text = Schema::of_type(JsonType::String);
        let is_any_text = Schema {
            description: None,
            ..schema
        } == text;
        is_any_text.then_some(text)
    }

    fn cases<'a>(&mut self, variants: &'a [Variant]) -> Vec<Case<'a>> {
        let mut cases = Vec::with_capacity(variants.len());
        for variant in variants {
            let member = serde::member(&variant.attributes, &mut self.shapes.problems);
            self.check_directions(variant);
            if member.skipped {
                self.shapes.has_skipped_variants = true;
                continue;
            }
            let name = member.rename.clone().unwrap_or_else(|| {
                self.container
                    .rename_all
                    .map_or_else(|| variant.name.clone(), |rule| rule.variant(&variant.name))
            });
            let fields = self.shapes.conventions.fields_of(variant);
            if let Fields::Unnamed(values) = fields
                && let [value] = values.as_slice()
            {
                self.check_value_directions(value);
            }
            cases.push(Case {
                variant,
                fields,
                member,
                name,
            });
        }
        cases
    }

    /// Reports a variant that is only read or only written.
    fn check_directions(&mut self, variant: &Variant) {
        for (keyword, message) in [
            ("skip_serializing", "the variant can be read, but not written"),
            ("skip_deserializing", "the variant can be written, but not read"),
        ] {
            if let Some(meta) = variant.attributes.serde(keyword) {
                self.shapes.problems.push(
                    Problem::error(Code::LostWhenSkipped, meta.span, message)
                        .help("use `#[serde(skip)]`, or remove the attribute"),
                );
            }
        }
    }

    /// Reports the only value of a variant, if it is only read or only written. For serde, the variant holds nothing in the
    /// other direction.
    fn check_value_directions(&mut self, value: &Field) {
        if self.shapes.conventions.trusts_derives() {
            return;
        }
        for (keyword, message) in [
            (
                "skip_serializing",
                "the value of the variant can be read, but not written",
            ),
            (
                "skip_deserializing",
                "the value of the variant can be written, but not read",
            ),
        ] {
            if let Some(meta) = value.attributes.serde(keyword) {
                self.shapes.problems.push(
                    Problem::error(Code::LostWhenSkipped, meta.span, message)
                        .help("use `#[serde(skip)]`, or remove the attribute"),
                );
            }
        }
    }

    /// Describes `{"Variant": …}`, or a string for variants without data.
    fn external(&mut self, cases: &[Case<'_>]) -> Option<Schema> {
        let is_unit = |case: &&Case<'_>| case.is_text();
        if cases.iter().all(|case| is_unit(&case)) {
            return Some(self.names_of(cases));
        }
        if let Some(unit) = cases.iter().find(is_unit) {
            let data = cases.iter().find(|case| !is_unit(case));
            let mut problem = Problem::error(
                Code::EnumShape,
                unit.variant.span,
                format!(
                    "`{}` has variants with and without data, so its JSON is a string or an object",
                    self.declaration.name
                ),
            )
            .label("a string in JSON")
            .help("add `#[serde(tag = \"type\")]` to the enum, so that every variant is an object")
            .help(format!(
                "or give `{}` fields, even if only `{{}}`",
                unit.variant.name
            ));
            if let Some(data) = data {
                problem = problem.related(data.variant.span, "an object in JSON");
            }
            self.shapes.problems.push(problem);
            return None;
        }
        let mut schema = Schema::of_type(JsonType::Object);
        let mut failed = false;
        for case in cases {
            let Some(mut property) = self.property_of(case) else {
                failed = true;
                continue;
            };
            if let Some(description) = self.shapes.texts().of_variant(case.variant) {
                property.description = Some(description);
            }
            schema.properties.insert(case.name.clone(), Arc::new(property));
            schema.one_of.push(requiring([case.name.clone()]));
        }
        (!failed).then_some(schema)
    }

    /// Returns a text with the names of the variants.
    fn names_of(&self, cases: &[Case<'_>]) -> Schema {
        let conventions = self.shapes.conventions;
        let mut schema = text_of(cases, conventions.lists_the_variant_for_others());
        if conventions.lists_plain_variants_first()
            && let Some(names) = &mut schema.constraints.enumeration
        {
            let (plain, others): (Vec<_>, Vec<_>) = cases.iter().partition(|case| is_plain(case.variant));
            *names = plain
                .iter()
                .chain(&others)
                .map(|case| case.name.as_str().into())
                .collect();
        }
        schema
    }

    /// Returns the value behind the name of an externally or adjacently tagged variant.
    fn property_of(&mut self, case: &Case<'_>) -> Option<Schema> {
        self.report_lost_keywords(case.variant);
        let mut schema = match &case.fields {
            _ if case.member.schema_of.is_some() || case.member.schema_function.is_some() => {
                self.replaced(case)?
            }
            Fields::Named(_) => self.fields_of(case)?,
            Fields::Unnamed(fields) => match fields.as_slice() {
                [field] => {
                    let conventions = self.shapes.conventions;
                    let mut member = conventions.member(&field.attributes, &mut self.shapes.problems);
                    // `with` may be on the variant as well as on its value.
                    member.custom = member.custom.or_else(|| case.member.custom.clone());
                    let mut inner = self.shapes.member_schema(field, &member, self.scope)?;
                    self.shapes.apply_to_value(field, self.scope, &mut inner);
                    inner
                }
                _ => {
                    self.tuple_variant(case);
                    return None;
                }
            },
            Fields::Unit => return None,
        };
        if let Fields::Unnamed(fields) = &case.fields
            && let [field] = fields.as_slice()
        {
            schema.nullable |= self
                .shapes
                .is_null_written(&field.field_type, self.scope, &schema);
        }
        schema.places.node = Some(case.variant.span);
        apply_to_schema(&case.variant.markers, &mut schema, &mut self.shapes.problems);
        Some(schema)
    }

    /// Returns the schema that an attribute of the variant puts in place of its fields.
    fn replaced(&mut self, case: &Case<'_>) -> Option<Schema> {
        match (&case.member.schema_of, &case.member.schema_function) {
            (Some(name), _) => self.shapes.named_in_attribute(name, self.scope),
            (None, Some(path)) => self.shapes.code(self.scope).schema_function(path, Owner::Field),
            (None, None) => None,
        }
    }

    /// Warns about keywords on a variant: they would belong to a branch, where the API server refuses most of them.
    fn report_lost_keywords(&mut self, variant: &Variant) {
        let metas = variant.attributes.schemars.iter();
        for meta in metas.filter(|meta| matches!(meta.name.as_str(), "extend" | "transform")) {
            let message = format!("`{}` on a variant with data is ignored", meta.name);
            self.shapes.problems.push(
                Problem::warning(Code::InvalidAttribute, meta.span, message)
                    .help("put it on the type of the value, or on a field of the variant"),
            );
        }
    }

    /// Returns the object that the named fields of a variant make.
    fn fields_of(&mut self, case: &Case<'_>) -> Option<Schema> {
        let rename_all = case.member.rename_all.or(self.container.rename_all_fields);
        let fields = case.fields.list();
        let container = Container {
            denies_unknown: self.container.denies_unknown,
            ..Container::default()
        };
        self.shapes.object(
            fields,
            &container,
            rename_all,
            self.scope,
            &TypeSettings::default(),
        )
    }

    fn tuple_variant(&mut self, case: &Case<'_>) {
        self.shape_problem(
            case.variant.span,
            "a variant with several unnamed values is a list of different types",
            "give its fields names: `Variant { first: …, second: … }`",
        );
    }

    /// Describes `{"tag": "Variant", …fields of the variant}`.
    fn internal(&mut self, cases: &[Case<'_>], tag: &Spanned<String>) -> Option<Schema> {
        let follows_rust = self.shapes.follows_rust_exactly();
        let mut objects = Vec::with_capacity(cases.len());
        let mut failed = false;
        for case in cases {
            let object = match &case.fields {
                Fields::Unit => Some(Schema::of_type(JsonType::Object)),
                Fields::Named(_) => self.fields_of(case),
                Fields::Unnamed(fields) if fields.len() == 1 => self.property_of(case),
                Fields::Unnamed(_) => {
                    self.tuple_variant(case);
                    None
                }
            };
            match object {
                Some(object) if object.nullable => {
                    failed = true;
                    self.shape_problem(
                        case.variant.span,
                        "serde cannot write an `Option` in an internally tagged variant",
                        "wrap the `Option` in a struct, or add `content = \"…\"` beside `tag`",
                    );
                }
                Some(object)
                    if object.json_type == Some(JsonType::Object)
                        && object.additional_properties.is_none() =>
                {
                    objects.push((case, object));
                }
                Some(_) => {
                    failed = true;
                    self.shape_problem(
                        case.variant.span,
                        "the value of an internally tagged variant must be a struct",
                        "wrap the value in a struct, or add `content = \"…\"` beside `tag`",
                    );
                }
                None => failed = true,
            }
        }
        if failed {
            return None;
        }
        let mut schema = Schema::of_type(JsonType::Object);
        if follows_rust {
            check_openness(&objects, &mut self.shapes.problems);
            note_closed(&mut schema, &objects);
        }
        schema
            .properties
            .insert(tag.value.clone(), Arc::new(text_of(cases, false)));
        schema.required.insert(tag.value.clone());
        if !merge_properties(&mut schema, &objects, Some(tag), &mut self.shapes.problems) {
            return None;
        }
        // A field that every variant needs is simply required; the rest depends on the variant.
        let everywhere: Vec<_> = objects
            .first()
            .map(|(_, first)| {
                let in_all =
                    |name: &&String| objects.iter().all(|(_, object)| object.required.contains(*name));
                first.required.iter().filter(in_all).cloned().collect()
            })
            .unwrap_or_default();
        schema.required.extend(everywhere.iter().cloned());
        let names: Vec<String> = schema.properties.keys().cloned().collect();
        let strangers = |object: &Schema| -> Vec<String> {
            if !follows_rust || object.places.stated(Keyword::KnownFieldsOnly).is_none() {
                return Vec::new();
            }
            let is_strange = |name: &&String| **name != tag.value && !object.properties.contains_key(*name);
            names.iter().filter(is_strange).cloned().collect()
        };
        let depends = |object: &Schema| {
            object.required.iter().any(|name| !everywhere.contains(name))
                || !object.one_of.is_empty()
                || (follows_rust && (!object.any_of.is_empty() || !object.constraints.all_of.is_empty()))
                || !strangers(object).is_empty()
        };
        if objects.iter().any(|(_, object)| depends(object)) {
            for (case, object) in &objects {
                let mut branch = requiring(
                    object
                        .required
                        .iter()
                        .filter(|name| !everywhere.contains(name))
                        .cloned(),
                );
                name_case(&mut branch, case, cases, tag);
                branch.one_of.clone_from(&object.one_of);
                branch.any_of.clone_from(&object.any_of);
                if follows_rust {
                    branch.constraints.all_of.clone_from(&object.constraints.all_of);
                    refuse(&mut branch, strangers(object));
                }
                schema.one_of.push(branch);
            }
        }
        for (_, object) in objects {
            schema.preserve_unknown_fields |= object.preserve_unknown_fields;
            schema
                .constraints
                .rules
                .extend(object.constraints.into_inner().rules);
        }
        Some(schema)
    }

    /// Describes `{"tag": "Variant", "content": …}`.
    fn adjacent(
        &mut self,
        cases: &[Case<'_>],
        tag: &Spanned<String>,
        content: &Spanned<String>,
    ) -> Option<Schema> {
        let mut shared: Option<(Span, Schema)> = None;
        let mut failed = false;
        for case in cases.iter().filter(|case| !matches!(case.fields, Fields::Unit)) {
            let Some(value) = self.property_of(case) else {
                failed = true;
                continue;
            };
            match &shared {
                None => shared = Some((case.variant.span, value)),
                Some((_, first)) if same_shape(first, &value) => {}
                Some((first, _)) => {
                    failed = true;
                    self.shapes.problems.push(
                        Problem::error(
                            Code::EnumShape,
                            case.variant.span,
                            format!(
                                "`{}` has another type here, but a property has only one schema",
                                content.value
                            ),
                        )
                        .related(*first, "first used with another type here")
                        .help("use `tag` without `content`, so that each variant has fields of its own"),
                    );
                }
            }
        }
        if failed {
            return None;
        }
        let mut schema = Schema::of_type(JsonType::Object);
        if let Some(span) = self.container.denies_unknown {
            schema.places.set(Keyword::KnownFieldsOnly, span);
        }
        schema
            .properties
            .insert(tag.value.clone(), Arc::new(text_of(cases, false)));
        schema.required.insert(tag.value.clone());
        let Some((_, value)) = shared else {
            return Some(schema);
        };
        schema.properties.insert(content.value.clone(), Arc::new(value));
        if cases.iter().all(|case| !matches!(case.fields, Fields::Unit)) {
            schema.required.insert(content.value.clone());
        } else {
            for case in cases {
                let needs_content = !matches!(case.fields, Fields::Unit);
                let mut branch = requiring(needs_content.then(|| content.value.clone()));
                name_case(&mut branch, case, cases, tag);
                if !needs_content {
                    // serde refuses a content where there is none.
                    let refused = Schema {
                        not: Some(Arc::new(requiring([content.value.clone()]))),
                        ..Schema::default()
                    };
                    if branch.not.is_some() {
                        branch.constraints.all_of.push(refused);
                    } else {
                        branch.not = refused.not;
                    }
                }
                schema.one_of.push(branch);
            }
        }
        Some(schema)
    }

    /// Returns the value of a variant without its name.
    fn untagged(&mut self, cases: &[Case<'_>]) -> Option<Schema> {
        let mut values = Vec::with_capacity(cases.len());
        for case in cases {
            if matches!(case.fields, Fields::Unit) {
                self.shape_problem(
                    case.variant.span,
                    "an untagged variant without data is `null` in JSON",
                    "make the field an `Option` of the enum instead",
                );
                return None;
            }
            let value = self.property_of(case)?;
            if value.nullable && !value.preserve_unknown_fields && self.shapes.follows_rust_exactly() {
                self.shape_problem(
                    case.variant.span,
                    "an untagged variant with an `Option` can be `null` in JSON",
                    "make the field an `Option` of the enum instead",
                );
                return None;
            }
            values.push((case, value));
        }
        if self.shapes.follows_rust_exactly() {
            values.iter_mut().for_each(|(_, value)| state_range(value));
        }
        let is = |json_type: JsonType| {
            values
                .iter()
                .filter(move |(_, value)| value.json_type == Some(json_type))
                .count()
        };
        let (integers, strings, objects) =
            (is(JsonType::Integer), is(JsonType::String), is(JsonType::Object));
        let first = values.first().map(|(_, value)| value.clone())?;
        if values.iter().all(|(_, value)| same_shape(value, &first)) {
            let mut schema = first;
            if self.shapes.follows_rust_exactly() {
                note_closed(&mut schema, &values);
            }
            return Some(schema);
        }
        if let Some(schema) = forms_of_one_type(&values, self.shapes.follows_rust_exactly()) {
            return Some(schema);
        }
        if integers > 0 && strings > 0 && integers + strings == values.len() {
            let mut schema = Schema::int_or_string();
            if self.shapes.follows_rust_exactly() {
                if narrow_int_or_string(&mut schema, &values) {
                    return Some(schema);
                }
                self.shape_problem(
                    self.container.untagged.unwrap_or(self.declaration.span),
                    "a schema cannot combine the format of this string with an integer",
                    "use `String`, or tag the enum with `#[serde(tag = \"type\", content = \"…\")]`",
                );
                return None;
            }
            // Bounds apply to numbers only, so they can be combined with the text.
            if let (1, Some((_, integer))) = (
                integers,
                values
                    .iter()
                    .find(|(_, value)| value.json_type == Some(JsonType::Integer)),
            ) {
                schema.constraints.minimum = integer.constraints.minimum;
                schema.constraints.maximum = integer.constraints.maximum;
            }
            return Some(schema);
        }
        if objects == values.len()
            && values
                .iter()
                .all(|(_, value)| value.additional_properties.is_none())
        {
            let mut schema = Schema::of_type(JsonType::Object);
            move_texts_to_properties(self.shapes.texts(), &mut values);
            if !merge_properties(&mut schema, &values, None, &mut self.shapes.problems) {
                return None;
            }
            if self.shapes.follows_rust_exactly() {
                check_openness(&values, &mut self.shapes.problems);
                note_closed(&mut schema, &values);
                let branches: Vec<_> = values
                    .iter()
                    .map(|(_, value)| branch_of(value, &schema))
                    .collect();
                // A branch that requires nothing accepts everything.
                if branches.iter().all(|branch| *branch != Schema::default()) {
                    schema.any_of = branches.into();
                }
                for (_, value) in values {
                    schema.preserve_unknown_fields |= value.preserve_unknown_fields;
                }
                return Some(schema);
            }
            let all_need = values.iter().all(|(_, value)| !value.required.is_empty());
            if all_need || self.shapes.conventions.keeps_stated_keywords() {
                schema.any_of = values
                    .iter()
                    .map(|(_, value)| requiring(value.required.iter().cloned()))
                    .collect();
            }
            for (_, value) in values {
                schema.preserve_unknown_fields |= value.preserve_unknown_fields;
            }
            return Some(schema);
        }
        self.shapes.problems.push(
            Problem::error(
                Code::EnumShape,
                self.container.untagged.unwrap_or(self.declaration.span),
                format!(
                    "the variants of `{}` have different types and no tag",
                    self.declaration.name
                ),
            )
            .help("use only structs, or an integer and a string")
            .help("or tag the enum with `#[serde(tag = \"type\")]`"),
        );
        None
    }

    fn shape_problem(&mut self, span: Span, message: &str, help: &str) {
        self.shapes.problems.push(shape_problem(span, message, help));
    }
}

/// Returns whether a variant without data has neither a text nor an attribute that changes its schema.
pub(super) fn is_plain(variant: &Variant) -> bool {
    let attributes = &variant.attributes;
    let has_keyword = |meta: &Meta| {
        matches!(
            meta.name.as_str(),
            "title" | "description" | "example" | "extend" | "transform" | "with" | "schema_with"
        )
    };
    variant.description.is_none()
        && attributes.deprecated.is_none()
        && !attributes.schemars.iter().any(has_keyword)
        && attributes.serde("with").is_none()
}

/// Returns the problem of an enum whose JSON cannot be described by a structural schema.
pub(super) fn shape_problem(span: Span, message: &str, help: &str) -> Problem {
    Problem::error(Code::EnumShape, span, message).help(help)
}
