//! The effect of serde's attributes on a container, a field or a variant.
//!
//! schemars knows the same keywords and takes precedence, because it is the author's statement about the schema. If
//! serialization and deserialization differ, no schema is right, and that is reported.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned};

use super::keywords;
use super::rename::RenameRule;
use crate::declare::{Attributes, Fields, Literal, Meta, MetaValue, Variant};

/// How a struct or enum is read and written.
#[derive(Clone, Debug, Default)]
pub(super) struct Container {
    pub(super) rename_all: Option<RenameRule>,
    pub(super) rename_all_fields: Option<RenameRule>,
    pub(super) default: Option<DefaultSource>,
    pub(super) tag: Option<Spanned<String>>,
    pub(super) content: Option<Spanned<String>>,
    pub(super) untagged: Option<Span>,
    pub(super) transparent: bool,
    /// `deny_unknown_fields`.
    pub(super) denies_unknown: Option<Span>,
    /// The type that is read instead of this one.
    pub(super) read_as: Option<Spanned<String>>,
    /// The type that is written instead of this one.
    pub(super) written_as: Option<Spanned<String>>,
    /// The type that schemars describes instead of this one.
    pub(super) schema_of: Option<Spanned<String>>,
    /// The function that makes the schema.
    pub(super) schema_function: Option<Spanned<String>>,
}

/// How a field or variant is read and written.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    /// Its name in JSON, where an attribute gives one.
    pub(super) rename: Option<String>,
    /// The rule for fields of a struct variant.
    pub(super) rename_all: Option<RenameRule>,
    pub(super) aliases: Vec<Spanned<String>>,
    pub(super) default: Option<DefaultSource>,
    /// Not part of the JSON that is read.
    pub(super) skipped: bool,
    /// The attribute that omits the field in the output: `skip_serializing`, or `skip_serializing_if`.
    pub(super) left_out: Option<Span>,
    pub(super) flatten: Option<Span>,
    /// Read or written by code: the attribute that says so.
    pub(super) custom: Option<Spanned<String>>,
    /// The type whose schema replaces this one.
    pub(super) schema_of: Option<Spanned<String>>,
    /// A function that makes the schema.
    pub(super) schema_function: Option<Spanned<String>>,
    /// Whether schemars or a validator wants a value although it is an `Option`.
    pub(super) wanted: bool,
    /// A variant that takes every other name.
    pub(super) other: bool,
    pub(super) untagged: Option<Span>,
}

/// Where a default value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DefaultSource {
    /// The `Default` of the type.
    Trait,
    /// A function.
    Function(Spanned<String>),
}

/// Returns the keyword in force: schemars' before serde's. Returns `None` if schemars takes it back.
fn keyword<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a Meta> {
    if let Some(meta) = attributes.schemars.iter().find(|meta| meta.name == name) {
        return Some(meta);
    }
    let taken_back = attributes
        .schemars
        .iter()
        .any(|meta| meta.name.strip_prefix('!').is_some_and(|unset| unset == name));
    if taken_back { None } else { attributes.serde(name) }
}

fn text_of(attributes: &Attributes, name: &str) -> Option<Spanned<String>> {
    keyword(attributes, name)?
        .text()
        .map(|text| Spanned::new(text.value.to_owned(), text.span))
}

fn default_of(attributes: &Attributes) -> Option<DefaultSource> {
    let meta = keyword(attributes, "default")?;
    Some(match meta.text() {
        Some(path) => DefaultSource::Function(Spanned::new(path.value.to_owned(), path.span)),
        None => DefaultSource::Trait,
    })
}

/// Reads the attributes of a struct or enum.
pub(super) fn container(attributes: &Attributes, problems: &mut Problems) -> Container {
    keywords::check_serde(&attributes.serde, problems);
    Container {
        rename_all: rename_rule(attributes, "rename_all", problems),
        rename_all_fields: rename_rule(attributes, "rename_all_fields", problems),
        default: default_of(attributes),
        tag: text_of(attributes, "tag"),
        content: text_of(attributes, "content"),
        untagged: keyword(attributes, "untagged").map(|meta| meta.span),
        transparent: keyword(attributes, "transparent").is_some(),
        denies_unknown: attributes.serde("deny_unknown_fields").map(|meta| meta.span),
        read_as: text_of(attributes, "from").or_else(|| text_of(attributes, "try_from")),
        written_as: text_of(attributes, "into"),
        schema_of: schema_of(attributes),
        schema_function: schema_function(attributes),
    }
}

/// Reads the attributes of a field or variant.
pub(super) fn member(attributes: &Attributes, problems: &mut Problems) -> Member {
    keywords::check_serde(&attributes.serde, problems);
    let custom = ["with", "serialize_with", "deserialize_with"]
        .into_iter()
        .find_map(|name| {
            attributes
                .serde(name)
                .map(|meta| Spanned::new(name.to_owned(), meta.span))
        });
    let aliases = attributes
        .serde
        .iter()
        .filter(|meta| meta.name == "alias")
        .filter_map(Meta::text);
    Member {
        rename: rename(attributes, problems),
        rename_all: rename_rule(attributes, "rename_all", problems),
        aliases: aliases
            .map(|alias| Spanned::new(alias.value.to_owned(), alias.span))
            .collect(),
        default: default_of(attributes),
        skipped: keyword(attributes, "skip").is_some() || keyword(attributes, "skip_deserializing").is_some(),
        left_out: ["skip_serializing_if", "skip_serializing"]
            .into_iter()
            .find_map(|name| attributes.serde(name).map(|meta| meta.span)),
        flatten: keyword(attributes, "flatten").map(|meta| meta.span),
        custom,
        schema_of: schema_of(attributes),
        schema_function: schema_function(attributes),
        wanted: attributes
            .schemars
            .iter()
            .chain(&attributes.validate)
            .chain(&attributes.garde)
            .any(|meta| meta.name == "required" && matches!(meta.value, MetaValue::Word)),
        other: keyword(attributes, "other").is_some(),
        untagged: keyword(attributes, "untagged").map(|meta| meta.span),
    }
}

/// Returns the fields of a variant as serde sees them: a variant whose only unnamed value is skipped is a name alone.
pub(super) fn fields_of(variant: &Variant) -> &Fields {
    static NONE: Fields = Fields::Unit;
    match &variant.fields {
        Fields::Unnamed(fields) if matches!(fields.as_slice(), [field] if is_skipped(&field.attributes)) => {
            &NONE
        }
        fields => fields,
    }
}

/// Returns whether a field is neither read nor written.
pub(super) fn is_skipped(attributes: &Attributes) -> bool {
    let has = |name: &str| attributes.serde(name).is_some();
    has("skip") || (has("skip_serializing") && has("skip_deserializing"))
}

/// Returns the type of `#[schemars(with = "T")]`.
fn schema_of(attributes: &Attributes) -> Option<Spanned<String>> {
    let meta = attributes.schemars.iter().find(|meta| meta.name == "with")?;
    let text = meta.text()?;
    Some(Spanned::new(text.value.to_owned(), text.span))
}

/// Returns the function of `#[schemars(schema_with = "path")]`, at the whole key.
fn schema_function(attributes: &Attributes) -> Option<Spanned<String>> {
    let mut metas = attributes.schemars.iter();
    let meta = metas.find(|meta| meta.name == "schema_with")?;
    Some(Spanned::new(meta.text()?.value.to_owned(), meta.span))
}

/// Returns the two directions of `name(serialize = "…", deserialize = "…")`.
fn directions(meta: &Meta) -> (Option<&str>, Option<&str>) {
    let side = |wanted: &str| {
        meta.list()
            .iter()
            .find(|part| part.name == wanted)
            .and_then(|part| part.text().map(|text| text.value))
    };
    (side("serialize"), side("deserialize"))
}

fn rename(attributes: &Attributes, problems: &mut Problems) -> Option<String> {
    let meta = keyword(attributes, "rename")?;
    if let Some(text) = meta.text() {
        return Some(text.value.to_owned());
    }
    let (written, read) = directions(meta);
    if written != read {
        problems.push(differs(meta.span));
    }
    read.map(str::to_owned)
}

fn rename_rule(attributes: &Attributes, name: &str, problems: &mut Problems) -> Option<RenameRule> {
    let meta = keyword(attributes, name)?;
    let (rule, span) = match &meta.value {
        MetaValue::Literal(Literal::Text(text), span) => (text.as_str(), *span),
        _ => {
            let (written, read) = directions(meta);
            if written != read {
                problems.push(differs(meta.span));
            }
            (read?, meta.span)
        }
    };
    let found = RenameRule::from_name(rule);
    if found.is_none() {
        let names: Vec<_> = RenameRule::ALL
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        problems.push(
            Problem::error(
                Code::InvalidAttribute,
                span,
                format!("serde does not have the rename rule `{rule}`"),
            )
            .help(format!("the rules are {}", names.join(", "))),
        );
    }
    found
}

fn differs(span: Span) -> Problem {
    Problem::error(
        Code::RenameDiffers,
        span,
        "the field has different names for reading and writing",
    )
    .label("serde cannot read back the name that it writes")
    .help("use one name for both, because one schema describes both directions")
}
