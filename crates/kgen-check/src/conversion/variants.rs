//! Pairs of enums: every variant gets its counterpart, or the value that the other version shows for it.

use kgen_diagnostics::{Code, Problem, Spanned, nearest, words};
use kgen_model::{
    RustContents, RustEnum, RustField, RustRole, RustVariant, Schema, Tagging, TypeConversion, rust_names,
};

use super::compare::{Comparison, Place};
use super::methods::Operand;
use super::plan::{Contents, Shown, VariantLine};
use super::problems;
use super::values::{Inner, Pairing};
use super::view::{FieldView, Side, StructView};

type Described<'a> = (&'a RustEnum, &'a Schema);

impl<'a> Comparison<'a, '_> {
    /// Compares two enums at the same place.
    pub(super) fn enums(
        &mut self,
        (older, older_schema): Described<'a>,
        (newer, newer_schema): Described<'a>,
        operands: (Operand<'a>, Operand<'a>),
    ) -> Pairing {
        if older.tagging != newer.tagging {
            return Pairing::Different;
        }
        let pairs = self.variant_pairs(older, newer);
        let is_untagged = older.tagging == Tagging::Untagged;
        let is_unpaired = pairs.iter().any(|(_, counterpart)| counterpart.is_none())
            || older.variants.iter().any(|variant| !is_taken(&pairs, variant));
        if is_untagged && is_unpaired {
            // Variants without a name in JSON cannot be shown as others.
            return Pairing::Different;
        }
        let free: Vec<&str> = older
            .variants
            .iter()
            .filter(|variant| !is_taken(&pairs, variant))
            .map(|variant| variant.json_name.as_str())
            .collect();
        let mut lines = Vec::new();
        for (variant, counterpart) in &pairs {
            let Some(counterpart) = counterpart else {
                lines.extend(self.new_variant(variant, (older, older_schema), &operands, &free));
                continue;
            };
            let sides = (
                (*counterpart, older, older_schema),
                (*variant, newer, newer_schema),
            );
            let contents = match self.variant_contents(sides, &operands) {
                Some(Inner::Contents(contents)) => Some(contents),
                Some(Inner::Same | Inner::Failed) => None,
                None => return Pairing::Different,
            };
            let (older_name, newer_name) = (counterpart.json_name.clone(), variant.json_name.clone());
            if is_untagged {
                if let Some(contents) = contents {
                    let Some(line) = shaped(sides, contents) else {
                        return Pairing::Different;
                    };
                    lines.push(line);
                }
            } else if contents.is_some() || older_name != newer_name {
                lines.push(VariantLine::Paired {
                    older: older_name,
                    newer: newer_name,
                    contents,
                });
            }
        }
        let markers = newer.conversion.dropped_variants.iter();
        let forgiven: Vec<&str> = markers
            .filter_map(|dropped| {
                let names = older.variants.iter().map(|variant| variant.json_name.as_str());
                nearest(&dropped.name.value, names).filter(|near| near.word != dropped.name.value)
            })
            .map(|near| near.word)
            .collect();
        for variant in older.variants.iter().filter(|variant| !is_taken(&pairs, variant)) {
            let is_marked = newer
                .conversion
                .dropped_variants
                .iter()
                .any(|known| known.name.value == variant.json_name);
            if is_marked || !forgiven.contains(&variant.json_name.as_str()) {
                lines.extend(self.lost_variant(variant, (newer, newer_schema), &operands));
            }
        }
        for dropped in &newer.conversion.dropped_variants {
            let is_known = older
                .variants
                .iter()
                .any(|variant| variant.json_name == dropped.name.value);
            if !is_known {
                self.consulted.insert(dropped.span);
                let problem = unknown_variant(&dropped.name, older, &self.older.version);
                self.problems.push(problem);
            }
        }
        if lines.is_empty() {
            return Pairing::Same;
        }
        Pairing::Contents(Contents::Variants {
            tagging: newer.tagging.clone(),
            lines,
        })
    }

    /// Returns the variants of newer with their counterparts.
    fn variant_pairs(
        &mut self,
        older: &'a RustEnum,
        newer: &'a RustEnum,
    ) -> Vec<(&'a RustVariant, Option<&'a RustVariant>)> {
        let find = |name: &str| {
            older
                .variants
                .iter()
                .find(|variant| name_of(variant, older) == name)
        };
        let mut pairs: Vec<(&RustVariant, Option<&RustVariant>)> = Vec::new();
        for variant in &newer.variants {
            let mut counterpart = None;
            match &variant.conversion.from {
                Some(from) => {
                    self.consulted.insert(from.span);
                    counterpart = find(&from.value);
                    if counterpart.is_none() {
                        let problem = unknown_variant(from, older, &self.older.version);
                        self.problems.push(problem);
                        // One mistake is one problem.
                        let names = older.variants.iter().map(|variant| name_of(variant, older));
                        counterpart = nearest(&from.value, names).and_then(|near| find(near.word));
                    } else if from.value == name_of(variant, newer) {
                        let why = "the variant of the same name is its source without this marker";
                        self.problems.push(problems::needless(from.span, why));
                    }
                }
                None => {
                    let name = name_of(variant, newer);
                    let is_claimed = newer.variants.iter().any(|other| {
                        other
                            .conversion
                            .from
                            .as_ref()
                            .is_some_and(|from| from.value == name)
                    });
                    if !is_claimed {
                        counterpart = find(name);
                    }
                    if let (Some(shown), Some(_)) = (&variant.conversion.shown, counterpart) {
                        self.consulted.insert(shown.span);
                        let why = "the previous version has this variant too";
                        self.problems.push(problems::needless(shown.span, why));
                    }
                }
            }
            if let Some(found) = counterpart
                && let Some(from) = &variant.conversion.from
                && is_taken(&pairs, found)
            {
                let message = format!("`{}` already has a counterpart", from.value);
                self.problems
                    .push(Problem::error(Code::ConversionSource, from.span, message));
                counterpart = None;
            }
            pairs.push((variant, counterpart));
        }
        pairs
    }

    /// Compares the contents of two variants. Returns `None` if only one variant has contents.
    fn variant_contents(
        &mut self,
        (older, newer): (VariantSide<'a>, VariantSide<'a>),
        operands: &(Operand<'a>, Operand<'a>),
    ) -> Option<Inner> {
        let is_unit = |side: &VariantSide<'a>| matches!(side.0.contents, RustContents::Unit);
        match (is_unit(&older), is_unit(&newer)) {
            (true, true) => return Some(Inner::Same),
            (false, false) => {}
            _ => return None,
        }
        let structs = (self.variant_struct(&older), self.variant_struct(&newer));
        if let (Some((older_view, older_type)), Some((newer_view, newer_type))) = structs {
            // Types that both versions share are not compared.
            if older_type.is_some() && older_type == newer_type {
                return Some(Inner::Same);
            }
            return Some(match self.structs(&older_view, &newer_view, &Place::unknown()) {
                Some(table) => Inner::Contents(Contents::Table(table)),
                None => Inner::Same,
            });
        }
        let (RustContents::Value(older_field), RustContents::Value(newer_field)) =
            (&older.0.contents, &newer.0.contents)
        else {
            return None;
        };
        let side = |side: &VariantSide<'a>, field: &'a RustField| {
            Some(Side {
                rust: field.field_type.as_ref(),
                schema: contents_schema(side)?,
            })
        };
        let sides = (side(&older, older_field)?, side(&newer, newer_field)?);
        let operand = |side: &VariantSide<'a>, field: &'a RustField, whole: &Operand<'a>| Operand {
            owner: side.1.path.name().to_owned(),
            name: rust_names::snake(&side.0.name),
            json_name: side.0.json_name.clone(),
            field,
            ..whole.part(field.field_type.as_ref(), false)
        };
        let (older_operand, newer_operand) = (
            operand(&older, older_field, &operands.0),
            operand(&newer, newer_field, &operands.1),
        );
        Some(self.contents(sides, (&older_operand, &newer_operand), &Place::unknown()))
    }

    /// Returns the contents of a variant as a struct, with the path of the struct if it has a name.
    fn variant_struct(
        &self,
        side: &VariantSide<'a>,
    ) -> Option<(StructView<'a>, Option<&'a kgen_model::RustPath>)> {
        let types = &self.api.rust;
        let schema = contents_schema(side)?;
        let (variant, described, whole) = *side;
        let is_required = |field: &RustField| is_required(side, field, schema);
        match &variant.contents {
            RustContents::Unit => None,
            RustContents::Fields(fields) => {
                let name = format!("{}{}", described.path.name(), variant.name);
                let view =
                    StructView::of_variant(name, variant.span, fields, None, schema, &is_required, types);
                Some((view, None))
            }
            RustContents::Value(field) => {
                let rust = Side {
                    rust: field.field_type.as_ref(),
                    schema: whole,
                }
                .bare()?;
                let inner = types.structs.get(&rust.path)?;
                let conversion: Option<&'a TypeConversion> = Some(&inner.conversion);
                let view = StructView::of_variant(
                    inner.path.name().to_owned(),
                    inner.span,
                    &inner.fields,
                    conversion,
                    schema,
                    &is_required,
                    types,
                );
                Some((view, Some(&inner.path)))
            }
        }
    }

    /// Returns the line of a variant that only newer has.
    fn new_variant(
        &mut self,
        variant: &'a RustVariant,
        older: Described<'a>,
        operands: &(Operand<'a>, Operand<'a>),
        free: &[&str],
    ) -> Option<VariantLine> {
        // A source that does not exist is reported already.
        if variant.conversion.from.is_some() {
            return None;
        }
        let Some(shown) = &variant.conversion.shown else {
            let problem = problems::new_variant(variant, self.older, older.0, free);
            self.problems.push(problem);
            return None;
        };
        self.consulted.insert(shown.span);
        let Some(target) = older
            .0
            .variants
            .iter()
            .find(|known| known.json_name == shown.value)
        else {
            let problem = unknown_variant(shown, older.0, &self.older.version);
            self.problems.push(problem);
            return None;
        };
        let shown = if self.needs_contents((target, older.0, older.1)) {
            let way = self.backward_way();
            let operand = owned_by(&operands.0, older.0);
            Shown::Method(
                self.methods
                    .shown(way, &variant.json_name, &operand, self.problems)?,
            )
        } else {
            Shown::Variant(target.json_name.clone())
        };
        Some(VariantLine::Added {
            name: variant.json_name.clone(),
            shown,
        })
    }

    /// Returns the line of a variant that only older has.
    fn lost_variant(
        &mut self,
        variant: &'a RustVariant,
        newer: Described<'a>,
        operands: &(Operand<'a>, Operand<'a>),
    ) -> Option<VariantLine> {
        let markers = &newer.0.conversion.dropped_variants;
        let Some(marker) = markers
            .iter()
            .find(|marker| marker.name.value == variant.json_name)
        else {
            let problem = problems::lost_variant(variant, self.newer, newer.0);
            self.problems.push(problem);
            return None;
        };
        self.consulted.insert(marker.span);
        let target = newer
            .0
            .variants
            .iter()
            .find(|known| known.json_name == marker.shown.value);
        let Some(target) = target else {
            let problem = unknown_variant(&marker.shown, newer.0, &self.newer.version);
            self.problems.push(problem);
            return None;
        };
        let shown = if self.needs_contents((target, newer.0, newer.1)) {
            let way = self.forward_way();
            let operand = owned_by(&operands.1, newer.0);
            Shown::Method(
                self.methods
                    .shown(way, &variant.json_name, &operand, self.problems)?,
            )
        } else {
            Shown::Variant(target.json_name.clone())
        };
        Some(VariantLine::Dropped {
            name: variant.json_name.clone(),
            shown,
        })
    }

    /// Returns whether a variant is not complete without contents.
    fn needs_contents(&self, side: VariantSide<'a>) -> bool {
        match &side.0.contents {
            RustContents::Unit => false,
            _ => match self.variant_struct(&side) {
                Some((view, _)) => view.fields.iter().any(FieldView::must_exist),
                None => true,
            },
        }
    }
}

/// A variant with its enum and the schema of the enum.
type VariantSide<'a> = (&'a RustVariant, &'a RustEnum, &'a Schema);

fn is_taken(pairs: &[(&RustVariant, Option<&RustVariant>)], variant: &RustVariant) -> bool {
    pairs
        .iter()
        .any(|(_, counterpart)| counterpart.is_some_and(|counterpart| counterpart.name == variant.name))
}

/// Returns the name by which variants are paired: that in JSON, if they have one.
fn name_of<'v>(variant: &'v RustVariant, described: &RustEnum) -> &'v str {
    match described.tagging {
        Tagging::Untagged => &variant.name,
        _ => &variant.json_name,
    }
}

/// Returns the whole value of an enum as the result of a method.
fn owned_by<'a>(operand: &Operand<'a>, described: &RustEnum) -> Operand<'a> {
    Operand {
        owner: described.path.name().to_owned(),
        must_exist: true,
        ..operand.clone()
    }
}

/// Returns the schema of the contents of a variant.
fn contents_schema<'a>((variant, described, schema): &VariantSide<'a>) -> Option<&'a Schema> {
    match &described.tagging {
        Tagging::External => schema.properties.get(&variant.json_name).map(AsRef::as_ref),
        Tagging::Adjacent(_, content) => schema.properties.get(content).map(AsRef::as_ref),
        Tagging::Internal(_) | Tagging::Untagged => Some(schema),
    }
}

/// Returns whether a variant requires a field. All variants of an internally tagged enum share one object, whose
/// alternatives have the required fields of each. Variants of untagged enums do not have a name, so their types decide.
fn is_required((variant, described, _): &VariantSide<'_>, field: &RustField, schema: &Schema) -> bool {
    let name = &field.json_name;
    match &described.tagging {
        Tagging::External | Tagging::Adjacent(..) => schema.required.contains(name),
        Tagging::Internal(tag) => {
            schema.required.contains(name)
                || schema.one_of.iter().any(|branch| {
                    let tag = branch.properties.get(tag);
                    let values = tag.and_then(|tag| tag.constraints.enumeration.as_ref());
                    let is_its_own = values.is_some_and(|values| {
                        values
                            .iter()
                            .any(|value| value.as_str() == Some(variant.json_name.as_str()))
                    });
                    is_its_own && branch.required.contains(name)
                })
        }
        Tagging::Untagged => {
            let role = field.field_type.as_ref().map(|rust| rust.role);
            role != Some(RustRole::Optional)
                && schema
                    .properties
                    .get(name)
                    .is_some_and(|property| property.default.is_none())
        }
    }
}

/// Returns the line of a variant of an untagged enum. Returns `None` if no required field tells it from others.
fn shaped((older, newer): (VariantSide<'_>, VariantSide<'_>), contents: Contents) -> Option<VariantLine> {
    let required = |side: &VariantSide<'_>| -> Option<Vec<String>> {
        let RustContents::Fields(fields) = &side.0.contents else {
            return None;
        };
        let names = fields.iter().filter(|field| is_required(side, field, side.2));
        let names: Vec<String> = names.map(|field| field.json_name.clone()).collect();
        (!names.is_empty()).then_some(names)
    };
    Some(VariantLine::Shaped {
        older: required(&older)?,
        newer: required(&newer)?,
        contents,
    })
}

fn unknown_variant(name: &Spanned<String>, known: &RustEnum, version: &str) -> Problem {
    let message = format!(
        "`{}` of `{version}` has no variant `{}`",
        known.path.name(),
        name.value
    );
    let names = known.variants.iter().map(|variant| variant.json_name.as_str());
    let problem = Problem::error(Code::ConversionSource, name.span, message);
    match nearest(&name.value, names.clone()) {
        Some(near) => problem.fix(name.span, near),
        None => problem.help(format!("the variants are {}", words::all_of(names))),
    }
}
