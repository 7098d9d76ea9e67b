//! Decides the Rust type and the markers of every field, and puts the items of a version together.

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::write::{
    KindGap, Reach, SchemaGap, allow_line, for_each_value, for_subfield, kind_lines, presence_line,
    schema_lines,
};
use kgen_model::{JsonType, Schema};
use rustc_hash::FxHashMap;

use super::classes::{Classes, KindSource, Sort, in_field_order, is_struct, variants};
use super::digest::without_use;
use super::rust_type::{self, OBJECT_META, VALUE};
use super::{
    Body, ClassId, Field, Item, KindFile, KnownPath, RustType, Variant, Version, defaults, descriptions,
    naming, words,
};
use crate::options::{Enums, KubernetesTypes, Options, Style};

/// The function that reads a value which is there, so that `null` differs from an absent field.
pub(crate) const PRESENT: &str = "present";

/// Problems that an API server accepts, by their place in the YAML.
#[derive(Debug, Default)]
pub(crate) struct Allowed(pub(crate) FxHashMap<Span, BTreeSet<Code>>);

impl Allowed {
    /// Collects the codes of problems at a schema and in its combinations, but not at the values inside of it.
    fn codes(&self, schema: &Schema, found: &mut BTreeSet<Code>) {
        if self.0.is_empty() {
            return;
        }
        for span in schema.places.all() {
            found.extend(self.0.get(&span).into_iter().flatten());
        }
        for rule in &schema.constraints.rules {
            found.extend(rule.span.and_then(|span| self.0.get(&span)).into_iter().flatten());
        }
        let lists = [&*schema.any_of, &*schema.one_of, &schema.constraints.all_of];
        for part in lists.into_iter().flatten().chain(schema.not.as_deref()) {
            self.part_codes(part, found);
        }
        if schema.json_type.is_none() {
            self.inner_codes(schema, found);
        }
    }

    /// Collects the codes of problems anywhere in a part of a combination.
    fn part_codes(&self, part: &Schema, found: &mut BTreeSet<Code>) {
        self.codes(part, found);
        self.inner_codes(part, found);
    }

    fn inner_codes(&self, part: &Schema, found: &mut BTreeSet<Code>) {
        let inner = part
            .properties
            .values()
            .chain(&part.items)
            .chain(&part.additional_properties);
        for inner in inner {
            self.part_codes(inner, found);
        }
    }
}

/// A schema as Rust.
pub(super) struct Expressed {
    pub(super) rust_type: RustType,
    /// The schema that kgen gives the type, without what is inside of it.
    base: Schema,
    /// Markers for what is inside of it.
    inner: Vec<String>,
    /// Codes of problems at the values inside of it.
    codes: BTreeSet<Code>,
}

pub(super) struct Expression<'c, 'a> {
    pub(super) classes: &'c Classes<'a>,
    pub(super) options: &'c Options,
    allowed: &'c Allowed,
}

/// Plans one version of a group.
pub(crate) fn version(
    name: &str,
    kinds: &[KindSource<'_>],
    options: &Options,
    allowed: &Allowed,
    known_paths: &mut Vec<KnownPath>,
    problems: &mut Problems,
) -> Version {
    let mut classes = Classes::of(kinds, options);
    naming::name_all(&mut classes, kinds, options, problems);
    note_extended(&classes, problems);
    known_paths.extend(classes.paths.iter().map(|(path, class)| KnownPath {
        version: name.to_owned(),
        path: path.clone(),
        has_type: class.is_some(),
    }));
    let express = Expression {
        classes: &classes,
        options,
        allowed,
    };
    let users = users(&classes, kinds.len());
    let mut planned = Version {
        name: name.to_owned(),
        module: words::module(name),
        kinds: Vec::new(),
        shared: Vec::new(),
        names: classes.list.iter().map(|class| class.name.clone()).collect(),
        defaults: BTreeSet::new(),
        kubernetes_types: classes.kubernetes_names().count(),
    };
    for (index, kind) in kinds.iter().enumerate() {
        let mut items = Vec::new();
        let (mut spec, mut status) = (None, None);
        match options.style {
            Style::Kgen => items.push(express.kind(kind, problems)),
            Style::Kube => {
                items.extend(express.kube_kind(kind, problems));
                let class = |property: &str| {
                    let schema = kind.version.schema.properties.get(property);
                    schema.and_then(|schema| classes.class_of(schema))
                };
                spec = class("spec");
                status = class("status");
            }
        }
        for id in in_order(
            &classes,
            classes.of_kinds.get(index).map(Vec::as_slice).unwrap_or_default(),
        ) {
            if users.get(&id).is_none_or(|users| users.len() != 1) || spec == Some(id) {
                continue;
            }
            // The derive declares the field, so the type has its description.
            let of_field = classes.get(id).and_then(|class| class.description.flatten());
            items.extend(match status == Some(id) {
                true => express.described_class(id, of_field, problems),
                false => express.class(id, problems),
            });
        }
        planned.names.push(words::type_name(&kind.version.kind));
        let mut module = words::kind_module(&kind.version.kind);
        while planned.kinds.iter().any(|known| known.module == module) {
            module.push_str("_alt");
        }
        planned.kinds.push(KindFile {
            module,
            definition: kind.definition.name.clone(),
            items,
        });
    }
    let all: Vec<ClassId> = classes.of_kinds.iter().flatten().copied().collect();
    for id in in_order(&classes, &all) {
        if users.get(&id).is_some_and(|users| users.len() > 1) {
            planned.shared.extend(express.class(id, problems));
        }
    }
    planned.defaults = defaults::names(&planned);
    planned
}

/// Notes where a type of Kubernetes has more fields than the object.
fn note_extended(classes: &Classes<'_>, problems: &mut Problems) {
    for extended in &classes.extended {
        let message = format!(
            "`{}` becomes `{}`, which has more fields: {}",
            extended.path,
            extended.name,
            extended.additional.join(", ")
        );
        let mut problem = Problem::note(Code::ImportLoss, message);
        problem.span = extended.span;
        problems.push(problem);
    }
}

/// Returns the kinds that use each class.
fn users(classes: &Classes<'_>, kinds: usize) -> FxHashMap<ClassId, BTreeSet<usize>> {
    let mut users: FxHashMap<ClassId, BTreeSet<usize>> = FxHashMap::default();
    for kind in 0..kinds {
        let roots = classes.of_kinds.get(kind).map(Vec::as_slice).unwrap_or_default();
        for id in in_order(classes, roots) {
            users.entry(id).or_default().insert(kind);
        }
    }
    users
}

/// Returns classes and everything that they use, in the order in which fields first mention them.
fn in_order(classes: &Classes<'_>, roots: &[ClassId]) -> Vec<ClassId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting: std::collections::VecDeque<ClassId> = roots.iter().copied().collect();
    while let Some(id) = waiting.pop_front() {
        if seen.insert(id) {
            order.push(id);
            waiting.extend(
                classes
                    .get(id)
                    .map(|class| class.uses.as_slice())
                    .unwrap_or_default(),
            );
        }
    }
    order
}

impl Expression<'_, '_> {
    /// Returns the item of a kind.
    fn kind(&self, kind: &KindSource<'_>, problems: &mut Problems) -> Item {
        let (resource, version) = (&kind.definition.resource, kind.version);
        let schema = &version.schema;
        let name = words::type_name(&version.kind);
        let gap = KindGap {
            resource,
            version,
            rust_name: &name,
            needs_marker: false,
        };
        let mut markers = kind_lines(&gap);
        let has_marker = !markers.is_empty();
        let mut codes = BTreeSet::new();
        for span in kind_spans(version) {
            codes.extend(self.allowed.0.get(&span).into_iter().flatten());
        }
        let base = Schema {
            description: schema.description.clone(),
            preserve_unknown_fields: schema.preserve_unknown_fields,
            ..Schema::of_type(JsonType::Object)
        };
        let (docs, base) = self.docs(schema, base);
        markers.extend(schema_lines(
            &SchemaGap {
                wanted: &without_absent(schema),
                base: &base,
            },
            Reach::Own,
        ));
        self.allowed.codes(schema, &mut codes);
        markers.extend(codes.into_iter().map(allow_line));
        let requires_status = version.status_subresource.is_some() && schema.required.contains("status");
        let mut fields = vec![Field {
            name: "metadata".to_owned(),
            docs: Vec::new(),
            markers: metadata_lines(schema),
            serde: Vec::new(),
            rust_type: RustType::foreign(OBJECT_META),
        }];
        fields.extend(self.fields(schema, &version.kind, problems));
        // A property such as `Metadata` wants the name of the field that every kind has.
        for field in fields.iter_mut().skip(1).filter(|field| field.name == "metadata") {
            field.name = "metadata_alt".to_owned();
        }
        if let Some(status) = fields
            .iter_mut()
            .find(|field| field.name == "status" && requires_status)
        {
            status.markers.push(allow_line(Code::RequiredStatus));
        }
        if schema.preserve_unknown_fields {
            fields.push(unknown_fields(&fields));
        }
        let fields = fields.into_iter();
        let has_renames = fields.clone().any(|field| {
            field
                .serde
                .iter()
                .any(|part| part.starts_with("rename") || part == "flatten")
        });
        let mut item = Item {
            name: name.clone(),
            docs,
            markers,
            has_serde: false,
            custom_resource: None,
            attributes: Vec::new(),
            body: Body::Struct(Vec::new()),
        };
        let mut fields: Vec<Field> = if has_renames {
            item.has_serde = true;
            if !has_marker {
                // Among structs with serde's derives, only a marker makes a kind.
                let gap = KindGap {
                    needs_marker: true,
                    ..gap
                };
                item.markers.splice(0..0, kind_lines(&gap));
            }
            item.attributes
                .push("serde(rename_all = \"camelCase\")".to_owned());
            let is_free = |name: &&str| !fields.clone().any(|field| field.name == **name);
            let name = ["types", "type_meta", "kind_types"].into_iter().find(is_free);
            let types = Field {
                name: name.unwrap_or("types_of_kind").to_owned(),
                docs: Vec::new(),
                markers: Vec::new(),
                serde: vec!["flatten".to_owned()],
                rust_type: RustType::foreign("kube::core::TypeMeta"),
            };
            std::iter::once(types).chain(fields).collect()
        } else {
            fields
                .map(|field| Field {
                    serde: Vec::new(),
                    ..field
                })
                .collect()
        };
        fields.retain(|field| !field.name.is_empty());
        item.body = Body::Struct(fields);
        item
    }

    /// Returns the item of a class.
    fn class(&self, id: ClassId, problems: &mut Problems) -> Option<Item> {
        self.described_class(id, self.classes.description(id), problems)
    }

    /// Returns the item of a class with a description.
    pub(super) fn described_class(
        &self,
        id: ClassId,
        description: Option<&str>,
        problems: &mut Problems,
    ) -> Option<Item> {
        let class = self.classes.get(id)?;
        if class.sort == Sort::Enum {
            return Some(enumeration(
                &class.name,
                class.schema,
                self.options.enums == Enums::Open,
            ));
        }
        let schema = class.schema;
        let own = without_use(schema);
        let base = Schema {
            preserve_unknown_fields: schema.preserve_unknown_fields,
            ..Schema::of_type(JsonType::Object)
        };
        let wanted = Schema {
            description: description.map(str::to_owned),
            ..own
        };
        let base = Schema {
            description: wanted.description.clone(),
            ..base
        };
        let (docs, mut base) = self.docs(&wanted, base);
        let choices = self.choices(schema);
        if choices.is_some() {
            base.one_of = schema.one_of.clone();
        }
        let mut markers = schema_lines(
            &SchemaGap {
                wanted: &without_absent(&wanted),
                base: &base,
            },
            Reach::Own,
        );
        let mut codes = BTreeSet::new();
        self.allowed.codes(schema, &mut codes);
        markers.extend(codes.into_iter().map(allow_line));
        if let Some(choices) = choices {
            return Some(Item {
                name: class.name.clone(),
                docs,
                markers,
                has_serde: true,
                custom_resource: None,
                attributes: vec!["serde(rename_all = \"camelCase\")".to_owned()],
                body: Body::Choice(choices),
            });
        }
        let mut fields = self.fields(schema, &class.path, problems);
        if schema.embedded_resource {
            fields.splice(0..0, identity_fields(schema, &fields));
        }
        if schema.preserve_unknown_fields {
            fields.push(unknown_fields(&fields));
        }
        Some(Item {
            name: class.name.clone(),
            docs,
            markers,
            has_serde: true,
            custom_resource: None,
            attributes: vec!["serde(rename_all = \"camelCase\")".to_owned()],
            body: Body::Struct(fields),
        })
    }

    /// Returns whether a value needs a marker that allows a problem.
    pub(super) fn allows_something(&self, schema: &Schema) -> bool {
        let mut codes = self.express(schema).codes;
        self.allowed.codes(schema, &mut codes);
        is_float(schema) || !codes.is_empty()
    }

    /// Returns the comment of a schema, and the base with the description that the comment gives it.
    fn docs(&self, wanted: &Schema, mut base: Schema) -> (Vec<String>, Schema) {
        let Some(text) = &wanted.description else {
            return (Vec::new(), base);
        };
        match descriptions::faithful(text) {
            Some(lines) if self.options.docs => {
                base.description = Some(text.clone());
                (lines, base)
            }
            _ => {
                base.description = None;
                let lines = if self.options.docs {
                    descriptions::readable(text)
                } else {
                    Vec::new()
                };
                (lines, base)
            }
        }
    }

    /// Returns the fields of an object.
    fn fields(&self, schema: &Schema, path: &str, problems: &mut Problems) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let properties = in_field_order(schema);
        let is_root = !path.contains('.');
        let names = field_names(&properties, path, problems);
        for ((json_name, property), name) in properties.into_iter().zip(names) {
            if is_root && json_name == "metadata" {
                continue;
            }
            let mut field = self.field(property, schema.required.contains(json_name));
            if !words::has_camel_case(&name) || kgen_model::rust_names::camel(&name) != *json_name {
                field.serde.insert(0, format!("rename = {}", quoted(json_name)));
            }
            field.name = name;
            fields.push(field);
        }
        fields
    }

    /// Returns a field without its name.
    pub(super) fn field(&self, schema: &Schema, required: bool) -> Field {
        let expressed = self.express(schema);
        let is_any = expressed.rust_type == RustType::foreign(VALUE);
        let mut base = expressed.base;
        let mut markers = Vec::new();
        let mut serde = Vec::new();
        let mut rust_type = expressed.rust_type;
        let mut wanted = without_absent(schema);
        if rust_type == RustType::foreign(OBJECT_META) && schema.properties.is_empty() {
            markers.push(kgen_markers::write::schemaless_line());
            base = Schema::default();
        }
        if required && is_any {
            if schema.nullable {
                base.nullable = true;
            } else {
                markers.push(kgen_markers::write::schemaless_line());
                base.preserve_unknown_fields = false;
            }
        } else if required && schema.nullable {
            rust_type = rust_type.optional();
            markers.push(presence_line(true));
        } else if !required {
            rust_type = rust_type.optional();
            if schema.nullable && schema.default.is_some() && !is_any {
                // The API server replaces an absent value by the default, but not `null`.
                rust_type = rust_type.optional();
                serde.push("default".to_owned());
                serde.push(format!("deserialize_with = {}", quoted(PRESENT)));
            }
            serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        }
        if is_float(schema) {
            markers.push(allow_line(Code::DangerousType));
        }
        let type_description = base.description.take();
        let (docs, mut base) = self.docs(schema, base);
        if docs.is_empty() && schema.description.is_none() {
            base.description = type_description;
        }
        if wanted.json_type.is_some() {
            // The fields of the struct say this.
            wanted.properties.clear();
        }
        markers.extend(schema_lines(
            &SchemaGap {
                wanted: &wanted,
                base: &base,
            },
            Reach::Own,
        ));
        markers.extend(expressed.inner);
        let mut codes = expressed.codes;
        self.allowed.codes(schema, &mut codes);
        codes.remove(&Code::DangerousType);
        markers.extend(codes.into_iter().map(allow_line));
        Field {
            name: String::new(),
            docs,
            markers,
            serde,
            rust_type,
        }
    }

    /// Returns a schema as Rust. Whether it may be null or absent is decided by its user.
    pub(super) fn express(&self, schema: &Schema) -> Expressed {
        if let Some(rust_type) = self.classes.replacement(schema) {
            // Only the user knows the schema of the type, so the import trusts that it is the right one.
            return Expressed {
                rust_type: RustType::foreign(rust_type),
                base: without_use(schema),
                inner: Vec::new(),
                codes: BTreeSet::new(),
            };
        }
        if let Some(path) = self.classes.kubernetes(schema) {
            // The descriptions are those of Kubernetes.
            return Expressed {
                rust_type: RustType::foreign(path),
                base: Schema {
                    description: schema.description.clone(),
                    constraints: Default::default(),
                    ..without_use(schema)
                },
                inner: Vec::new(),
                codes: BTreeSet::new(),
            };
        }
        if let Some(id) = self.classes.class_of(schema) {
            return self.express_class(id, schema);
        }
        let inner = match (&schema.items, &schema.additional_properties) {
            (Some(items), _) if schema.json_type == Some(JsonType::Array) => Some((items, Reach::Items)),
            (_, Some(values)) if schema.json_type == Some(JsonType::Object) => Some((values, Reach::Values)),
            _ => None,
        };
        let Some((inner, reach)) = inner else {
            let own_types = self.options.kubernetes_types == KubernetesTypes::Own;
            let (rust_type, base) = rust_type::scalar(schema, own_types);
            return Expressed {
                rust_type,
                base,
                inner: Vec::new(),
                codes: BTreeSet::new(),
            };
        };
        let expressed = self.express(inner);
        let is_any = expressed.rust_type == RustType::foreign(VALUE);
        let mut base = expressed.base;
        let mut rust_type = expressed.rust_type;
        if inner.nullable && !is_any {
            rust_type = rust_type.optional();
            base.nullable = true;
        }
        let mut lines = Vec::new();
        lines.extend(schema_lines(
            &SchemaGap {
                wanted: &without_absent(inner),
                base: &base,
            },
            reach,
        ));
        lines.extend(expressed.inner.iter().map(|line| for_each_value(line)));
        let mut codes = expressed.codes;
        self.allowed.codes(inner, &mut codes);
        let (rust_type, base) = match reach {
            Reach::Items => (
                RustType::List(Box::new(rust_type)),
                Schema::of_type(JsonType::Array),
            ),
            _ => (
                RustType::Map(Box::new(rust_type)),
                Schema::of_type(JsonType::Object),
            ),
        };
        Expressed {
            rust_type,
            base,
            inner: lines,
            codes,
        }
    }

    fn express_class(&self, id: ClassId, schema: &Schema) -> Expressed {
        let is_enum = self.classes.get(id).is_some_and(|class| class.sort == Sort::Enum);
        let base = if is_enum {
            let mut base = Schema::of_type(JsonType::String);
            base.constraints
                .enumeration
                .clone_from(&schema.constraints.enumeration);
            base
        } else {
            Schema {
                description: self.classes.description(id).map(str::to_owned),
                ..without_use(schema)
            }
        };
        Expressed {
            rust_type: RustType::Class(id),
            base: without_absent(&base),
            inner: Vec::new(),
            codes: BTreeSet::new(),
        }
    }
}

/// Returns the schema without what has no effect on its type, and with required properties that do not exist as a
/// combination.
fn without_absent(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    let is_open = schema.json_type == Some(JsonType::Object) && !schema.required.is_empty();
    if is_struct(&schema) || is_open {
        let absent: BTreeSet<String> = schema
            .required
            .iter()
            .filter(|name| !schema.properties.contains_key(*name))
            .cloned()
            .collect();
        if !absent.is_empty() {
            schema.constraints.all_of.push(Schema {
                required: absent,
                ..Schema::default()
            });
        }
    }
    schema
}

/// Returns the places by which problems of a kind itself are known.
fn kind_spans(version: &kgen_model::KindVersion) -> Vec<Span> {
    let mut spans = vec![version.span, version.group_span, version.version_span];
    for column in &version.columns {
        spans.extend([column.span, column.value.json_path.span]);
    }
    spans.extend(version.selectable_fields.iter().map(|path| path.span));
    if let Some(scale) = &version.scale {
        let paths = [&scale.value.spec_path, &scale.value.status_path];
        spans.extend(
            paths
                .into_iter()
                .chain(&scale.value.selector_path)
                .map(|path| path.span),
        );
        spans.push(scale.span);
    }
    spans.extend(version.storage);
    spans
}

/// Returns the markers of `metadata` for the bounds on its fields.
fn metadata_lines(schema: &Schema) -> Vec<String> {
    let Some(metadata) = schema.properties.get("metadata") else {
        return Vec::new();
    };
    let base = Schema::of_type(JsonType::String);
    let mut lines = Vec::new();
    for (name, property) in &metadata.properties {
        let wanted = Schema {
            description: None,
            ..property.as_ref().clone()
        };
        let gap = SchemaGap {
            wanted: &wanted,
            base: &base,
        };
        lines.extend(
            schema_lines(&gap, Reach::Own)
                .iter()
                .map(|line| for_subfield(name, line)),
        );
    }
    lines
}

/// Returns the first name that no field has.
fn free_name(names: &[&str], fields: &[Field]) -> String {
    let mut last = String::new();
    for name in names {
        last = (*name).to_owned();
        if !fields.iter().any(|field| field.name == last) {
            return last;
        }
    }
    while fields.iter().any(|field| field.name == last) {
        last.push_str("_alt");
    }
    last
}

/// Returns the field with everything that the schema does not describe.
fn unknown_fields(fields: &[Field]) -> Field {
    Field {
        name: free_name(
            &["other", "other_fields", "unknown_fields", "preserved_fields"],
            fields,
        ),
        docs: Vec::new(),
        markers: Vec::new(),
        serde: vec!["flatten".to_owned()],
        rust_type: RustType::Map(Box::new(RustType::foreign(VALUE))),
    }
}

/// Returns the fields of an embedded resource that the API server describes itself, unless its schema describes them.
fn identity_fields(schema: &Schema, fields: &[Field]) -> Vec<Field> {
    let known = [
        ("apiVersion", "api_version", RustType::Primitive("String")),
        ("kind", "kind", RustType::Primitive("String")),
        ("metadata", "metadata", RustType::foreign(OBJECT_META).optional()),
    ];
    let missing = known
        .into_iter()
        .filter(|(json_name, _, _)| !schema.properties.contains_key(*json_name));
    missing
        .map(|(json_name, name, rust_type)| {
            let mut serde = Vec::new();
            let name = free_name(&[name], fields);
            if kgen_model::rust_names::camel(&name) != json_name {
                serde.push(format!("rename = {}", quoted(json_name)));
            }
            if matches!(rust_type, RustType::Optional(_)) {
                serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            Field {
                name,
                docs: Vec::new(),
                markers: vec![kgen_markers::write::schemaless_line()],
                serde,
                rust_type,
            }
        })
        .collect()
}

/// Returns whether a value, or the values inside of it, are floating-point numbers.
fn is_float(schema: &Schema) -> bool {
    let inner = schema
        .items
        .as_deref()
        .or(schema.additional_properties.as_deref());
    schema.json_type == Some(JsonType::Number) || schema.json_type.is_some() && inner.is_some_and(is_float)
}

fn enumeration(name: &str, schema: &Schema, is_open: bool) -> Item {
    let values = schema.constraints.enumeration.as_deref().unwrap_or_default();
    let variants = variants(values).unwrap_or_default();
    let mut variants: Vec<Variant> = variants
        .into_iter()
        .map(|(variant, value)| {
            let variant = match variant.strip_prefix("Value") {
                Some(rest) if rest.starts_with(|first: char| first.is_numeric()) => format!("{name}{rest}"),
                _ => variant,
            };
            Variant {
                rename: (variant != value).then_some(value),
                name: variant,
                is_open: false,
            }
        })
        .collect();
    if is_open {
        let is_free = |name: &&str| !variants.iter().any(|variant| variant.name == **name);
        let name = ["Other", "AnyOther", "OtherValue"].into_iter().find(is_free);
        variants.extend(name.map(|name| Variant {
            name: name.to_owned(),
            rename: None,
            is_open: true,
        }));
    }
    Item {
        name: name.to_owned(),
        docs: Vec::new(),
        markers: Vec::new(),
        has_serde: true,
        custom_resource: None,
        attributes: Vec::new(),
        body: Body::Enum(variants),
    }
}

/// Returns the field names of properties. If two want the same, the one that camel case maps back keeps it.
fn field_names(properties: &[(&String, &Schema)], path: &str, problems: &mut Problems) -> Vec<String> {
    let wanted: Vec<String> = properties.iter().map(|(name, _)| words::field(name)).collect();
    let mut names: Vec<String> = Vec::with_capacity(wanted.len());
    for (index, name) in wanted.iter().enumerate() {
        let rivals: Vec<usize> = (0..wanted.len())
            .filter(|other| wanted.get(*other) == Some(name))
            .collect();
        let keeps = |other: &&usize| {
            properties
                .get(**other)
                .is_some_and(|(json_name, _)| kgen_model::rust_names::camel(name) == **json_name)
        };
        let keeper = rivals.iter().find(keeps).or(rivals.first());
        if keeper == Some(&index) {
            names.push(name.clone());
            continue;
        }
        let mut other = format!("{}_alt", name.trim_start_matches("r#").trim_end_matches('_'));
        while wanted.contains(&other) || names.contains(&other) {
            other.push_str("_alt");
        }
        if let Some((json_name, property)) = properties.get(index) {
            let message = format!(
                "`{json_name}` of `{path}` is called `{other}`, because another property has its name"
            );
            let mut problem = Problem::note(Code::ImportName, message);
            problem.span = property.places.node;
            problems.push(problem);
        }
        names.push(other);
    }
    names
}

/// Returns a Rust string literal.
pub(crate) fn quoted(text: &str) -> String {
    format!("{text:?}")
}
