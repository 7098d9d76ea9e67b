//! Fields, variants and the parts that every node has: attributes, markers, documentation.

use std::borrow::Cow;

use kgen_markers::{Marker, Position, marker_in_block};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Visibility};

use super::attach::Place;
use super::attributes::lower_value;
use super::documentation::{DocumentationPart, DocumentationStyle, description};
use super::lower::{Lowering, offset, placed_name, plain_name};
use super::mistakes::Mistakes;
use super::versioned::PREVIOUS_DOCUMENTATION;
use super::{
    Attributes, Field, Fields, GenericParameter, Meta, Reach, Source, SwitchedOff, Variant, attributes, types,
};

/// A node's own part of an attribute list.
pub(super) struct NodeAttributes {
    attributes: Vec<Attribute>,
    ranges: Vec<(u32, u32)>,
}

impl Lowering<'_, '_> {
    pub(super) fn fields(&mut self, fields: syn::Fields) -> Fields {
        match fields {
            syn::Fields::Named(named) => Fields::Named(self.field_list(named.named)),
            syn::Fields::Unnamed(unnamed) => Fields::Unnamed(self.field_list(unnamed.unnamed)),
            syn::Fields::Unit => Fields::Unit,
        }
    }

    fn field_list<P>(&mut self, fields: Punctuated<syn::Field, P>) -> Vec<Field> {
        let mut list = Vec::with_capacity(fields.len());
        list.extend(fields.into_iter().filter_map(|field| self.field(field)));
        list
    }

    fn field(&mut self, field: syn::Field) -> Option<Field> {
        if let Some(condition) = self.features.refused(&field.attrs) {
            self.exclude_member(&field, &field.attrs, field.ident.as_ref());
            let name = field.ident.as_ref().map(plain_name).unwrap_or_default();
            let mut node = self.node_attributes(field.attrs);
            let attributes = self.lower_attributes(&mut node);
            let rename = attributes.serde("rename").and_then(Meta::text);
            self.switched_off.push(SwitchedOff {
                name,
                rename: rename.map(|text| text.value.to_owned()),
                may_be_kind: false,
                condition,
            });
            return None;
        }
        let field_type = types::lower(&field.ty, self.source);
        let ident = field.ident.as_ref();
        let (name, span) = ident.map_or_else(
            || (String::new(), field_type.span),
            |ident| placed_name(ident, self.source),
        );
        let reach = Reach::of(&field.vis);
        let start = match &field.vis {
            Visibility::Inherited => span.start,
            visible => self.visibility_start(visible).unwrap_or(span.start),
        };
        let mut node = self.node_attributes(field.attrs);
        let attributes = self.lower_attributes(&mut node);
        let markers = self.markers(start, &node, Position::Field, None);
        Some(Field {
            name,
            reach,
            span,
            description: self.description(start, &node, &attributes, &[]),
            attributes,
            markers,
            field_type,
        })
    }

    /// Removes the comments of a field or a variant that `cfg` disables, those above it included.
    fn exclude_member(
        &mut self,
        member: &impl syn::spanned::Spanned,
        attributes: &[Attribute],
        ident: Option<&syn::Ident>,
    ) {
        let span = ident.map_or_else(|| member.span(), syn::Ident::span);
        let place = Place {
            start: offset(self.source.start_of(span)),
            attributes: &attribute_ranges(attributes, self.source),
        };
        self.comments.exclude_above(&place, false);
        self.exclude(member.span());
    }

    pub(super) fn variant(&mut self, variant: syn::Variant) -> Option<Variant> {
        if !self.features.allow(&variant.attrs) {
            self.exclude_member(&variant, &variant.attrs, Some(&variant.ident));
            return None;
        }
        let (name, span) = placed_name(&variant.ident, self.source);
        let mut node = self.node_attributes(variant.attrs);
        let attributes = self.lower_attributes(&mut node);
        // A variant with one value is a property of an externally tagged enum, and accepts the markers of a field.
        let around_one = matches!(&variant.fields, syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1);
        let position = if around_one {
            Position::ValueVariant
        } else {
            Position::Variant
        };
        let start = span.start;
        let markers = self.markers(start, &node, position, None);
        Some(Variant {
            name,
            span,
            description: self.description(start, &node, &attributes, &[]),
            attributes,
            markers,
            discriminant: variant
                .discriminant
                .map(|(_, number)| Box::new(lower_value(&number, self.source).0)),
            fields: self.fields(variant.fields),
        })
    }

    pub(super) fn generics(&self, generics: &syn::Generics) -> Vec<GenericParameter> {
        generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                syn::GenericParam::Type(parameter) => Some(GenericParameter {
                    name: plain_name(&parameter.ident),
                    is_constant: false,
                    default: parameter
                        .default
                        .as_ref()
                        .map(|(_, default)| types::lower(default, self.source)),
                }),
                syn::GenericParam::Const(parameter) => Some(GenericParameter {
                    name: plain_name(&parameter.ident),
                    is_constant: true,
                    default: None,
                }),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect()
    }

    pub(super) fn node_attributes(&self, attributes: Vec<Attribute>) -> NodeAttributes {
        let ranges = attribute_ranges(&attributes, self.source);
        NodeAttributes {
            attributes: self.features.expand(attributes),
            ranges,
        }
    }

    pub(super) fn lower_attributes(&self, node: &mut NodeAttributes) -> Attributes {
        attributes::lower(&mut node.attributes, self.source)
    }

    pub(super) fn markers(
        &mut self,
        start: u32,
        node: &NodeAttributes,
        position: Position,
        head: Option<&mut Vec<Marker>>,
    ) -> Vec<Marker> {
        let place = Place {
            start,
            attributes: &node.ranges,
        };
        if self.style == DocumentationStyle::ControllerGen {
            self.report_markers_in_attributes(node);
        }
        let mut markers = self.comments.node(&place, position, head, self.problems);
        Mistakes::of_style(self.style).check_together(&mut markers, self.source, self.problems);
        markers
    }

    /// Reports `#[doc = "+kubebuilder:…"]`, which is documentation and never a marker.
    fn report_markers_in_attributes(&mut self, node: &NodeAttributes) {
        for attribute in &node.attributes {
            let syn::Meta::NameValue(pair) = &attribute.meta else {
                continue;
            };
            if !pair.path.is_ident("doc") {
                continue;
            }
            // Comments become attributes too, and are reported as comments. Most attributes are skipped here, so the
            // rest is computed later.
            let start = self.source.start_of(attribute.pound_token.span);
            if !self
                .source
                .text
                .get(start..)
                .is_some_and(|text| text.starts_with('#'))
            {
                continue;
            }
            let Some(text) = literal_text(&pair.value) else {
                continue;
            };
            let Some((range, name)) = marker_in_block(&text) else {
                continue;
            };
            let span = super::lower::span_of(self.source, syn::spanned::Spanned::span(&pair.value));
            let problem = super::attach::lookalike(span, name, text.get(range.clone()).unwrap_or(name));
            let end = self.source.end_of(attribute.bracket_token.span.close());
            let is_whole = text.get(range) == Some(text.trim());
            let (start, end) = (offset(start), offset(end));
            self.problems
                .push(if is_whole && self.comments.is_alone(start, end) {
                    let whole = kgen_diagnostics::Span::new(self.source.file, start, end);
                    let fix = kgen_diagnostics::Fix::replace(whole, format!("// {}", text.trim()));
                    problem.with_fix(fix)
                } else {
                    problem
                });
        }
    }

    /// Returns the description of a node that starts at `start`: the lines `before`, its doc comments, and its `doc`
    /// attributes among them.
    pub(super) fn description(
        &mut self,
        start: u32,
        node: &NodeAttributes,
        attributes: &Attributes,
        before: &[String],
    ) -> Option<String> {
        let place = Place {
            start,
            attributes: &node.ranges,
        };
        let mut texts: Vec<(u32, Cow<'_, str>, bool)> = self
            .comments
            .documentation(&place)
            .map(|(offset, text)| (offset, Cow::Borrowed(text), false))
            .collect();
        // `/** … */` and `#[doc = "…"]` are left to the parser.
        for attribute in node
            .attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("doc"))
        {
            let syn::Meta::NameValue(pair) = &attribute.meta else {
                continue;
            };
            let Some(text) = constant_text(&pair.value) else {
                let span = super::lower::span_of(self.source, syn::spanned::Spanned::span(&pair.value));
                let message = "this documentation cannot be read, so it is not part of the description";
                self.problems.push(
                    kgen_diagnostics::Problem::warning(
                        kgen_diagnostics::Code::InvalidAttribute,
                        span,
                        message,
                    )
                    .help("write it as a comment or as text"),
                );
                continue;
            };
            texts.push((
                offset(self.source.start_of(attribute.pound_token.span)),
                Cow::Owned(text),
                true,
            ));
        }
        texts.sort_by_key(|(offset, _, _)| *offset);
        let previous = node
            .attributes
            .iter()
            .find_map(|attribute| match &attribute.meta {
                syn::Meta::NameValue(pair) if pair.path.is_ident(PREVIOUS_DOCUMENTATION) => {
                    literal_text(&pair.value)
                }
                _ => None,
            });
        let has_own_text = previous.is_none();
        if let Some(text) = previous {
            texts = vec![(0, Cow::Owned(text), true)];
        }
        let before = before
            .iter()
            .filter(|_| has_own_text)
            .map(|text| DocumentationPart {
                text,
                is_block: false,
            });
        let own = texts.iter().map(|(_, text, is_block)| DocumentationPart {
            text,
            is_block: *is_block,
        });
        let parts: Vec<_> = before.chain(own).collect();
        let text = description(&parts, self.style);
        match (&attributes.deprecated, text) {
            (None, text) => text,
            (Some(_), text) if self.style == DocumentationStyle::AsWritten => text,
            (Some(note), Some(text)) if states_deprecation(&text, note) => Some(text),
            (Some(note), text) => {
                let note = if note.is_empty() {
                    "Deprecated.".to_owned()
                } else {
                    format!("Deprecated: {note}")
                };
                Some(text.map_or(note.clone(), |text| format!("{}\n\n{note}", text.trim_end())))
            }
        }
    }
}

/// Returns whether documentation already has the information of `#[deprecated]`: in a paragraph that starts with
/// `Deprecated`, as in Go, or with the text of the note.
fn states_deprecation(text: &str, note: &str) -> bool {
    let starts_paragraph = |paragraph: &str| {
        let word = "deprecated";
        let paragraph = paragraph.trim_start();
        let (start, rest) = paragraph.split_at_checked(word.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphanumeric)
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split('\n').any(starts_paragraph)
        || (!note.is_empty() && words(text).contains(words(note).trim_end_matches('.')))
}

/// Returns the byte ranges of attributes.
pub(super) fn attribute_ranges(attributes: &[Attribute], source: Source<'_>) -> Vec<(u32, u32)> {
    attributes
        .iter()
        .map(|attribute| {
            let start = source.start_of(attribute.pound_token.span);
            let end = source.end_of(attribute.bracket_token.span.close());
            (offset(start), offset(end))
        })
        .collect()
}

/// Returns the text of a literal, or of `concat!` with literals.
fn constant_text(expression: &Expr) -> Option<String> {
    let Expr::Macro(call) = expression else {
        return literal_text(expression);
    };
    if call.mac.path.segments.last()?.ident != "concat" {
        return None;
    }
    let parser = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let parts = syn::parse::Parser::parse2(parser, call.mac.tokens.clone()).ok()?;
    let texts = parts.iter().map(|part| match part {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => Some(text.value()),
            Lit::Char(character) => Some(character.value().to_string()),
            Lit::Bool(value) => Some(value.value.to_string()),
            Lit::Int(number) => Some(number.base10_digits().to_owned()),
            Lit::Float(number) => Some(number.base10_digits().to_owned()),
            _ => None,
        },
        part => constant_text(part),
    });
    texts.collect()
}

pub(super) fn literal_text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text), ..
        }) => Some(text.value()),
        _ => None,
    }
}
