//! Choices between the fields of a struct: unions with their members and discriminators, and one-of markers.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span, nearest};
use kgen_markers::{FieldSettings, OneOf, rules};
use kgen_model::Rule;

use super::object::Object;
use crate::declare::Field;
use crate::program::Program;

/// The members of a union, as far as they are read.
pub(super) struct Union {
    /// The first field that names it.
    span: Span,
    /// The field that names the member, and where it says so.
    discriminator: Option<(String, Span)>,
    /// Each member's name, what the discriminator calls it, and where it says so.
    members: Vec<(String, String, Span)>,
    zero_or_one: bool,
}

impl Union {
    /// Checks that the union can be used as the struct declares it.
    pub(super) fn check(&self, object: &Object, program: &Program, problems: &mut Problems) {
        self.check_discriminator(object, program, problems);
        self.check_members(object, problems);
    }

    /// Returns the rules that allow only one member at a time.
    pub(super) fn rules(&self) -> impl Iterator<Item = Rule> {
        let members: Vec<_> = self
            .members
            .iter()
            .map(|(name, called, _)| (name.as_str(), called.as_str()))
            .collect();
        let discriminator = self.discriminator.as_ref().map(|(name, _)| name.as_str());
        let span = self.span;
        let made = rules::union(&members, discriminator, self.zero_or_one);
        made.into_iter().map(move |rule| Rule {
            span: Some(span),
            ..rule
        })
    }

    /// Checks that the discriminator of a union can name each of its members.
    fn check_discriminator(&self, object: &Object, program: &Program, problems: &mut Problems) {
        let Some((name, place)) = &self.discriminator else {
            return;
        };
        let property = object.schema.properties.get(name);
        let Some(values) = property.and_then(|property| property.constraints.enumeration.as_ref()) else {
            return;
        };
        for (_, called, span) in self
            .members
            .iter()
            .filter(|(_, called, _)| !values.contains(&called.as_str().into()))
        {
            let known: Vec<_> = values
                .iter()
                .filter_map(|value| value.as_str())
                .map(|value| format!("`{value}`"))
                .collect();
            let near = nearest(called, values.iter().filter_map(|value| value.as_str()));
            let named = |value: &str| format!("k8s:unionMember(memberName: \"{value}\")");
            let problem = Problem::error(
                Code::OneOfField,
                *span,
                format!("the discriminator `{name}` is never `{called}`"),
            )
            .related(*place, format!("its values are {}", known.join(" and ")))
            .help(format!(
                "name the value: `+{}`",
                named(near.map_or("…", |near| near.word))
            ));
            problems.push(match near {
                Some(near) if program.text(*span) == "k8s:unionMember" => {
                    let fix = Fix::replace(*span, named(near.word));
                    problem.with_fix(if near.is_certain { fix } else { fix.uncertain() })
                }
                _ => problem,
            });
        }
    }

    /// Checks that each member of a union can be left out: the others are set then.
    fn check_members(&self, object: &Object, problems: &mut Problems) {
        for (name, _, span) in &self.members {
            if object.schema.required.contains(name) {
                problems.push(always_there(name, *span, object));
            }
        }
    }
}

/// Adds a field to the unions that its markers name.
pub(super) fn add_to_unions(
    name: &str,
    field: &Field,
    settings: &FieldSettings,
    unions: &mut BTreeMap<String, Union>,
) {
    for member in &settings.union_members {
        let called = member
            .member_name
            .clone()
            .unwrap_or_else(|| rules::member_name(name));
        let union = union_of(unions, &member.union, field.span);
        union.zero_or_one |= member.zero_or_one;
        union.members.push((name.to_owned(), called, member.span));
    }
    if let Some(discriminator) = &settings.union_discriminator {
        union_of(unions, &discriminator.value, field.span).discriminator =
            Some((name.to_owned(), discriminator.span));
    }
}

fn union_of<'a>(unions: &'a mut BTreeMap<String, Union>, name: &str, span: Span) -> &'a mut Union {
    unions.entry(name.to_owned()).or_insert_with(|| Union {
        span,
        discriminator: None,
        members: Vec::new(),
        zero_or_one: false,
    })
}

/// Checks that a one-of marker names optional fields of the struct.
pub(super) fn check_one_of(one_of: &OneOf, object: &Object, problems: &mut Problems) {
    for name in &one_of.fields {
        let names: Vec<_> = object.origins.iter().map(|(known, _)| known.as_str()).collect();
        if name.value.contains('.') {
            // A field of a field; the marker itself says so.
            continue;
        }
        if !names.contains(&name.value.as_str()) {
            let problem = Problem::error(
                Code::OneOfField,
                name.span,
                format!("the struct has no field called `{}` in JSON", name.value),
            );
            problems.push(match nearest(&name.value, names) {
                Some(near) => problem.fix(name.span, near),
                None => problem,
            });
        } else if object.schema.required.contains(&name.value) {
            problems.push(always_there(&name.value, name.span, object));
        }
    }
}

/// Returns the problem of a field that takes part in a choice and cannot be left out.
fn always_there(name: &str, span: Span, object: &Object) -> Problem {
    let problem = Problem::error(Code::OneOfField, span, format!("`{name}` is always set"))
        .help("a field of a one-of rule must be optional: make it an `Option`");
    match object.origins.iter().find(|(known, _)| known == name) {
        Some((_, required)) => problem.related(*required, "required here"),
        None => problem,
    }
}
