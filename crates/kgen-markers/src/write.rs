//! The other direction of the table: from what a node must have to the markers that say it.
//!
//! A [`SchemaGap`] is the difference between the schema that a node must have and the one that its Rust type gives it.
//! Each definition knows how to write itself for its part of the difference, so the text of markers has one home.

use kgen_diagnostics::Code;
use kgen_model::{
    AccessRule, Constraints, KindVersion, Number, Resource, Rule, Schema, Webhook, WebhookConfiguration,
};

use crate::table::{self, definitions};
use crate::value::{Located, contents_of};

/// The difference between two schemas of a node.
#[derive(Clone, Copy, Debug)]
pub struct SchemaGap<'a> {
    /// The schema that the node must have.
    pub wanted: &'a Schema,
    /// The schema that it has without markers.
    pub base: &'a Schema,
}

/// A version of a kind, and the resource that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct KindGap<'a> {
    /// The resource.
    pub resource: &'a Resource,
    /// The version.
    pub version: &'a KindVersion,
    /// The name of the Rust type.
    pub rust_name: &'a str,
    /// Whether only a marker shows that the type is a kind, so that it needs at least one.
    pub needs_marker: bool,
}

/// The group and version of a module.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModuleGap<'a> {
    /// The group.
    pub group: Option<&'a str>,
    /// The version.
    pub version: Option<&'a str>,
}

/// The node to which the markers of a gap apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The node that has the markers.
    Own,
    /// The items of a list.
    Items,
    /// The values of a map.
    Values,
}

/// Writes one marker of the table, as often as the difference needs it. The text has no `+`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Writer {
    Schema(fn(&SchemaGap<'_>) -> Vec<String>),
    Kind(fn(&KindGap<'_>) -> Vec<String>),
    Module(fn(&ModuleGap<'_>) -> Vec<String>),
    Allowance(fn(&Code) -> Vec<String>),
    Presence(fn(&bool) -> Vec<String>),
    Schemaless(fn(&()) -> Vec<String>),
    Access(fn(&AccessRule) -> Vec<String>),
    Webhook(fn(&Webhook) -> Vec<String>),
    Configuration(fn(&WebhookConfiguration) -> Vec<String>),
}

/// One writer, from a `write` line of the table.
macro_rules! writer {
    (schema |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Schema, $crate::write::SchemaGap<'_>, $gap, $body, $text }
    };
    (kind |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Kind, $crate::write::KindGap<'_>, $gap, $body, $text }
    };
    (module |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Module, $crate::write::ModuleGap<'_>, $gap, $body, $text }
    };
    (allowance |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Allowance, kgen_diagnostics::Code, $gap, $body, $text }
    };
    (presence |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Presence, bool, $gap, $body, $text }
    };
    (schemaless |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Schemaless, (), $gap, $body, $text }
    };
    (access |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Access, kgen_model::AccessRule, $gap, $body, $text }
    };
    (webhook |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Webhook, kgen_model::Webhook, $gap, $body, $text }
    };
    (configuration |$gap:ident| $body:expr, $text:path) => {
        $crate::write::writer! { @ Configuration, kgen_model::WebhookConfiguration, $gap, $body, $text }
    };
    (@ $variant:ident, $type:ty, $gap:ident, $body:expr, $text:path) => {
        $crate::write::Writer::$variant(|$gap: &$type| ($body).into_iter().map($text).collect())
    };
}

pub(crate) use writer;

/// Returns a marker with its arguments, without `+`. Arguments that are `None` are left out.
pub(crate) fn text(name: &str, arguments: &[(&str, Option<String>)]) -> String {
    let mut result = name.to_owned();
    let present = |wanted: fn(&str) -> bool| {
        let arguments = arguments.iter().filter(move |(key, _)| wanted(key));
        arguments.filter_map(|(key, value)| Some((*key, value.as_deref()?)))
    };
    let inside: Vec<_> = present(|key| key.starts_with('('))
        .map(|(key, value)| match key {
            "()" => value.to_owned(),
            key => format!("{}: {value}", key.trim_matches(['(', ')'])),
        })
        .collect();
    if !inside.is_empty() {
        result += &format!("({})", inside.join(", "));
    }
    let mut has_value = false;
    for (_, value) in present(|key| key == "=") {
        result += &format!("={value}");
        has_value = true;
    }
    let named = present(|key| key != "=" && !key.starts_with('('));
    for (index, (key, value)) in named.enumerate() {
        result.push(if index == 0 && !has_value { ':' } else { ',' });
        result += &format!("{key}={value}");
    }
    result
}

/// Returns the lines, with `+`, that give a node its wanted schema. Children of the node are not compared.
#[must_use]
pub fn schema_lines(gap: &SchemaGap<'_>, reach: Reach) -> Vec<String> {
    let mut lines = Vec::new();
    let wanted = gap.without_contents();
    let others = SchemaGap {
        wanted: &wanted,
        base: gap.base,
    };
    for definition in definitions() {
        let Some(Writer::Schema(write)) = definition.writer else {
            continue;
        };
        let is_contents = definition.name == table::CONTENTS;
        for text in write(if is_contents { gap } else { &others }) {
            lines.push(match (reach, table::items_name(definition)) {
                (Reach::Own, _) => format!("+{text}"),
                (Reach::Items, Some(name)) => {
                    format!(
                        "+{name}{}",
                        text.strip_prefix(definition.name).unwrap_or_default()
                    )
                }
                (Reach::Items | Reach::Values, _) => for_each_value(&format!("+{text}")),
            });
        }
    }
    lines
}

/// Returns the line that applies the marker of another line to every value of a list or map.
#[must_use]
pub fn for_each_value(line: &str) -> String {
    format!("+{}={line}", table::EACH_VALUE)
}

/// Returns the line that applies the marker of another line to a field of the node.
#[must_use]
pub fn for_subfield(field: &str, line: &str) -> String {
    format!(
        "+{}({})={line}",
        table::SUBFIELD,
        crate::value::written::string(field)
    )
}

/// Returns the lines of a kind, without those of its schema.
#[must_use]
pub fn kind_lines(gap: &KindGap<'_>) -> Vec<String> {
    written(|writer| match writer {
        Writer::Kind(write) => write(gap),
        _ => Vec::new(),
    })
}

/// Returns the lines at the start of a module.
#[must_use]
pub fn module_lines(gap: &ModuleGap<'_>) -> Vec<String> {
    written(|writer| match writer {
        Writer::Module(write) => write(gap),
        _ => Vec::new(),
    })
}

/// Returns the line that allows the problems of a code at its node.
#[must_use]
pub fn allow_line(code: Code) -> String {
    let lines = written(|writer| match writer {
        Writer::Allowance(write) => write(&code),
        _ => Vec::new(),
    });
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the lines of an RBAC rule. A rule with a star is allowed, because its author meant it.
#[must_use]
pub fn access_lines(rule: &AccessRule) -> Vec<String> {
    let values = rule.resources.iter().chain(&rule.verbs).chain(&rule.urls);
    let mut texts = values
        .map(|value| value.value.as_str())
        .chain(rule.groups.iter().map(String::as_str));
    let has_star = texts.any(|text| text == "*");
    let rule = written(|writer| match writer {
        Writer::Access(write) => write(rule),
        _ => Vec::new(),
    });
    has_star
        .then(|| allow_line(Code::RbacWildcard))
        .into_iter()
        .chain(rule)
        .collect()
}

/// Returns the line of an admission webhook.
#[must_use]
pub fn webhook_line(webhook: &Webhook) -> String {
    let lines = written(|writer| match writer {
        Writer::Webhook(write) => write(webhook),
        _ => Vec::new(),
    });
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the line that names a webhook configuration.
#[must_use]
pub fn webhook_configuration_line(configuration: &WebhookConfiguration) -> String {
    let lines = written(|writer| match writer {
        Writer::Configuration(write) => write(configuration),
        _ => Vec::new(),
    });
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the line that ignores the type of a field, so that only its markers make its schema.
#[must_use]
pub fn schemaless_line() -> String {
    let lines = written(|writer| match writer {
        Writer::Schemaless(write) => write(&()),
        _ => Vec::new(),
    });
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the line that makes a field required, or optional.
#[must_use]
pub fn presence_line(required: bool) -> String {
    let lines = written(|writer| match writer {
        Writer::Presence(write) => write(&required),
        _ => Vec::new(),
    });
    lines.into_iter().next().unwrap_or_default()
}

fn written(write: impl Fn(Writer) -> Vec<String>) -> Vec<String> {
    let texts = definitions()
        .iter()
        .filter_map(|definition| definition.writer)
        .flat_map(write);
    texts.map(|text| format!("+{text}")).collect()
}

/// Questions that the `write` lines of the table ask. Each returns what the node lacks.
impl SchemaGap<'_> {
    pub(crate) fn number(
        &self,
        bound: impl Fn(&Constraints) -> Option<Number>,
    ) -> Option<(Located<Number>,)> {
        self.stated(bound).map(|number| (number.into(),))
    }

    pub(crate) fn stated<T: PartialEq>(&self, part: impl Fn(&Constraints) -> Option<T>) -> Option<T> {
        let wanted = part(&self.wanted.constraints);
        if wanted == part(&self.base.constraints) {
            None
        } else {
            wanted
        }
    }

    pub(crate) fn flag(&self, part: impl Fn(&Constraints) -> bool) -> bool {
        part(&self.wanted.constraints) && !part(&self.base.constraints)
    }

    pub(crate) fn part<T: PartialEq>(&self, part: impl Fn(&Schema) -> Option<T>) -> Option<T> {
        let wanted = part(self.wanted);
        if wanted == part(self.base) { None } else { wanted }
    }

    /// Returns the format, if the type implies another one. An empty format removes it.
    pub(crate) fn format(&self) -> Option<String> {
        let implied = if self.replaces_type() {
            None
        } else {
            self.base.format()
        };
        let wanted = self.wanted.format().filter(|format| !format.is_empty());
        (wanted != implied).then(|| wanted.unwrap_or_default().to_owned())
    }

    /// Returns the word of the type, if it must be replaced.
    pub(crate) fn new_type(&self) -> Option<&'static str> {
        self.replaces_type()
            .then(|| self.wanted.json_type.map_or("", kgen_model::JsonType::word))
    }

    /// Returns the description, if it is another one. An empty description removes it.
    pub(crate) fn description(&self) -> Option<String> {
        let (wanted, base) = (&self.wanted.description, &self.base.description);
        (wanted != base).then(|| wanted.clone().unwrap_or_default())
    }

    /// Returns whether the node needs a flag.
    pub(crate) fn gains(&self, flag: impl Fn(&Schema) -> bool) -> bool {
        flag(self.wanted) && !flag(self.base)
    }

    /// Returns whether the node must accept integers and strings.
    pub(crate) fn becomes_int_or_string(&self) -> bool {
        self.wanted.int_or_string && (!self.base.int_or_string || self.replaces_type())
    }

    /// Returns whether the type must be replaced: it is another one, or it implies alternatives that the node must not have.
    pub(crate) fn replaces_type(&self) -> bool {
        self.wanted.json_type != self.base.json_type
            || self.base.int_or_string && (!self.wanted.int_or_string || self.lacks_alternatives())
    }

    /// Returns whether the Rust type accepts integers and strings by alternatives, and the node by the flag alone.
    fn lacks_alternatives(&self) -> bool {
        !self.base.any_of.is_empty() && self.wanted.any_of.is_empty()
    }

    /// Returns what is inside of a value without a type, if its Rust type does not say so.
    pub(crate) fn contents(&self) -> Option<Schema> {
        let wanted = contents_of(self.wanted).without_places();
        let is_new = wanted != Schema::default() && wanted != contents_of(self.base).without_places();
        (self.has_any_type() && is_new).then_some(wanted)
    }

    /// Returns whether the node accepts values of any type.
    fn has_any_type(&self) -> bool {
        self.wanted.json_type.is_none() && !self.wanted.int_or_string
    }

    /// Returns the schema without the bounds that only the contents of a value without a type can state.
    fn without_contents(&self) -> Schema {
        let mut wanted = self.wanted.clone();
        if self.has_any_type() && wanted.constraints.bounds() != Constraints::default() {
            wanted.constraints.bound_by(&Constraints::default());
        }
        wanted
    }

    /// Returns the alternatives that are not implied by an integer or string.
    pub(crate) fn alternatives(&self) -> Option<Vec<Schema>> {
        let wanted = without_places(&self.wanted.any_of);
        let base = without_places(&self.base.any_of);
        (!wanted.is_empty() && (wanted != base || self.replaces_type())).then_some(wanted)
    }

    /// Returns the parts of a combination, if they are not those of the type.
    pub(crate) fn parts(&self, parts: impl Fn(&Schema) -> Vec<Schema>) -> Option<Vec<Schema>> {
        let wanted = without_places(&parts(self.wanted));
        let base = without_places(&parts(self.base));
        (!wanted.is_empty() && wanted != base).then_some(wanted)
    }

    /// Returns the keys of a list map, if they are not those of the type.
    pub(crate) fn list_map_keys(&self) -> &[String] {
        if *self.wanted.list_map_keys == *self.base.list_map_keys {
            &[]
        } else {
            &self.wanted.list_map_keys
        }
    }

    /// Returns whether the node states a constraint that the type has, too, and that must not be combined with it.
    pub(crate) fn overrides(&self) -> bool {
        let (wanted, mut left) = (&self.wanted.constraints, self.base.constraints.clone());
        let mut combined = wanted.clone();
        left.give_way(wanted) && combined.inherit(self.base.constraints.clone()).is_ok() && {
            let mut replaced = wanted.clone();
            replaced.inherit(left).is_ok() && replaced != combined
        }
    }

    /// Returns the rules of the node. Those of its type come after them.
    pub(crate) fn rules(&self) -> &[Rule] {
        let (wanted, base) = (&self.wanted.constraints.rules, &self.base.constraints.rules);
        wanted
            .get(..wanted.len().saturating_sub(base.len()))
            .unwrap_or_default()
    }
}

/// Returns schemas without their places, to compare and to write them.
pub(crate) fn without_places(schemas: &[Schema]) -> Vec<Schema> {
    schemas.iter().map(Schema::without_places).collect()
}
