//! Types of k8s-openapi, which do not have derives.
//!
//! Each of its files has one type: first its documentation and its fields, then several implementations. One of them
//! maps the names in JSON to the fields. Only these two parts are read, the second as text: the whole file is about ten
//! times as long, and parsing it takes that much longer.

use std::sync::Arc;

use kgen_diagnostics::{Problems, Span};

use super::{
    DocumentationStyle, Features, Field, Fields, FileDeclarations, Literal, Meta, MetaValue, Reach, Source,
    TypeDeclaration, TypeKind, parse_type,
};
use crate::ForeignMarkers;

/// The content of a file apart from its type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The end of the declaration of the type.
    pub(crate) end: usize,
    /// Names of fields in Rust and in JSON.
    names: Vec<(String, String)>,
    /// Whether the metadata may be absent.
    metadata_is_optional: bool,
    /// The text in the schema of a type without named fields. Its comment differs in spaces and fences.
    description: Option<String>,
}

/// Finds the parts of a file that declares a type. Returns `None` for other files.
pub(crate) fn cut(text: &str) -> Option<Cut> {
    let structure = text.find("\npub struct ");
    // Nearly all types are structs, and most of a file follows its type: that part is not searched.
    let before = structure.and_then(|start| text.get(..start)).unwrap_or(text);
    let start = before.find("\npub enum ").or(structure)? + 1;
    let line_end = text
        .get(start..)?
        .find('\n')
        .map_or(text.len(), |length| start + length);
    let first_line = text.get(start..line_end)?.trim_end();
    let end = if first_line.ends_with([';', '}']) {
        line_end
    } else {
        start + text.get(start..)?.find("\n}")? + 2
    };
    let rest = text.get(end..)?;
    let arms = rest
        .find("Ok(match v {")
        .and_then(|start| rest.get(start..))
        .unwrap_or_default();
    let arms = arms
        .find("_ => ")
        .and_then(|end| arms.get(..end))
        .unwrap_or_default();
    let names = arms.lines().filter_map(|line| {
        let (name, field) = line.trim().strip_prefix('"')?.split_once("\" => Field::Key_")?;
        Some((field.trim_end_matches(',').to_owned(), name.to_owned()))
    });
    let metadata_is_optional = text.get(start..end)?.contains("pub metadata: ")
        && rest.contains("metadata: value_metadata.unwrap_or_default()");
    Some(Cut {
        end,
        names: names.collect(),
        metadata_is_optional,
        description: first_line
            .ends_with(';')
            .then(|| stated_description(rest))
            .flatten(),
    })
}

/// Returns the first text in the schema in the rest of a file.
fn stated_description(text: &str) -> Option<String> {
    let after = ["\"description\": ", "description: Some("]
        .iter()
        .find_map(|start| text.split_once(start))?
        .1;
    let mut is_escaped = false;
    let end = after.char_indices().skip(1).find_map(|(index, letter)| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends.then_some(index)
    })?;
    let literal: syn::LitStr = syn::parse_str(after.get(..=end)?).ok()?;
    Some(literal.value())
}

/// Reads the declaration in the first part of a file.
pub(crate) fn lower(
    source: Source<'_>,
    cut: &Cut,
    features: &Features,
    problems: &mut Problems,
) -> Option<FileDeclarations> {
    // The schemas of k8s-openapi have the text of Kubernetes' own documents; the rules of schemars do not apply to it.
    let style = DocumentationStyle::ControllerGen;
    let mut declarations = super::lower(source, features, &ForeignMarkers::default(), style, problems)?;
    // Nobody else has the declarations yet.
    let module = Arc::get_mut(&mut declarations.module)?;
    for declaration in &mut module.types {
        complete(declaration, cut);
    }
    declarations.anywhere.clear();
    Some(declarations)
}

/// Adds the information to a type that derives would have.
fn complete(declaration: &mut TypeDeclaration, cut: &Cut) {
    declaration.markers.clear();
    unescape(&mut declaration.description);
    if let Some(stated) = &cut.description {
        declaration.description = Some(stated.clone());
    }
    let span = declaration.span;
    match &mut declaration.kind {
        TypeKind::Struct(Fields::Named(fields)) => {
            for field in fields.iter_mut() {
                field.markers.clear();
                unescape(&mut field.description);
                let json = cut
                    .names
                    .iter()
                    .find(|(known, _)| *known == field.name)
                    .map(|(_, json)| json.clone());
                field
                    .attributes
                    .serde
                    .extend(json.map(|json| rename(json, field.span)));
                if field.name == "metadata" && cut.metadata_is_optional {
                    field.attributes.serde.push(word("default", field.span));
                }
            }
            // The fields that exist only in JSON: the constants `apiVersion` and `kind` of an object.
            let missing = cut
                .names
                .iter()
                .filter(|(name, _)| !fields.iter().any(|field| field.name == *name));
            let constants: Vec<_> = missing
                .filter_map(|(name, json)| constant(name, json, span))
                .collect();
            fields.extend(constants);
        }
        // The few enums are distinguished by their contents.
        TypeKind::Enum(_) => declaration.attributes.serde.push(word("untagged", span)),
        _ => {}
    }
}

fn rename(json: String, span: Span) -> Meta {
    let value = MetaValue::Literal(Literal::Text(json), span);
    Meta {
        name: "rename".to_owned(),
        name_span: span,
        value,
        span,
    }
}

fn word(name: &str, span: Span) -> Meta {
    Meta {
        name: name.to_owned(),
        name_span: span,
        value: MetaValue::Word,
        span,
    }
}

fn constant(name: &str, json: &str, span: Span) -> Option<Field> {
    let mut attributes = super::Attributes::default();
    attributes.serde.push(rename(json.to_owned(), span));
    let description = match name {
        "api_version" => "The version of the API that the object is written in.",
        "kind" => "What sort of object it is.",
        _ => return None,
    };
    Some(Field {
        name: name.to_owned(),
        reach: Reach::Everywhere,
        span,
        attributes,
        description: Some(description.to_owned()),
        markers: Vec::new(),
        field_type: parse_type("::std::option::Option<::std::string::String>", span)?,
    })
}

/// Reverts the escapes for rustdoc.
fn unescape(description: &mut Option<String>) {
    let Some(text) = description.as_mut().filter(|text| text.contains('\\')) else {
        return;
    };
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped =
            characters.next_if(|next| character == '\\' && matches!(next, '[' | ']' | '<' | '>' | '\\'));
        plain.push(escaped.unwrap_or(character));
    }
    *text = plain;
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
// Generated from definition io.example.Host

/// A host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Host {
    /// Its \\[first\\] address.
    pub host_ip: Option<std::string::String>,
}

impl Host {
    fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
        Ok(match v {
            \"hostIP\" => Field::Key_host_ip,
            _ => Field::Other,
        })
    }
}
";

    #[test]
    fn the_declaration_and_the_names_are_cut_out() {
        let found = cut(FILE).unwrap();
        assert!(FILE[..found.end].ends_with("String>,\n}"));
        assert_eq!(found.names, [("host_ip".to_owned(), "hostIP".to_owned())]);
    }

    #[test]
    fn declarations_of_one_line() {
        let found = cut("/// A text.\npub struct Text(pub String);\n\nimpl Text {}\n").unwrap();
        assert_eq!(found.end, "/// A text.\npub struct Text(pub String);".len());
        assert!(cut("mod a;\npub use self::a::A;\n").is_none());
    }

    #[test]
    fn documentation_is_unescaped() {
        let mut text = Some(r"a\[0\] \< b \\d \n".to_owned());
        unescape(&mut text);
        assert_eq!(text.unwrap(), r"a[0] < b \d \n");
    }
}
