//! Applies `schemars`, `validate` and `garde` attributes to a schema.
//!
//! Markers take precedence over attributes, and schemars over the validators. Each applies to its own level, which is
//! then combined with the schema of the type.

use kgen_diagnostics::{Code, Problem};
use kgen_markers::{Marker, apply_to_schema};
use kgen_model::{Constraints, JsonType, Number, Schema, Sparse};

use super::code::CodeReader;
use super::object::check_unknown_fields;
use super::{Scope, Shapes};
use crate::declare::{Attributes, Literal, Meta, MetaValue};

impl Shapes<'_> {
    /// Applies what attributes and markers of a node say. Rules of attributes come before those of markers. False if a
    /// marker has a problem.
    pub(super) fn apply_stated(
        &mut self,
        attributes: &Attributes,
        markers: &[Marker],
        scope: &Scope,
        schema: &mut Schema,
    ) -> bool {
        let inherited = schema.constraints.rules.len();
        let was_open = schema.preserve_unknown_fields;
        let code = self.code(scope);
        AttributeReader { code }.apply(attributes, markers, schema);
        let before = schema.constraints.rules.len();
        let errors = self.problems.error_count();
        apply_to_schema(markers, schema, &mut self.problems);
        if !was_open {
            check_unknown_fields(schema, &mut self.problems);
        }
        let rules = &mut schema.constraints.rules;
        // Markers have put their rules before those of the attributes.
        let (by_attributes, by_markers) =
            (before - inherited.min(before), rules.len().saturating_sub(before));
        if let Some(own) = rules.get_mut(..by_attributes + by_markers) {
            own.rotate_left(by_markers);
        }
        self.problems.error_count() == errors || self.conventions.ignores_wrong_markers()
    }
}

/// Reads the attributes of one node.
struct AttributeReader<'s, 'a> {
    code: CodeReader<'s, 'a>,
}

impl AttributeReader<'_, '_> {
    /// Applies what attributes say, as far as no marker of the same node says otherwise.
    fn apply(&mut self, attributes: &Attributes, markers: &[Marker], schema: &mut Schema) {
        if attributes.validate.is_empty()
            && attributes.garde.is_empty()
            && attributes.schemars.is_empty()
            && attributes.x_kube.is_empty()
        {
            return;
        }
        let stated = |name: &str| {
            markers.iter().any(|marker| {
                let known = marker.definition().name;
                !marker.is_for_items()
                    && known
                        .rsplit(':')
                        .next()
                        .is_some_and(|last| last.eq_ignore_ascii_case(name))
            })
        };
        let mut own = Constraints::default();
        let conventions = self.code.shapes.conventions;
        let first_only = conventions.takes_first_checks();
        let mut seen = Vec::new();
        // Later ones go before earlier ones.
        let mut sources = [&attributes.validate, &attributes.garde, &attributes.schemars];
        if first_only {
            sources = [&attributes.schemars, &attributes.validate, &attributes.garde];
        }
        // schemars 0.8 does not know garde.
        let ignored = Sparse::default();
        if conventions.has_old_schemars() {
            sources = [&attributes.validate, &ignored, &attributes.schemars];
        }
        for metas in sources {
            for meta in metas.iter().filter(|meta| conventions.reads_check(meta)) {
                if first_only && let Some(group) = group_of(&meta.name) {
                    if seen.contains(&group) {
                        continue;
                    }
                    seen.push(group);
                }
                let overruled = match meta.name.as_str() {
                    "range" => stated("minimum") && stated("maximum"),
                    "length" => ["length", "items", "properties"]
                        .iter()
                        .any(|what| stated(&format!("min{what}")) && stated(&format!("max{what}"))),
                    "regex" | "pattern" => stated("pattern"),
                    _ => false,
                };
                match meta.name.as_str() {
                    _ if overruled => {}
                    "inner" => self.inner(meta, schema),
                    "contains"
                        if conventions.has_old_schemars() && schema.json_type == Some(JsonType::Object) =>
                    {
                        schema.required.extend(self.contained(meta));
                    }
                    _ => self.attribute(meta, schema.json_type, &mut own),
                }
            }
        }
        forget(&mut own.minimum, stated("minimum"));
        forget(&mut own.maximum, stated("maximum"));
        forget(&mut own.min_length, stated("minLength"));
        forget(&mut own.max_length, stated("maxLength"));
        forget(&mut own.min_items, stated("minItems"));
        forget(&mut own.max_items, stated("maxItems"));
        forget(&mut own.min_properties, stated("minProperties"));
        forget(&mut own.max_properties, stated("maxProperties"));
        forget(&mut own.pattern, stated("pattern"));
        forget(&mut own.format, stated("format"));
        let rules = self.code.kube_rules(&attributes.x_kube);
        if !rules.is_empty() {
            own.rules = rules;
        }
        self.combine(own, schema);
        self.code.merge_strategy(&attributes.x_kube, schema);
        if let Some(title) = self.stated_text(&attributes.schemars, "title") {
            schema.title = Some(title.into());
        }
        // A literal is part of the documentation, which is already there.
        if !has_text(&attributes.schemars, "description")
            && let Some(description) = self.stated_text(&attributes.schemars, "description")
        {
            schema.description = Some(description);
        }
        if !stated("example") {
            self.code.example(&attributes.schemars, schema);
        }
        for meta in attributes.schemars.iter() {
            self.schemars_only(meta, schema);
        }
    }

    /// Combines the checks of a node with those of its type.
    fn combine(&self, own: Constraints, schema: &mut Schema) {
        let mut inherited = std::mem::replace(&mut schema.constraints, own.into());
        if self.code.shapes.conventions.replaces_checks() {
            let own = &schema.constraints;
            forget(&mut inherited.minimum, own.minimum.is_some());
            forget(&mut inherited.maximum, own.maximum.is_some());
            forget(&mut inherited.min_length, own.min_length.is_some());
            forget(&mut inherited.max_length, own.max_length.is_some());
            forget(&mut inherited.min_items, own.min_items.is_some());
            forget(&mut inherited.max_items, own.max_items.is_some());
            forget(&mut inherited.pattern, own.pattern.is_some());
            forget(&mut inherited.format, own.format.is_some());
        }
        // No enumeration is stated here, so the two levels cannot conflict.
        let _ = schema.constraints.inherit(inherited);
    }

    /// Returns the text of `name = …`, which may be any expression. Reports one that cannot be evaluated.
    fn stated_text(&mut self, metas: &[Meta], name: &str) -> Option<String> {
        let meta = metas.iter().find(|meta| meta.name == name)?;
        let text = self.code.text(meta);
        if text.is_none() {
            self.code.shapes.problems.push(
                Problem::warning(
                    Code::InvalidAttribute,
                    meta.span,
                    format!("this expression cannot be evaluated, so the schema does not have the {name}"),
                )
                .help("use a literal or a constant"),
            );
        }
        text
    }

    /// Keywords that only schemars has: any keyword, and code that changes the schema.
    fn schemars_only(&mut self, meta: &Meta, schema: &mut Schema) {
        match meta.name.as_str() {
            "extend" => {
                for part in meta.list() {
                    if self.code.extend(part, schema).is_none() {
                        self.not_literal(part);
                    }
                }
            }
            "transform" if self.code.transform(meta, schema).is_some() => {}
            "transform" => {
                let opaque = self.code.shapes.opaque(
                    meta.span,
                    "this code changes the schema when it runs".to_owned(),
                    None,
                    &[
                        "state the changes with markers, or with `#[schemars(extend(\"key\" = value))]`",
                        "or accept any value, for the whole run, with `crd:allowOpaque=true`",
                    ],
                );
                if let Some(opaque) = opaque {
                    let description = schema.description.take();
                    *schema = Schema {
                        description,
                        ..opaque
                    };
                }
            }
            _ => {}
        }
    }

    /// Applies `inner(…)`: the checks of the items of a list or the values of a map.
    fn inner(&mut self, meta: &Meta, schema: &mut Schema) {
        let only_lists = self.code.shapes.conventions.checks_known_types_only();
        let child = match (&mut schema.items, &mut schema.additional_properties) {
            (None, Some(_)) if only_lists => return,
            (Some(child), _) | (None, Some(child)) => std::sync::Arc::make_mut(child),
            (None, None) => return,
        };
        let mut own = Constraints::default();
        for part in meta.list() {
            if part.name == "inner" {
                self.inner(part, child);
            } else {
                self.attribute(part, child.json_type, &mut own);
            }
        }
        self.combine(own, child);
    }

    /// Applies a check of schemars, which counts only for values of its type.
    fn attribute(&mut self, meta: &Meta, json_type: Option<JsonType>, own: &mut Constraints) {
        let conventions = self.code.shapes.conventions;
        let is_one_of = |types: &[JsonType]| match json_type {
            Some(own) => types.contains(&own),
            None => !conventions.checks_known_types_only(),
        };
        match meta.name.as_str() {
            "length" if json_type == Some(JsonType::Object) && !conventions.bounds_maps() => {}
            "length" if is_one_of(&[JsonType::Array, JsonType::Object, JsonType::String]) => {
                let (minimum, maximum) = self.bounds(meta);
                let whole = |bound: Option<Number>| match bound {
                    Some(Number::Integer(value)) => Some(value),
                    _ => None,
                };
                let (low, high) = match json_type {
                    Some(JsonType::Array) => (&mut own.min_items, &mut own.max_items),
                    Some(JsonType::Object) => (&mut own.min_properties, &mut own.max_properties),
                    _ => (&mut own.min_length, &mut own.max_length),
                };
                *low = whole(minimum).or(*low);
                *high = whole(maximum).or(*high);
            }
            "range" if is_one_of(&[JsonType::Integer, JsonType::Number]) => {
                let (minimum, maximum) = self.bounds(meta);
                own.minimum = minimum.or(own.minimum);
                own.maximum = maximum.or(own.maximum);
                if !conventions.knows_checks_of_schemars_only() {
                    self.exclusive_bounds(meta, own);
                }
            }
            "ascii" | "prefix" | "suffix"
                if is_one_of(&[JsonType::String]) && !conventions.knows_checks_of_schemars_only() =>
            {
                let pattern = match meta.name.as_str() {
                    "ascii" => Some(r"^[\x00-\x7F]*$".to_owned()),
                    "prefix" => self.contained(meta).map(|text| format!("^{}", escaped(&text))),
                    _ => self.contained(meta).map(|text| format!("{}$", escaped(&text))),
                };
                own.pattern = pattern.or(own.pattern.take());
            }
            "regex" | "pattern" if is_one_of(&[JsonType::String]) => match self.pattern(meta) {
                Some(pattern) => own.pattern = Some(pattern),
                None => self.not_literal(meta),
            },
            "contains"
                if !matches!(json_type, Some(JsonType::Array | JsonType::Object))
                    && (json_type.is_some() || !conventions.checks_known_types_only()) =>
            {
                if let Some(text) = self.contained(meta) {
                    own.pattern = Some(escaped(&text));
                }
            }
            _ if json_type.is_none() && conventions.has_old_schemars() => {}
            "phone" if conventions.has_old_schemars() => own.format = Some("phone".to_owned()),
            "email" => own.format = Some("email".to_owned()),
            "url" => own.format = Some("uri".to_owned()),
            // API servers know no format for both versions.
            "ip" if conventions.keeps_stated_keywords() => own.format = Some("ip".to_owned()),
            "ipv4" => own.format = Some("ipv4".to_owned()),
            "ipv6" => own.format = Some("ipv6".to_owned()),
            _ => {}
        }
    }

    /// Returns the text of `contains(…)`, or reports that it cannot be evaluated.
    fn contained(&mut self, meta: &Meta) -> Option<String> {
        let mut parts = meta.list().iter();
        let part = parts.find(|part| matches!(part.name.as_str(), "" | "pattern"));
        let text = self.code.text(part.unwrap_or(meta));
        if text.is_none() {
            self.not_literal(meta);
        }
        text
    }

    /// Reads `exclusive_min` and `exclusive_max`, which only validator has.
    fn exclusive_bounds(&mut self, meta: &Meta, own: &mut Constraints) {
        for part in meta.list() {
            let (bound, is_exclusive) = match part.name.as_str() {
                "exclusive_min" => (&mut own.minimum, &mut own.exclusive_minimum),
                "exclusive_max" => (&mut own.maximum, &mut own.exclusive_maximum),
                _ => continue,
            };
            match self.code.number(part) {
                Some(value) => (*bound, *is_exclusive) = (Some(value), true),
                None => self.not_literal(part),
            }
        }
    }

    /// Returns the bounds of `length(…)` and `range(…)`.
    fn bounds(&mut self, meta: &Meta) -> (Option<Number>, Option<Number>) {
        let (mut minimum, mut maximum) = (None, None);
        for part in meta.list() {
            let Some(value) = self.code.number(part) else {
                if matches!(part.name.as_str(), "min" | "max" | "equal") {
                    self.not_literal(part);
                }
                continue;
            };
            match part.name.as_str() {
                "min" => minimum = Some(value),
                "max" => maximum = Some(value),
                "equal" => (minimum, maximum) = (Some(value), Some(value)),
                _ => {}
            }
        }
        (minimum, maximum)
    }

    /// Returns the pattern of `regex(…)` and `pattern(…)`: a literal, or what a constant or static of the source holds.
    fn pattern(&mut self, meta: &Meta) -> Option<String> {
        let part = match &meta.value {
            MetaValue::List(parts) => parts
                .iter()
                .find(|part| matches!(part.name.as_str(), "" | "pattern" | "path"))
                // `pattern(NAME)`: a constant alone.
                .or_else(|| parts.first().filter(|part| matches!(part.value, MetaValue::Word)))?,
            _ => meta,
        };
        match &part.value {
            MetaValue::Word => self.code.constant_text(&part.name, part.span),
            // `regex = "NAME"` and `regex(path = "NAME")` name a static; `pattern = "…"` is the pattern itself.
            MetaValue::Literal(Literal::Text(text), _)
                if part.name == "path" || (part.name == "regex" && is_path(text)) =>
            {
                self.code
                    .constant_text(text, part.span)
                    .or_else(|| self.code.quoted(part)?.as_str().map(str::to_owned))
            }
            _ => self.code.text(part),
        }
    }

    fn not_literal(&mut self, meta: &Meta) {
        self.code.shapes.problems.push(
            Problem::error(
                Code::InvalidAttribute,
                meta.span,
                "the value of this attribute cannot be read without running code",
            )
            .help(
                "use a literal or a constant, or replace the attribute with markers, which take precedence",
            ),
        );
    }
}

/// Returns the name that checks share of which schemars 1 takes only the first.
fn group_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "length" => "length",
        "range" => "range",
        "regex" | "pattern" | "contains" => "pattern",
        "email" | "url" | "ip" | "ipv4" | "ipv6" => "format",
        _ => return None,
    })
}

fn forget<T>(value: &mut Option<T>, stated: bool) {
    if stated {
        *value = None;
    }
}

/// Returns whether a text is a path of Rust, not a pattern.
fn is_path(text: &str) -> bool {
    text.split("::").all(|name| {
        let mut letters = name.trim().chars();
        letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

/// Returns a pattern that matches a text literally.
pub(super) fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// Returns whether a list of metas has `name = "…"`.
fn has_text(metas: &[Meta], name: &str) -> bool {
    metas
        .iter()
        .any(|meta| meta.name == name && meta.text().is_some())
}

/// Returns the text of `name = "…"` in a list of metas.
pub(super) fn text_of(metas: &[Meta], name: &str) -> Option<String> {
    metas
        .iter()
        .find(|meta| meta.name == name)
        .and_then(|meta| meta.text().map(|text| text.value.to_owned()))
}
