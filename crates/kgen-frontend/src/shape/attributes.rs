//! What `schemars`, `validate` and `garde` attributes say about a schema, and the texts of types and fields.
//!
//! A marker goes before all of them, schemars before the validators. Each states its part for the level it stands on,
//! which is then combined with what the type says.

use kgen_diagnostics::{Code, Problem};
use kgen_markers::Marker;
use kgen_model::{Constraints, JsonType, Number, Schema};

use super::Shapes;
use super::serde::Container;
use crate::declare::{Attributes, Field, Literal, Meta, MetaValue, TypeDeclaration, TypeKind};
use crate::program::ModuleId;

impl Shapes<'_> {
    /// Applies what attributes say, as far as no marker of the same node says otherwise.
    pub(super) fn apply_attributes(
        &mut self,
        attributes: &Attributes,
        markers: &[Marker],
        module: ModuleId,
        schema: &mut Schema,
    ) {
        if attributes.validate.is_empty() && attributes.garde.is_empty() && attributes.schemars.is_empty() {
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
        // Later ones go before earlier ones.
        for metas in [&attributes.validate, &attributes.garde, &attributes.schemars] {
            for meta in metas.iter() {
                let overruled = match meta.name.as_str() {
                    "range" => stated("minimum") && stated("maximum"),
                    "length" => ["length", "items", "properties"]
                        .iter()
                        .any(|what| stated(&format!("min{what}")) && stated(&format!("max{what}"))),
                    "regex" | "pattern" => stated("pattern"),
                    _ => false,
                };
                if !overruled {
                    self.attribute(meta, module, schema.json_type, &mut own);
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
        let inherited = std::mem::replace(&mut schema.constraints, own.into());
        // No enumeration is stated here, so the two levels cannot conflict.
        let _ = schema.constraints.inherit(inherited);
        if let Some(title) = text_of(&attributes.schemars, "title") {
            schema.title = Some(title.into());
        }
    }

    fn attribute(
        &mut self,
        meta: &Meta,
        module: ModuleId,
        json_type: Option<JsonType>,
        own: &mut Constraints,
    ) {
        match meta.name.as_str() {
            "length" => {
                let (minimum, maximum) = self.bounds(meta, module);
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
            "range" => {
                let (minimum, maximum) = self.bounds(meta, module);
                own.minimum = minimum.or(own.minimum);
                own.maximum = maximum.or(own.maximum);
            }
            "regex" | "pattern" => {
                let pattern = match &meta.value {
                    MetaValue::Literal(Literal::Text(text), _) => Some(text.clone()),
                    MetaValue::List(parts) => parts.iter().find_map(|part| match part.name.as_str() {
                        "" | "pattern" | "path" => part.text().map(|text| text.value.to_owned()),
                        _ => None,
                    }),
                    _ => None,
                };
                match pattern {
                    Some(pattern) => own.pattern = Some(pattern),
                    None => self.not_literal(meta),
                }
            }
            "email" => own.format = Some("email".to_owned()),
            "url" => own.format = Some("uri".to_owned()),
            "ipv4" => own.format = Some("ipv4".to_owned()),
            "ipv6" => own.format = Some("ipv6".to_owned()),
            _ => {}
        }
    }

    /// The bounds of `length(…)` and `range(…)`.
    fn bounds(&mut self, meta: &Meta, module: ModuleId) -> (Option<Number>, Option<Number>) {
        let (mut minimum, mut maximum) = (None, None);
        for part in meta.list() {
            let Some(value) = self.number(part, module) else {
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

    fn number(&self, meta: &Meta, module: ModuleId) -> Option<Number> {
        match &meta.value {
            MetaValue::Literal(Literal::Integer(value), _) => i64::try_from(*value).ok().map(Number::Integer),
            MetaValue::Literal(Literal::Float(value), _) => Number::from_f64(*value),
            MetaValue::Literal(Literal::Text(text), _) => text.parse().ok().and_then(Number::from_f64),
            MetaValue::Expression(span) => {
                let value = self.constant_integer(self.program.text(*span), module)?;
                i64::try_from(value).ok().map(Number::Integer)
            }
            _ => None,
        }
    }

    fn not_literal(&mut self, meta: &Meta) {
        self.problems.push(
            Problem::error(Code::InvalidAttribute, meta.span, "the value of this attribute cannot be read without running code")
                .help("use a literal or a constant of the same module, or say all of it with markers, which go before it"),
        );
    }

    /// The description of a type: its documentation, and that of its variants, a line each.
    pub(super) fn type_description(
        &self,
        declaration: &TypeDeclaration,
        container: &Container,
    ) -> Option<String> {
        let own = text_of(&declaration.attributes.schemars, "description")
            .or_else(|| declaration.description.clone());
        let TypeKind::Enum(variants) = &declaration.kind else {
            return own;
        };
        if variants.iter().any(|variant| !variant.fields.list().is_empty()) {
            return own;
        }
        let mut lines: Vec<String> = Vec::new();
        for variant in variants {
            let Some(description) = &variant.description else {
                continue;
            };
            let renamed = text_of(&variant.attributes.serde, "rename");
            let name = renamed.unwrap_or_else(|| {
                container
                    .rename_all
                    .map_or_else(|| variant.name.clone(), |rule| rule.variant(&variant.name))
            });
            let words: Vec<_> = description.split_whitespace().collect();
            lines.push(format!("{name}: {}", words.join(" ")));
        }
        if lines.is_empty() {
            return own;
        }
        let lines = lines.join("\n");
        Some(own.map_or(lines.clone(), |own| format!("{own}\n\n{lines}")))
    }

    /// The description of a field, where it has one of its own.
    pub(super) fn member_description(&self, field: &Field) -> Option<String> {
        text_of(&field.attributes.schemars, "description").or_else(|| field.description.clone())
    }
}

fn forget<T>(value: &mut Option<T>, stated: bool) {
    if stated {
        *value = None;
    }
}

/// The text of `name = "…"` in a list of metas.
fn text_of(metas: &[Meta], name: &str) -> Option<String> {
    metas
        .iter()
        .find(|meta| meta.name == name)
        .and_then(|meta| meta.text().map(|text| text.value.to_owned()))
}
