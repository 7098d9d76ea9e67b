//! The texts of schemas: descriptions and titles from `///` comments and attributes.
//!
//! Conventions decide how a comment becomes text. Comments of Kubernetes' own types are always taken as they are.

use super::attributes::text_of;
use super::conventions::Conventions;
use super::numbered;
use super::serde::{Container, fields_of};
use crate::declare::{Field, TypeDeclaration, TypeKind, Variant};
use crate::program::{ModuleId, Program};

/// Makes the texts of one type.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    pub(super) conventions: Conventions,
    /// Whether the type is one of Kubernetes.
    pub(super) is_kubernetes: bool,
}

impl Texts {
    /// Returns the description of a type: its documentation, and that of its variants, one line per variant.
    pub(super) fn of_type(
        self,
        declaration: &TypeDeclaration,
        container: &Container,
        module: ModuleId,
        program: &mut Program,
    ) -> Option<String> {
        if self.is_seen_through(declaration, container) {
            return None;
        }
        let own = text_of(&declaration.attributes.schemars, "description")
            .or_else(|| self.description(declaration.description.as_deref()));
        let TypeKind::Enum(variants) = &declaration.kind else {
            return own;
        };
        if self.conventions.takes_text_as_written() {
            return own;
        }
        if variants
            .iter()
            .any(|variant| !fields_of(variant).list().is_empty())
        {
            return own;
        }
        let by_number = numbered::derive_of(declaration).is_some();
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
            let number = numbered::number_of(program, variants, &variant.name, module).filter(|_| by_number);
            let name = number.map_or(name, |number| number.to_string());
            let words: Vec<_> = description.split_whitespace().collect();
            lines.push(format!("{name}: {}", words.join(" ")));
        }
        if lines.is_empty() {
            return own;
        }
        let lines = lines.join("\n");
        Some(own.map_or(lines.clone(), |own| format!("{}\n\n{lines}", own.trim_end())))
    }

    /// Returns the description of a field. Returns `None` if the field has none of its own.
    pub(super) fn of_field(self, field: &Field) -> Option<String> {
        text_of(&field.attributes.schemars, "description")
            .or_else(|| self.description(field.description.as_deref()))
    }

    /// Returns the description of a variant with data. Returns `None` if it has none of its own.
    pub(super) fn of_variant(self, variant: &Variant) -> Option<String> {
        text_of(&variant.attributes.schemars, "description")
            .or_else(|| self.description(variant.description.as_deref()))
    }

    /// Returns the description for documentation. If headings are titles, a heading in the first line is not included.
    /// schemars 0.8 joins the lines of each paragraph.
    pub(super) fn description(self, documentation: Option<&str>) -> Option<String> {
        let documentation = documentation?;
        if !self.conventions.takes_text_as_written() || self.is_kubernetes {
            return Some(documentation.to_owned());
        }
        let text = match documentation.split_once('\n') {
            _ if !documentation.starts_with('#') => documentation,
            Some((_, rest)) => rest.trim(),
            None => return None,
        };
        let text = if self.conventions.has_old_schemars() {
            let mut lines: Vec<_> = text.lines().map(str::trim).collect();
            // The stars of a block comment.
            if lines.iter().all(|line| line.starts_with('*')) {
                lines = lines
                    .iter()
                    .filter_map(|line| line.strip_prefix('*'))
                    .map(str::trim)
                    .collect();
            }
            let paragraphs = lines.join("\n");
            let paragraphs = paragraphs
                .split("\n\n")
                .map(|paragraph| paragraph.trim().replace('\n', " "))
                .filter(|paragraph| !paragraph.is_empty());
            paragraphs.collect::<Vec<_>>().join("\n\n")
        } else {
            text.to_owned()
        };
        (!text.is_empty()).then_some(text)
    }

    /// Returns whether schemars replaces a type by the one inside it, so that its own text is lost. It does so with an
    /// alias, and in version 0.8 with a transparent type.
    pub(super) fn is_seen_through(self, declaration: &TypeDeclaration, container: &Container) -> bool {
        let is_alias = matches!(declaration.kind, TypeKind::Alias(_));
        (is_alias && self.conventions.takes_text_as_written())
            || (container.transparent && self.conventions.has_old_schemars())
    }

    /// Returns the title: a heading in the first line of documentation, where headings are titles.
    pub(super) fn title(self, documentation: Option<&str>) -> Option<String> {
        let documentation = documentation.filter(|text| text.starts_with('#'))?;
        if !self.conventions.takes_text_as_written() || self.is_kubernetes {
            return None;
        }
        let title = documentation.lines().next()?.trim_start_matches('#').trim();
        (!title.is_empty()).then(|| title.to_owned())
    }
}
